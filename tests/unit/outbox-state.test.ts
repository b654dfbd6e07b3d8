import { expect, test } from 'vitest'
import { createLiveState } from '#client/data/outbox/live-state.ts'
import type { Operation } from '#client/data/outbox/operation.ts'

test('what changes while the queue is read is not undone', async () => {
  const reading = Promise.withResolvers<readonly Operation[]>()
  const live = createLiveState({ read: () => reading.promise })
  const refreshed = live.refresh()
  live.show({ ...live.get(), needsLogin: true })
  reading.resolve([])
  await refreshed
  expect(live.get().needsLogin).toBe(true)
})

test('a drain that is drawn now and then still tells all that arrived', () => {
  const live = createLiveState({ read: () => Promise.resolve([]) })
  const take = (sending: string | undefined, applied?: string) =>
    live.take({ operations: [], sending, applied })
  take('a')
  take('b', 'a')
  take('c', 'b')
  take(undefined, 'c')
  expect(live.get().applied).toEqual(['a', 'b', 'c'])
  take('d')
  take(undefined, 'd')
  expect(live.get().applied).toEqual(['d'])
})

test('how much of a picture is up stays when the queue behind it changes', () => {
  const live = createLiveState({ read: () => Promise.resolve([]) })
  live.take({ operations: [], sending: 'a', applied: undefined })
  live.show({ ...live.get(), sending: { id: 'a', progress: 0.5 } })
  live.take({ operations: [], sending: 'a', applied: undefined })
  expect(live.get().sending).toEqual({ id: 'a', progress: 0.5 })
})
