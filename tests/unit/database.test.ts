import { get } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OutboxStore } from '#client/outbox/store.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { outboxPlace } from '#contract/offline/offline.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

const operation = (id: string): Operation => ({
  id,
  subject: { on: 'entry', section: 'proyect', id },
  verb: 'update',
  values: {},
  label: '',
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
})
const adding = (id: string) => (operations: readonly Operation[]) => ({
  operations: [...operations, operation(id)],
  result: undefined,
})
const idsIn = async (store: OutboxStore) => (await store.read()).map(({ id }) => id)

/** A page of its own, with the events of its window. */
async function newPage() {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.resetModules()
  const database = await import('#client/browser/database.ts')
  const store = (await import('#client/outbox/store.ts')).openOutboxStore()
  const tell = (name: 'pagehide' | 'pageshow') => window.dispatchEvent(new Event(name))
  return { ...database, store, tell }
}

beforeEach(() => keepingDevice())
afterEach(() => vi.unstubAllGlobals())

test('a page that is put away holds no other page up, and does what it was about to do once it is back', async () => {
  const left = await newPage()
  const next = await newPage()
  await left.store.read()
  let isDone = false
  const turn = left.store.update(adding('before')).then(() => (isDone = true))
  const reading = left.store.read()
  // Begun, and not yet told to commit.
  await Promise.resolve()
  await Promise.resolve()
  left.tell('pagehide')
  const later = left.store.update(adding('while away'))
  await next.store.update(adding('elsewhere'))
  expect(await idsIn(next.store)).toEqual(['elsewhere'])
  expect(isDone).toBe(false)
  left.tell('pageshow')
  await Promise.all([turn, later, reading])
  expect((await idsIn(next.store)).toSorted()).toEqual(['before', 'elsewhere', 'while away'])
})

test('what is written at once is still kept while the page is put away', async () => {
  const { openStore, tell, writeNow } = await newPage()
  const store = openStore(outboxPlace)
  await get('text', store)
  tell('pagehide')
  await writeNow(store, [['text', 'the last word']])
  const { openStore: openElsewhere } = await newPage()
  expect(await get('text', openElsewhere(outboxPlace))).toBe('the last word')
})
