import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { outboxPlace } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { setSession } from '#client/data/session.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { openOutboxStore } from '#client/outbox/store.ts'
import { discardChange } from '#client/owner/changes/discard-change.ts'
import { createEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { watchQueue } from '#client/owner/changes/watch-queue.ts'
import { saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

/** The queue of an owner's page without a connection, with a new entry in it that she goes on typing over. */
async function typeOverQueued(id: string) {
  vi.stubGlobal('navigator', { onLine: false })
  setSession({ token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false })
  const queryClient = new QueryClient()
  const creation = createEntryOperation(project, id, { name: 'Faro' })
  await submitChange(creation, { queryClient })
  await saveDraft(editForm(project, id), { id, version: 0, fields: { name: 'Faro 2' } })
  return { creation, queryClient }
}

test('what another tab has begun to send is not discarded, which she is told, and what was typed over it stays its form’s', async () => {
  keepingDevice()
  const { creation, queryClient } = await typeOverQueued('e-1')
  await openOutboxStore().update((operations) => ({
    operations: operations.map((one) => ({ ...one, tries: 1 })),
    result: undefined,
  }))
  await discardChange(creation, queryClient)
  const told = pageNotices.get().map(({ kind, text }) => [kind, text])
  expect(told).toEqual([['error-snackbar', queueTexts.sentMeanwhile]])
  expect(pageOutbox(queryClient).getState().operations).toMatchObject([{ tries: 1 }])
  expect((await unsentDrafts()).map(({ draft }) => draft.id)).toEqual(['e-1'])
})

test('what was typed over an entry stays its form’s where the browser threw the queue away', async () => {
  watchQueue(pageOutbox(new QueryClient()))
  const { creation, queryClient } = await typeOverQueued('e-2')
  const deleting = indexedDB.deleteDatabase(outboxPlace.database)
  await new Promise((resolve) => deleting.addEventListener('success', resolve))
  await discardChange(creation, queryClient)
  // It waits for her word, and the server may have it.
  const { operations } = pageOutbox(queryClient).getState()
  expect(operations.find(({ id }) => id === creation.id)).toMatchObject({ tries: 1 })
  expect((await unsentDrafts()).map(({ draft }) => draft.id)).toContain('e-2')
})
