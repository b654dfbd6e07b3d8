import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { rereadCopies } from '#client/offline/reread-copies.ts'
import { pathOf, personQuery } from '#client/data/queries.ts'
import { connection } from '#client/browser/connection.ts'

/** When the server gave what is kept. */
const saved = 'Sun, 22 Nov 2026 10:00:00 GMT'
const path = pathOf(personQuery.queryKey) ?? ''

afterEach(() => {
  connection.answered(path, null)
  vi.useRealTimers()
})

test('what only the copy answered is asked for again, ever more rarely, until the server answers', async () => {
  vi.useFakeTimers()
  const queryClient = new QueryClient()
  const asked = vi.spyOn(queryClient, 'invalidateQueries')
  const shown = new QueryObserver(queryClient, {
    ...personQuery,
    queryFn: () => ({ id: '1', version: 1, fields: {} }),
  })
  const leave = shown.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  rereadCopies(queryClient)
  connection.answered(path, saved)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(asked).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(asked).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(asked).toHaveBeenCalledTimes(3)
  connection.answered(path, null)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toHaveBeenCalledTimes(3)
  connection.answered(path, saved)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toHaveBeenCalledTimes(4) // Nobody waits for what the page shows no more.
  leave()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toHaveBeenCalledTimes(4)
  expect(connection.get()).toBe('online')
})
