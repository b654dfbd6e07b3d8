import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxPlace } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { setSession } from '#client/data/session.ts'
import { saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { dropSentDrafts } from '#client/outbox/queued-drafts.ts'
import { discardChange, discardChangesOf } from '#client/owner/changes/discard-change.ts'
import {
  createEntryOperation,
  removeEntryOperation,
  submitChange,
} from '#client/owner/changes/submit-change.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { keepingDevice, refuseWrites } from '#tests/support/page-storage.ts'

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
})
afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

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

const told = () => pageNotices.get().map(({ kind, text }) => [kind, text])

test('a change that the device does not forget waits on, and she is told that it is not discarded', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const session = { token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false }
  setSession(session)
  const queryClient = new QueryClient()
  const { getState } = pageOutbox(queryClient)
  const creation = createEntryOperation(project, 'e-2', { name: 'Faro' })
  await submitChange(creation, { queryClient })
  const refusal = refuseWrites(outboxPlace.database)
  await discardChange(creation, queryClient)
  expect(told()).toEqual([['error-snackbar', queueTexts.notDiscarded]])
  expect(getState().operations.map(({ id }) => id)).toContain(creation.id)

  // Nor do changes of hers go that somebody else wants to be rid of.
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  setSession({ ...session, userName: 'eva', account: 'eva' })
  await discardChangesOf('ana', queryClient)
  expect(told()).toEqual([['error-snackbar', queueTexts.notDiscarded]])
  expect(getState().others?.map(({ id }) => id)).toContain(creation.id)

  refusal.mockRestore()
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  await discardChangesOf('ana', queryClient)
  expect(told()).toEqual([])
  expect(getState().others).toEqual([])
})
