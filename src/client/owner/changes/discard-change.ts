import type { QueryClient } from '@tanstack/react-query'
import { isSameThing, type Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { markDraftQueued } from '#client/outbox/queued-drafts.ts'
import { isCarried } from '#client/outbox/saved-draft.ts'

/** Forgets a change that waits, by her word. What was typed of an entry that stays goes on being its form's. */
export async function discardChange(change: Operation, queryClient: QueryClient): Promise<void> {
  const { id, verb } = change
  if (verb === 'remove' || verb === 'erase') await giveDraftBack(change, queryClient)
  await pageOutbox(queryClient).discard(id)
}

/** The draft of the changed entry belongs to its form again, if it still exists and no edit that waits has it. */
export async function giveDraftBack(change: Operation, queryClient: QueryClient): Promise<void> {
  const { subject } = change
  if (subject.on !== 'entry') return
  const { operations } = pageOutbox(queryClient).getState()
  const edits = operations.filter((one) => one.verb === 'update' && isSameThing(one, change))
  await markDraftQueued(subject.id, false, (draft) => !edits.some((one) => isCarried(draft, one)))
}
