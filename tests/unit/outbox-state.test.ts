import { expect, test } from 'vitest'
import { createQueueState } from '#client/outbox/queue-state.ts'
import type { Operation } from '#client/outbox/operation.ts'

test('what changes while the queue is read is not undone', async () => {
  const reading = Promise.withResolvers<readonly Operation[]>()
  const queue = createQueueState({ read: () => reading.promise })
  const refreshed = queue.refresh()
  queue.show({ ...queue.get(), needsLogin: true })
  reading.resolve([])
  await refreshed
  expect(queue.get().needsLogin).toBe(true)
})

test('a drain that is drawn now and then still tells all that arrived', () => {
  const queue = createQueueState({ read: () => Promise.resolve([]) })
  const advance = (sending: string | undefined, applied?: string) =>
    queue.advance({ operations: [], sending, applied })
  advance('a')
  advance('b', 'a')
  advance('c', 'b')
  advance(undefined, 'c')
  expect(queue.get().applied).toEqual(['a', 'b', 'c'])
  advance('d')
  advance(undefined, 'd')
  expect(queue.get().applied).toEqual(['d'])
})

test('how much of a picture is up stays when the queue behind it changes', () => {
  const queue = createQueueState({ read: () => Promise.resolve([]) })
  queue.advance({ operations: [], sending: 'a', applied: undefined })
  queue.show({ ...queue.get(), sending: { id: 'a', progress: 0.5 } })
  queue.advance({ operations: [], sending: 'a', applied: undefined })
  expect(queue.get().sending).toEqual({ id: 'a', progress: 0.5 })
})
