import { QueryClient } from '@tanstack/react-query'
import { IDBObjectStore as FakeStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
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
  const { keepRecord } = await import('#client/owner/import/import-records.ts')
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
  return { ...drafts, undo, queue: openOutboxStore() }
}

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
