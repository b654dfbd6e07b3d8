import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { setSession } from '#client/data/session.ts'
import { unsentDrafts } from '#client/outbox/entry-drafts.ts'
import { openOutboxStore } from '#client/outbox/store.ts'
import { importEntryOperation } from '#client/owner/changes/submit-change.ts'
import { finishImports } from '#client/owner/import/finish-import.ts'
import { keepRecord, readRecords } from '#client/owner/import/import-records.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => keepingDevice())
afterEach(() => vi.unstubAllGlobals())

test('an import whose page was killed before it queued anything is finished once, and shown only then', async () => {
  const account = { account: 'a-1', userName: 'ana' }
  setSession({ token: 't', ...account, roles: [], isExpired: false })
  const operations = ['Uno', 'Dos'].map((name) => importEntryOperation(project, name, { name }))
  const record = {
    id: 'i-1',
    at: new Date().toISOString(),
    account: account.account,
    name: 'resume.json',
    operations: operations.map(({ id }) => id),
    created: [],
    updated: [],
    person: { before: {}, after: {} },
    settings: { before: {}, after: {} },
    parts: [],
    drafts: [{ section: project.key, id: 'Tres', fields: { name: 'Tres' } }],
    unfinished: operations,
  }
  await keepRecord(record)
  expect(await readRecords()).toEqual([])
  const queryClient = new QueryClient()
  await Promise.all([finishImports(queryClient), finishImports(queryClient)])
  // As if the page had been killed again just before it noted that all is done.
  await keepRecord(record)
  await finishImports(queryClient)
  expect((await openOutboxStore().read()).map(({ label }) => label)).toEqual(['Uno', 'Dos'])
  expect((await unsentDrafts()).map(({ draft }) => draft.id)).toEqual(['Tres'])
  expect((await readRecords()).map(({ id }) => id)).toEqual([record.id])
})
