import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { imageFieldOf, type FieldValues, type Fields } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import { baseOf, submitChange, type Base } from '#client/owner/changes/submit-change.ts'
import { changesIn, type Operation, type Refusal, type Row } from '#client/outbox/operation.ts'
import { pageOutbox, useOutbox } from '#client/outbox/page-outbox.ts'
import { pictureAt } from '#client/outbox/picture-addresses.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { trackPage } from '#client/data/page-visit.ts'
import { showNotice } from '#client/ui/notices.ts'
import { ConflictDialog, type ConflictAnswer } from './conflict-dialog.tsx'
import { pictureTrouble, tellKept } from '#client/owner/changes/change-notices.ts'
import type { Submission } from './use-entry-form.ts'

interface UpdateOptions {
  /** Names the form on this device. */
  readonly form: string
  readonly fields: Fields
  /** The row that the form started from. */
  readonly row: Row
  /** What the form shows of it. */
  readonly stored: FieldValues
  readonly notices: { readonly updated: string; readonly updateFailed: string }
  readonly changeOf: (base: Base, values: FieldValues) => Operation
  /** Shows the server's row in place of the edited texts. */
  readonly onTakeTheirs: (row: Row) => void
  readonly leave: () => void
  /** Opens this form again from any page. */
  readonly reopen: () => void
}

interface Question {
  readonly mine: FieldValues
  readonly theirs: FieldValues
  readonly refusal: Refusal
  readonly answer: (choice: ConflictAnswer) => void
}

/** Asks when another device changed the same row. When the form was left meanwhile it only shows a notice. */
export function useUpdate(options: UpdateOptions) {
  const queryClient = useQueryClient()
  const [question, setQuestion] = useState<Question>()
  // The ids of this form's own changes, while it is still open because the device keeps nothing or more was typed.
  const [own, setOwn] = useState<readonly string[]>([])
  // What it has saved while more was typed.
  const [saved, setSaved] = useState<FieldValues>({})
  const isDiscarded = useIsDiscarded([...(options.row.seen ?? []), ...own])
  // The queued picture that the form shows, which leaves the device with its change.
  const [shownPicture] = useState(() =>
    pictureAt(options.stored[imageFieldOf(options.fields) ?? '']),
  )
  const stored = isDiscarded ? withoutQueued(options) : { ...options.stored, ...saved }

  const ask = async (versions: Omit<Question, 'answer'>): Promise<ConflictAnswer> => {
    const choice = await new Promise<ConflictAnswer>((answer) =>
      setQuestion({ ...versions, answer }),
    )
    setQuestion(undefined)
    return choice
  }

  const send = async (submission: Submission, base: Base): Promise<void> => {
    const { values, picture, onProgress, refusePicture, forget } = submission
    const patch = changedFields(stored, values)
    const change = options.changeOf({ ...base, seen: [...base.seen, ...own] }, patch)
    const isHere = trackPage()
    const leave = () => {
      if (!isHere()) return
      // Leaving loses nothing now, so there is no question.
      markUnsaved(options.form, false)
      options.leave()
    }
    // An unchanged form has nothing to send.
    const isChanged = picture !== undefined || Object.keys(patch).length > 0
    const result: ChangeResult = isChanged
      ? await submitChange(change, { queryClient, picture, onProgress })
      : { state: 'saved' }
    if (result.state !== 'refused') {
      if (result.state === 'queued') void tellKept(result, options.notices.updateFailed)
      // The form and its draft are the only copies of the change.
      if (result.state === 'queued' && result.because === 'not-kept') {
        return setOwn([...own, change.id])
      }
      if (result.state === 'saved') void showNotice('success-snackbar', options.notices.updated)
      if (submission.typedSince()) {
        // It is another change, over the one that was sent.
        setOwn([...own, change.id])
        return setSaved({ ...saved, ...patch })
      }
      // The form keeps its texts, so that the old ones do not show while the page changes.
      submission.dropKept()
      return leave()
    }
    const { refusal } = result
    const { current: row } = refusal
    if (row && isHere()) {
      const choice = await ask({ mine: patch, theirs: row.fields, refusal })
      if (choice === 'mine') return send(submission, baseOf(row))
      // What she typed since was in neither version: the form offers it again.
      if (choice === 'theirs' && !submission.typedSince()) forget()
      return choice === 'theirs' ? options.onTakeTheirs(row) : undefined
    }
    void showNotice('error-snackbar', options.notices.updateFailed)
    const trouble = pictureTrouble(refusal)
    if (trouble !== undefined && isHere()) return refusePicture(trouble)
    leave()
    return offerDraft(options.reopen)
  }

  return {
    /** What the form shows without anything typed. */
    stored,
    isDiscarded,
    /** The picture of a discarded change, which the form alone has now. */
    leftPicture: isDiscarded ? shownPicture : undefined,
    submit: (submission: Submission) => send(submission, submission.base),
    conflict: question ? <ConflictDialog fields={options.fields} {...question} /> : null,
  }
}

/** Whether any of these changes is neither queued nor on the server: what it held is in the form alone. */
function useIsDiscarded(changes: readonly string[]): boolean {
  const { isTaken } = pageOutbox(useQueryClient())
  const queued = useOutbox().operations.flatMap(changesIn)
  return changes.some((id) => !queued.includes(id) && !isTaken(id))
}

/** What the form would show had nothing been queued. */
function withoutQueued({ row, stored }: UpdateOptions): FieldValues {
  const { under = row.fields } = row
  return Object.fromEntries(Object.keys(stored).map((name) => [name, under[name] ?? '']))
}

/** A failed save leaves the form like any other; a button brings the typed text back. */
async function offerDraft(reopen: () => void): Promise<void> {
  const action = ownerTexts.recoverDraft
  if (await showNotice('info-snackbar', ownerTexts.draftStays, { action, stays: 10_000 })) reopen()
}
