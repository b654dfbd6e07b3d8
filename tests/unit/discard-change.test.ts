import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { setSession } from '#client/data/session.ts'
import { saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { dropSentDrafts } from '#client/outbox/queued-drafts.ts'
import { discardChange } from '#client/owner/changes/discard-change.ts'
import { removeEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
})
afterEach(() => vi.unstubAllGlobals())

test('what was typed of an entry is its form’s again once she does not want to delete it any more', async () => {
  setSession({ token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false })
  const queryClient = new QueryClient()
  const row = { id: 'e-1', version: 3, fields: { name: 'Faro' } }
  const fields = { description: 'Aún sin guardar' }
  await saveDraft(editForm(project, row.id), { id: row.id, version: 3, fields })
  await submitChange(removeEntryOperation(project, row), { queryClient })
  expect(await unsentDrafts()).toEqual([])
  const [removal] = pageOutbox(queryClient).getState().operations
  if (!removal) throw new Error('the removal does not wait')
  await discardChange(removal, queryClient)
  // As the next page does with what the queue has not got any more.
  await dropSentDrafts(async () => new Set())
  expect(await unsentDrafts()).toMatchObject([{ draft: { fields } }])
})
