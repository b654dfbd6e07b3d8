import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { durationsOf } from '#contract/durations.ts'
import type { Section } from '#contract/sections/section.ts'
import { submitChange } from '#client/data/changes.ts'
import { reopenLater } from '#client/data/drafts.ts'
import { reloadAfterCreate } from '#client/data/reload.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { noteVisit } from '#client/data/visit.ts'
import { notify } from '#client/ui/notices.ts'
import { isKept, pictureTrouble, tellKept } from './outcomes.ts'
import type { Submission } from './use-entry-form.ts'

interface CreateOptions {
  readonly form: string
  readonly onCreated?: () => void
  /** Where the page goes afterwards; absent: the same page is loaded anew. */
  readonly target?: string
}

/**
 * Sends a new entry, tells the outcome and loads the page anew; after a refusal with the draft kept and the form open
 * again. When the form was left meanwhile it only tells.
 */
export function useCreate(section: Section, { form, onCreated, target }: CreateOptions) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const afterMs = () => durationsOf(queryClient.getQueryData(settingsQuery.queryKey)).reload
  return async ({ values, picture, id, onProgress, refusePicture, forget }: Submission) => {
    const isHere = noteVisit()
    const outcome = await submitChange(
      { kind: 'create', section, id, draft: values, ...(picture ? { image: picture } : {}) },
      { queryClient, onProgress },
    )
    if (outcome.state === 'done') {
      forget()
      void notify('success-snackbar', section.notices.created)
      onCreated?.()
      if (isHere()) void reloadAfterCreate('', { afterMs: afterMs(), target })
      return
    }
    // The form and its draft are all that there is of it.
    if (outcome.state === 'unkept') return void tellKept(outcome, '')
    if (isKept(outcome)) {
      forget()
      void tellKept(outcome, section.notices.createFailed)
      onCreated?.()
      if (target !== undefined && isHere()) void navigate({ to: target })
      return
    }
    void notify('error-snackbar', section.notices.createFailed)
    const trouble = pictureTrouble(outcome)
    if (trouble !== undefined) return refusePicture(trouble)
    reopenLater(form)
    if (isHere()) void reloadAfterCreate(form, { afterMs: afterMs() })
  }
}
