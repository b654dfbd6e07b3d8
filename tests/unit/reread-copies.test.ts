import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { rereadCopies } from '#client/data/reread-copies.ts'
import { connection } from '#client/browser/connection.ts'

/** When the server gave what is kept. */
const saved = 'Sun, 22 Nov 2026 10:00:00 GMT'

afterEach(() => {
  connection.answered('/api/person', null)
  vi.useRealTimers()
})

test('what only the copy answered is asked for again, ever more rarely, until the server answers', async () => {
  vi.useFakeTimers()
  const queryClient = new QueryClient()
  const asked = vi.spyOn(queryClient, 'invalidateQueries')
  rereadCopies(queryClient)
  connection.answered('/api/person', saved)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(asked).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(asked).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(asked).toHaveBeenCalledTimes(3)
  connection.answered('/api/person', null)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(asked).toHaveBeenCalledTimes(3)
  connection.answered('/api/person', saved)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toHaveBeenCalledTimes(4)
})
