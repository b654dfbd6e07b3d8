import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createOutbox } from '#client/outbox/outbox.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { Answer } from '#client/outbox/ports.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import { tellKept } from '#client/owner/changes/change-notices.ts'
import { pageNotices } from '#client/ui/notices.ts'

/* What a later change takes out of the queue was never sent: nobody says that it is done, that it failed, or that it waits. */

afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
})

let count = 0
const operation = (verb: Operation['verb'], entry: string): Operation => ({
  id: `op-${++count}`,
  subject: { on: 'entry', section: 'proyect', id: entry },
  verb,
  values: verb === 'create' ? { name: entry } : {},
  label: entry,
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
})

const superfluous = { state: 'queued', because: 'superfluous' }

/** Two pages of a device on which another change is on its way until `answer` is called. */
async function busyPage(store: OutboxStore, isKept = true) {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const sent: string[] = []
  const page = () =>
    createOutbox({
      store,
      send: ({ id }) => {
        sent.push(id)
        return promise
      },
      whileSending: (run) => run(),
      isOwner: () => true,
      isOnline: () => true,
      isKept: () => isKept,
      onApplied: async () => {},
      onIdle: () => {},
      log: () => {},
    })
  const [one, other] = [page(), page()]
  await Promise.all([one.start(), other.start()])
  void one.add(operation('create', 'busy'))
  await expect.poll(() => sent).toHaveLength(1)
  const answer = () => resolve({ is: 'applied' })
  // What sends holds the turn of all pages.
  onTestFinished(answer)
  return { one, other, sent, answer }
}

test.each([
  ['a new entry that is deleted', 'create', 'remove'],
  ['a removal that is taken back', 'remove', 'restore'],
] as const)('%s before it was sent was not done', async (_, verb, after) => {
  const { one, sent, answer } = await busyPage(memoryStore())
  const change = operation(verb, 'e')
  const made = one.add(change)
  await expect.poll(() => one.getState().operations).toHaveLength(2)
  await expect(one.add(operation(after, 'e'))).resolves.toEqual({ state: 'saved' })
  await expect(made).resolves.toEqual(superfluous)
  answer()
  await expect.poll(() => one.getState().operations).toEqual([])
  expect(sent).not.toContain(change.id)
})

test('nor does the tab say so that made what another one deletes', async () => {
  const { one, other } = await busyPage(memoryStore())
  const made = one.add(operation('create', 'e'))
  await expect.poll(() => other.getState().operations).toHaveLength(2)
  await other.add(operation('remove', 'e'))
  await expect(made).resolves.toEqual(superfluous)
})

test('on a device that keeps nothing it is not said to be lost with the page', async () => {
  const { one } = await busyPage(memoryStore(), false)
  const made = one.add(operation('create', 'e'))
  await expect.poll(() => one.getState().operations).toHaveLength(2)
  await one.add(operation('remove', 'e'))
  await expect(made).resolves.toEqual(superfluous)
})

test('of it no notice says anything', async () => {
  await tellKept({ state: 'queued', because: 'superfluous' }, 'Error')
  expect(pageNotices.get()).toEqual([])
})
