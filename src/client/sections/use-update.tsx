import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Draft, Fields } from '#contract/fields.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import type { Change, Outcome } from '#client/data/change.ts'
import { changedFields } from '#client/data/changed-fields.ts'
import { submitChange } from '#client/data/changes.ts'
import { dropDraft } from '#client/data/drafts.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { noteVisit } from '#client/data/visit.ts'
import { notify } from '#client/ui/notices.ts'
import { ConflictDialog, type Choice } from './conflict-dialog.tsx'
import { isKept, pictureTrouble, tellKept } from './outcomes.ts'
import type { Submission } from './use-entry-form.ts'

/** A stored row, of a section or the profile. */
export interface Row {
  readonly version: number
  readonly fields: Draft
}

interface UpdateOptions {
  /** Names the form on this device. */
  readonly form: string
  readonly fields: Fields
  readonly stored: Draft
  readonly notices: { readonly updated: string; readonly updateFailed: string }
  readonly changeOf: (version: number, patch: Draft) => Change
  /** Shows the server's row in place of what was being edited. */
  readonly onTakeTheirs: (row: Row) => void
  readonly leave: () => void
  /** Opens this form again from wherever it was left to. */
  readonly reopen: () => void
}

interface Question {
  readonly mine: Draft
  readonly theirs: Draft
  readonly answer: (choice: Choice) => void
}

/**
 * Sends what an edit form changed, tells the outcome and goes back; asks when another device changed the same row. When
 * the form was left meanwhile it only tells.
 */
export function useUpdate(options: UpdateOptions) {
  const queryClient = useQueryClient()
  const [question, setQuestion] = useState<Question>()

  const ask = async (mine: Draft, theirs: Draft): Promise<Choice> => {
    const choice = await new Promise<Choice>((answer) => setQuestion({ mine, theirs, answer }))
    setQuestion(undefined)
    return choice
  }

  const send = async (submission: Submission, version: number): Promise<void> => {
    const { values, picture, onProgress, refusePicture, forget } = submission
    const patch = changedFields(options.stored, values)
    const change = options.changeOf(version, patch)
    const isHere = noteVisit()
    const leave = () => {
      if (!isHere()) return
      // Nothing is lost by leaving now, so nobody is asked.
      markUnsaved(options.form, false)
      options.leave()
    }
    // A form nobody changed has nothing to send: the server has it already.
    const isChanged = picture !== undefined || Object.keys(patch).length > 0
    const outcome: Outcome = isChanged
      ? await submitChange(
          { ...change, ...(picture ? { image: picture } : {}) },
          { queryClient, onProgress },
        )
      : { state: 'done' }
    // The form and its draft are all that there is of it.
    if (outcome.state === 'unkept') return void tellKept(outcome, '')
    if (outcome.state !== 'refused') {
      // The form itself keeps its texts: while the page changes nobody is to see the old ones in it.
      dropDraft(options.form)
      if (isKept(outcome)) void tellKept(outcome, options.notices.updateFailed)
      else void notify('success-snackbar', options.notices.updated)
      return leave()
    }
    const { current: row } = outcome.refusal
    if (row && isHere()) {
      const choice = await ask(patch, row.fields)
      if (choice === 'mine') return send(submission, row.version)
      if (choice === 'theirs') forget()
      return choice === 'theirs' ? options.onTakeTheirs(row) : undefined
    }
    void notify('error-snackbar', options.notices.updateFailed)
    const trouble = pictureTrouble(outcome)
    if (trouble !== undefined && isHere()) return refusePicture(trouble)
    leave()
    return offerDraft(options.reopen)
  }

  return {
    submit: (submission: Submission) => send(submission, submission.version),
    conflict: question ? <ConflictDialog fields={options.fields} {...question} /> : null,
  }
}

/** After a failed save the form is left, as after any; what was typed is one press away. */
async function offerDraft(reopen: () => void): Promise<void> {
  const action = ownerTexts.recoverDraft
  if (await notify('info-snackbar', ownerTexts.draftStays, { action, stays: 10_000 })) reopen()
}
