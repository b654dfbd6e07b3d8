import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxPlace } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import type { ImportRecord } from '#client/owner/import/import-records.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => keepingDevice())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The modules of a page of Ana's, and what an earlier one kept of an import of two changes and a draft before it was killed. */
async function pageAfterKilled() {
  vi.resetModules()
  const { setSession } = await import('#client/data/session.ts')
  const drafts = await import('#client/owner/drafts/entry-drafts.ts')
  const { openOutboxStore } = await import('#client/outbox/store.ts')
  const { importEntryOperation } = await import('#client/owner/changes/submit-change.ts')
  const finish = await import('#client/owner/import/finish-import.ts')
  const records = await import('#client/owner/import/import-records.ts')
  const signIn = (account: string) =>
    setSession({ token: 't', account, userName: account, roles: [], isExpired: false })
  signIn('ana')
  const unfinished = ['Uno', 'Dos'].map((name) => importEntryOperation(project, name, { name }))
  const record: ImportRecord = {
    id: 'i-1',
    at: new Date().toISOString(),
    account: 'ana',
    name: 'resume.json',
    created: [],
    updated: [],
    person: { before: {}, after: {} },
    settings: { before: {}, after: {} },
    parts: [],
    drafts: [{ section: project.key, id: 'Tres', fields: { name: 'Tres' } }],
    unfinished,
  }
  await records.keepRecord(record)
  const { newForm } = await import('#client/owner/editor/form-keys.ts')
  const draftIds = async () => (await drafts.unsentDrafts()).map(({ draft }) => draft.id)
  const page = { ...drafts, ...records, ...finish, queue: openOutboxStore() }
  return { ...page, record, signIn, draftIds, form: newForm(project) }
}

test('an import whose page was killed before it queued anything is finished once, and shown only then', async () => {
  const { record, readRecords, keepRecord, finishImports, queue, draftIds } =
    await pageAfterKilled()
  expect(await readRecords()).toEqual([])
  const queryClient = new QueryClient()
  await Promise.all([finishImports(queryClient), finishImports(queryClient)])
  // As if the page had been killed again just before it noted that all is done.
  await keepRecord(record)
  await finishImports(queryClient)
  expect((await queue.read()).map(({ label }) => label)).toEqual(['Uno', 'Dos'])
  expect(await draftIds()).toEqual(['Tres'])
  expect((await readRecords()).map(({ id }) => id)).toEqual([record.id])
})

test('a draft is not left where a form of the same page is about to keep its own', async () => {
  const { takeDraft, saveDraft, form, finishImports, draftIds } = await pageAfterKilled()
  const { place, unlock } = await takeDraft(form)
  await finishImports(new QueryClient())
  await saveDraft(place, { id: 'Mío', version: 0, fields: { name: 'Mío' } })
  unlock()
  expect((await draftIds()).toSorted()).toEqual(['Mío', 'Tres'])
})

test('a draft is left to whoever brought it in, whoever signs in meanwhile', async () => {
  const { record, finishImport, signIn, draftIds } = await pageAfterKilled()
  const finishing = finishImport(record.id, new QueryClient())
  signIn('eva')
  await finishing
  expect(await draftIds()).toEqual([])
  signIn('ana')
  expect(await draftIds()).toEqual(['Tres'])
})

test.each(['ana', 'eva'])(
  'what «ana» has not brought in yet stays when «%s» logs out, and what she has goes with her alone',
  async (account) => {
    const { record, keepRecord, readRecords, readUnfinished, signIn, dropRecords } =
      await pageAfterKilled()
    const { unfinished: _, ...finished } = record
    await keepRecord({ ...finished, id: 'i-2' })
    signIn(account)
    await dropRecords()
    signIn('ana')
    expect(await readUnfinished()).toHaveLength(1)
    expect(await readRecords()).toHaveLength(account === 'ana' ? 0 : 1)
  },
)

test('what is not brought in yet waits however long, and another account’s is not hers to forget', async () => {
  const { record, keepRecord, readRecords, readUnfinished, signIn } = await pageAfterKilled()
  const { unfinished: _, ...finished } = record
  const long = { at: '1970-01-01T00:00:00.000Z' }
  await keepRecord({ ...record, ...long })
  await keepRecord({ ...finished, ...long, id: 'i-2' })
  signIn('eva')
  await readRecords()
  signIn('ana')
  expect(await readUnfinished()).toHaveLength(1)
  expect(await readRecords()).toEqual([])
})

test('a draft that she has sent is not left once more, although the device has no room for the queue', async () => {
  const open = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementation((name) => {
    if (name === outboxPlace.database) throw new DOMException('full', 'QuotaExceededError')
    return open(name)
  })
  vi.spyOn(console, 'error').mockReturnValue()
  const { finishImports, readUnfinished, dropDraft, form, draftIds } = await pageAfterKilled()
  await finishImports(new QueryClient())
  expect(await draftIds()).toEqual(['Tres'])
  await dropDraft(form)
  await finishImports(new QueryClient())
  expect(await readUnfinished()).toHaveLength(1)
  expect(await draftIds()).toEqual([])
})
