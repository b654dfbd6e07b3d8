import { QueryClient } from '@tanstack/react-query'
import { IDBObjectStore as FakeStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxPlace } from '#contract/offline/offline.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { project } from '#contract/sections/project.ts'
import type { ImportRecord } from '#client/owner/import/import-records.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => {
  keepingDevice()
  vi.resetModules()
  vi.stubGlobal('navigator', { onLine: false })
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const made = { section: project.key, id: 'Uno', fields: { name: 'Uno' } }
const draft = { section: project.key, id: 'Tres', fields: { name: 'Tres' } }
const record: ImportRecord = {
  id: 'i-1',
  at: new Date().toISOString(),
  account: 'ana',
  name: 'resume.json',
  created: [made],
  updated: [],
  person: { before: {}, after: {} },
  settings: { before: {}, after: {} },
  parts: [],
  drafts: [draft],
}

/** A page of Ana's whose import has arrived, with its draft still in the form. */
async function pageAfterImport() {
  const { setSession } = await import('#client/data/session.ts')
  const drafts = await import('#client/owner/drafts/entry-drafts.ts')
  const { openOutboxStore } = await import('#client/outbox/store.ts')
  const { keepRecord, readRecords } = await import('#client/owner/import/import-records.ts')
  const { undoImport } = await import('#client/owner/import/undo-import.ts')
  setSession({ token: 't', account: 'ana', userName: 'ana', roles: [], isExpired: false })
  await keepRecord(record)
  await drafts.saveDraft('proyect-new', { ...draft, version: 0 })
  const entry = { id: made.id, version: 1, fields: made.fields }
  const shown = {
    person: { version: 1, fields: {} },
    settings: defaultSettings,
    entries: ({ key }: { readonly key: string }) => (key === project.key ? [entry] : []),
  }
  const undo = () => undoImport(record, { shown, queryClient: new QueryClient() })
  return { ...drafts, undo, readRecords, queue: openOutboxStore() }
}

test('an import whose changes back the device does not take stays as it is, and can be undone later', async () => {
  const { undo, queue, readRecords, unsentDrafts } = await pageAfterImport()
  const { unpublished } = await import('#client/owner/access/unpublished.ts')
  const put = FakeStore.prototype.put
  const refusal = vi.spyOn(FakeStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...what
  ) {
    const isQueue = this.transaction.db.name === outboxPlace.database
    if (isQueue) throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, what)
  })
  await expect(undo()).rejects.toThrow('full')
  expect(unpublished()).toEqual([])
  expect(await unsentDrafts()).toHaveLength(1)
  expect(await readRecords()).toHaveLength(1)

  refusal.mockRestore()
  expect(await undo()).toMatchObject({ isWhole: true })
  expect(await queue.read()).toMatchObject([{ verb: 'remove', subject: { id: made.id } }])
  expect(await unsentDrafts()).toEqual([])
  expect(await readRecords()).toEqual([])
})

test('an import whose record the device does not let go is undone all the same', async () => {
  const { undo, queue, unsentDrafts } = await pageAfterImport()
  const remove = FakeStore.prototype.delete
  vi.spyOn(FakeStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
    if (this.name === 'imports') throw new DOMException('full', 'QuotaExceededError')
    return remove.call(this, key)
  })
  expect(await undo()).toMatchObject({ isWhole: true })
  expect(await queue.read()).toMatchObject([{ verb: 'remove', subject: { id: made.id } }])
  expect(await unsentDrafts()).toEqual([])
})

test('what is typed into a draft while its import is undone stays', async () => {
  const { undo, unsentDrafts, saveDraft } = await pageAfterImport()
  const open = indexedDB.open.bind(indexedDB)
  // The queue opens only when the drafts have been looked at.
  vi.spyOn(indexedDB, 'open').mockImplementation((name) => {
    void saveDraft('proyect-new', { ...draft, version: 0, fields: { name: 'Tres y más' } })
    return open(name)
  })
  await undo()
  expect(await unsentDrafts()).toMatchObject([{ draft: { fields: { name: 'Tres y más' } } }])
})
