import { QueryClient } from '@tanstack/react-query'
import { IDBObjectStore as FakeStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { setSession } from '#client/data/session.ts'
import { saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { overlayEntries } from '#client/outbox/overlay-rows.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { createEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { removeFromList, undoRemoval } from '#client/owner/editor/removed-entries.ts'
import { pageNotices } from '#client/ui/notices.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

beforeEach(() => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  for (const { id } of pageNotices.get()) pageNotices.close(id, false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The device takes nothing more of what is typed. */
function refuseDrafts() {
  const put = FakeStore.prototype.put
  return vi.spyOn(FakeStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...what
  ) {
    const isDraft = this.transaction.db.name === 'tintero-drafts'
    if (isDraft) throw new DOMException('full', 'QuotaExceededError')
    return put.apply(this, what)
  })
}

test('an entry that was never sent does not come back without what was typed over it, and can once the device keeps that', async () => {
  setSession({ token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false })
  const queryClient = new QueryClient()
  const queue = () => pageOutbox(queryClient).getState().operations
  const labels = () => queue().map(({ label }) => label)
  const told = () => pageNotices.get().map(({ kind, text }) => [kind, text])
  await submitChange(createEntryOperation(project, 'e-1', { name: 'Faro' }), { queryClient })
  const typed = { id: 'e-1', version: 0, fields: { name: 'Faro, mejor' } }
  await saveDraft(editForm(project, 'e-1'), typed)
  const queued = { operations: queue(), pictureOf: () => undefined }
  const [entry] = overlayEntries(project.key, [], queued)
  if (!entry) throw new Error('the new entry is not shown')
  const { item } = await removeFromList({ section: project, entry, list: [entry] }, queryClient)

  const refusal = refuseDrafts()
  await undoRemoval(item, queryClient)
  expect(told()).toEqual([['error-snackbar', binTexts.notUndone]])
  expect(labels()).toEqual([])
  expect(await unsentDrafts()).toEqual([])

  refusal.mockRestore()
  await undoRemoval(item, queryClient)
  expect(labels()).toEqual(['Faro'])
  expect(await unsentDrafts()).toMatchObject([{ draft: { fields: typed.fields } }])
})
