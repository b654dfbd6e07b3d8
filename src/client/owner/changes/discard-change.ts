import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { inTime } from '#client/browser/delay.ts'
import { isSameThing, mayBeDone, pictureId, type Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { markDraftQueued } from '#client/outbox/queued-drafts.ts'
import { isCarried } from '#client/outbox/saved-draft.ts'
import { sectionOf } from '#client/outbox/section-of.ts'
import { formOf, freePlace } from '#client/owner/drafts/draft-places.ts'
import {
  dropDraft,
  openPlaces,
  replaceDraft,
  unsentDrafts,
  type WholeDraft,
} from '#client/owner/drafts/entry-drafts.ts'
import { editForm, newForm } from '#client/owner/editor/form-keys.ts'
import { showNotice } from '#client/ui/notices.ts'

/**
 * Forgets a change that waits, by her word; what was typed of an entry that stays goes on being its form's. One that another
 * tab began to send since she was asked waits on, which she is told: the list asks anew about it, or has no more to choose.
 */
export async function discardChange(change: Operation, queryClient: QueryClient): Promise<void> {
  const { id, verb } = change
  const isUndone = !mayBeDone(change)
  // What was typed over it stays with it.
  const isTaken = isUndone && (await isHandedOver(id, queryClient))
  if (!isTaken && (verb === 'remove' || verb === 'erase')) await giveDraftBack(change, queryClient)
  if (!isTaken && verb === 'create' && !(await leaveTyped(change, queryClient))) {
    void showNotice('error-snackbar', ownerTexts.notDiscarded)
    return
  }
  const { discard, getState } = pageOutbox(queryClient)
  const isGone = await discard(id, isUndone)
  const isSent = isUndone && getState().operations.some((one) => one.id === id && mayBeDone(one))
  if (isGone && isSent) void showNotice('error-snackbar', queueTexts.sentMeanwhile)
  else tellDiscard(isGone)
}

/** Whether the device knows that the change was handed over, which another tab may have done unheard. */
async function isHandedOver(id: string, queryClient: QueryClient): Promise<boolean> {
  const kept = await inTime(pageOutbox(queryClient).device.read()).catch(() => [])
  return kept.some((one) => one.id === id && mayBeDone(one))
}

/** Forgets what another account left on this device, by her word. */
export async function discardChangesOf(account: string, queryClient: QueryClient): Promise<void> {
  tellDiscard(await pageOutbox(queryClient).discardOf(account))
}

/** What is gone, the list of changes shows by itself. */
function tellDiscard(isGone: boolean): void {
  if (!isGone) void showNotice('error-snackbar', queueTexts.notDiscarded)
}

/** The draft of the changed entry belongs to its form again, if it still exists and no edit that waits has it. */
export async function giveDraftBack(change: Operation, queryClient: QueryClient): Promise<void> {
  const { subject } = change
  if (subject.on !== 'entry') return
  const { operations } = pageOutbox(queryClient).getState()
  const edits = operations.filter((one) => one.verb === 'update' && isSameThing(one, change))
  await markDraftQueued(subject.id, false, (draft) => !edits.some((one) => isCarried(draft, one)))
}

/**
 * What was typed over an entry that is not to be made lies where no page leads any more: with what it was typed over it becomes
 * the draft of a new one. Resolves to false for what the device did not keep there.
 */
async function leaveTyped(creation: Operation, queryClient: QueryClient): Promise<boolean> {
  const { subject } = creation
  if (subject.on !== 'entry') return true
  const section = sectionOf(subject)
  const form = editForm(section, subject.id)
  const typed = (await unsentDrafts()).filter(({ place }) => formOf(place) === form)
  for (const { place, ...draft } of typed) {
    const free = await freePlace(newForm(section), new Set(openPlaces()))
    const next = await wholeDraft(creation, draft, queryClient)
    const isLeft = free !== undefined && (await replaceDraft(free.place, next))
    if (isLeft) await dropDraft(place)
    free?.unlock()
    if (!isLeft) return false
  }
  // The form itself says so where it is open.
  const isOpen = openPlaces().some((place) => formOf(place) === form)
  if (typed.length > 0 && !isOpen) void showNotice('info-snackbar', ownerTexts.typedStays)
  return true
}

/** The entry as its form showed it: the queued changes, with what was typed over them. */
async function wholeDraft(
  creation: Operation,
  { draft, picture }: WholeDraft,
  queryClient: QueryClient,
): Promise<WholeDraft> {
  const outbox = pageOutbox(queryClient)
  const changes = outbox.getState().operations.filter((one) => isSameThing(one, creation))
  const values = changes.map((one) => one.values)
  const { base: _, framing, ...rest } = draft
  const fields = Object.assign({}, ...values, draft.fields) as FieldValues
  const next = { ...rest, id: newId(), version: 0, fields }
  if (picture) return { draft: { ...next, ...(framing && { framing }) }, picture }
  const carrier = changes.findLast(({ image }) => image && !(image.field in draft.fields))
  const queued = carrier && (await outbox.picture(pictureId(carrier)))
  return { draft: next, picture: queued instanceof File ? queued : undefined }
}
