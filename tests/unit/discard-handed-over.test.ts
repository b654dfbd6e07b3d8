import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { project } from '#contract/sections/project.ts'
import { setSession } from '#client/data/session.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { openOutboxStore } from '#client/outbox/store.ts'
import { discardChange } from '#client/owner/changes/discard-change.ts'
import { createEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { saveDraft, unsentDrafts } from '#client/owner/drafts/entry-drafts.ts'
import { editForm } from '#client/owner/editor/form-keys.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

test('what was typed over an entry stays its form’s where another tab has begun to send it', async () => {
  keepingDevice()
  vi.stubGlobal('navigator', { onLine: false })
  setSession({ token: 't', userName: 'ana', account: 'ana', roles: [], isExpired: false })
  const queryClient = new QueryClient()
  const creation = createEntryOperation(project, 'e-1', { name: 'Faro' })
  await submitChange(creation, { queryClient })
  await saveDraft(editForm(project, 'e-1'), { id: 'e-1', version: 0, fields: { name: 'Faro 2' } })
  await openOutboxStore().update((operations) => ({
    operations: operations.map((one) => ({ ...one, tries: 1 })),
    result: undefined,
  }))
  await discardChange(creation, queryClient)
  expect(pageOutbox(queryClient).getState().operations).toMatchObject([{ tries: 1 }])
  expect((await unsentDrafts()).map(({ draft }) => draft.id)).toEqual(['e-1'])
})
