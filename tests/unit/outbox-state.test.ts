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
