import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxPlace } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { delay } from '#client/browser/delay.ts'
import { setSession } from '#client/data/session.ts'
import { dropAllDrafts, saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { overlayEntries } from '#client/outbox/overlay-rows.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { createEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { removeFromList, undoRemoval } from '#client/owner/editor/removed-entries.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { keepingDevice, refuseWrites } from '#tests/support/page-storage.ts'

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  await dropAllDrafts()
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const typed = { version: 0, fields: { name: 'Faro, mejor' } }

/** A page of Ana's whose new entry waits for the connection, with something typed over it. */
async function pageWithNew(id: string) {
  setSession({ token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false })
  const queryClient = new QueryClient()
  const queue = () => pageOutbox(queryClient).getState().operations
  await submitChange(createEntryOperation(project, id, { name: 'Faro' }), { queryClient })
  await saveDraft(editForm(project, id), { ...typed, id })
  const queued = { operations: queue(), pictureOf: () => undefined }
  const entry = overlayEntries(project.key, [], queued).find((row) => row.id === id)
  if (!entry) throw new Error('the new entry is not shown')
  return {
    queryClient,
    labels: () => queue().map(({ label }) => label),
    remove: () => removeFromList({ section: project, entry, list: [entry] }, queryClient),
  }
}

test('an entry that was never sent does not come back without what was typed over it, and can once the device keeps that', async () => {
  const { queryClient, labels, remove } = await pageWithNew('e-1')
  const { item } = await remove()

  const refusal = refuseWrites('tintero-drafts')
  await undoRemoval(item, queryClient)
  const told = pageNotices.get().map(({ kind, text }) => [kind, text])
  expect(told).toEqual([['error-snackbar', binTexts.notUndone]])
  expect(labels()).toEqual([])
  expect(await unsentDrafts()).toEqual([])

  refusal.mockRestore()
  await undoRemoval(item, queryClient)
  expect(labels()).toEqual(['Faro'])
  expect(await unsentDrafts()).toMatchObject([{ draft: typed }])
})

test('what was typed over an entry that the device does not forget stays with it', async () => {
  const { remove } = await pageWithNew('e-2')
  refuseWrites(outboxPlace.database)
  const { result } = await remove()
  expect(result).toEqual({ state: 'queued', because: 'not-kept' })
  // Nobody waits for what would take it away.
  await delay(50)
  expect(await unsentDrafts()).toMatchObject([{ draft: typed }])
})
