import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues, Fields } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import { baseOf, submitChange, type Base } from '#client/owner/changes/submit-change.ts'
import type { Operation, Refusal, Row } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { trackPage } from '#client/data/page-visit.ts'
import { notify } from '#client/ui/notices.ts'
import { ConflictDialog, type ConflictAnswer } from './conflict-dialog.tsx'
import { pictureTrouble, tellKept } from '#client/owner/changes/change-notices.ts'
import type { Submission } from './use-entry-form.ts'

interface UpdateOptions {
  /** Names the form on this device. */
  readonly form: string
  readonly fields: Fields
  readonly stored: FieldValues
  readonly notices: { readonly updated: string; readonly updateFailed: string }
  readonly changeOf: (base: Base, values: FieldValues) => Operation
  /** Shows the server's row in place of what was being edited. */
  readonly onTakeTheirs: (row: Row) => void
  readonly leave: () => void
  /** Opens this form again from wherever it was left to. */
  readonly reopen: () => void
}

interface Question {
  readonly mine: FieldValues
  readonly theirs: FieldValues
  readonly refusal: Refusal
  readonly answer: (choice: ConflictAnswer) => void
}

/**
 * Sends what an edit form changed, says what became of it and goes back; asks when another device changed the same row. When
 * the form was left meanwhile it only tells.
 */
export function useUpdate(options: UpdateOptions) {
  const queryClient = useQueryClient()
  const [question, setQuestion] = useState<Question>()
  // What this form itself put into the queue and still holds, since the device keeps nothing.
  const [own, setOwn] = useState<readonly string[]>([])

  const ask = async (versions: Omit<Question, 'answer'>): Promise<ConflictAnswer> => {
    const choice = await new Promise<ConflictAnswer>((answer) =>
      setQuestion({ ...versions, answer }),
    )
    setQuestion(undefined)
    return choice
  }

  const send = async (submission: Submission, base: Base): Promise<void> => {
    const { values, picture, onProgress, refusePicture, forget } = submission
    const patch = changedFields(options.stored, values)
    const change = options.changeOf({ ...base, seen: [...base.seen, ...own] }, patch)
    const isHere = trackPage()
    const leave = () => {
      if (!isHere()) return
      // Nothing is lost by leaving now, so nobody is asked.
      markUnsaved(options.form, false)
      options.leave()
    }
    // A form nobody changed has nothing to send: the server has it already.
    const isChanged = picture !== undefined || Object.keys(patch).length > 0
    const result: ChangeResult = isChanged
      ? await submitChange(change, { queryClient, picture, onProgress })
      : { state: 'saved' }
    if (result.state !== 'refused') {
      if (result.state === 'queued') void tellKept(result, options.notices.updateFailed)
      // The form and its draft are all that there is of it.
      if (result.state === 'queued' && result.because === 'not-kept') {
        return setOwn([...own, change.id])
      }
      // The form itself keeps its texts: while the page changes nobody is to see the old ones in it.
      submission.dropKept()
      if (result.state === 'saved') void notify('success-snackbar', options.notices.updated)
      return leave()
    }
    const { refusal } = result
    const { current: row } = refusal
    if (row && isHere()) {
      const choice = await ask({ mine: patch, theirs: row.fields, refusal })
      if (choice === 'mine') return send(submission, baseOf(row))
      if (choice === 'theirs') forget()
      return choice === 'theirs' ? options.onTakeTheirs(row) : undefined
    }
    void notify('error-snackbar', options.notices.updateFailed)
    const trouble = pictureTrouble(refusal)
    if (trouble !== undefined && isHere()) return refusePicture(trouble)
    leave()
    return offerDraft(options.reopen)
  }

  return {
    submit: (submission: Submission) => send(submission, submission.base),
    conflict: question ? <ConflictDialog fields={options.fields} {...question} /> : null,
  }
}

/** After a failed save the form is left, as after any; what was typed is one press away. */
async function offerDraft(reopen: () => void): Promise<void> {
  const action = ownerTexts.recoverDraft
  if (await notify('info-snackbar', ownerTexts.draftStays, { action, stays: 10_000 })) reopen()
}
