import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { durationsOf } from '#contract/durations.ts'
import type { Section } from '#contract/sections/section.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { createEntryOperation, submitChange } from '#client/owner/changes/submit-change.ts'
import { reopenLater } from '#client/outbox/entry-drafts.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { isSessionKept } from '#client/session/session-change.ts'
import { trackPage } from '#client/data/page-visit.ts'
import { notify } from '#client/ui/notices.ts'
import { pictureTrouble, tellKept } from '#client/owner/changes/change-notices.ts'
import type { Submission } from './use-entry-form.ts'
import { delay } from '#client/browser/delay.ts'
import { isQuiet, quiet } from '#client/data/unsaved.ts'

/** What follows a creation. */
export interface AfterCreate {
  readonly onCreated?: () => void
  /** The address to go to afterwards; absent: the same page is reloaded. */
  readonly target?: string
}

interface CreateOptions extends AfterCreate {
  readonly form: string
}

/**
 * Reloads the page after a success; after a refusal the draft is kept and the form open again. When the form was left
 * meanwhile it only shows a notice.
 */
export function useCreate(section: Section, { form, onCreated, target }: CreateOptions) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const afterMs = () => durationsOf(queryClient.getQueryData(settingsQuery.queryKey)).reload
  const afterCreate = () => {
    // Without a kept session a reloaded page would be signed out.
    if (isSessionKept()) void reloadAfterCreate('', { afterMs: afterMs(), target })
    else if (target !== undefined) void navigate({ to: target })
  }
  return async ({ values, picture, id, onProgress, refusePicture, forget }: Submission) => {
    const isHere = trackPage()
    const change = createEntryOperation(section, id, values)
    const result = await submitChange(change, { queryClient, picture, onProgress })
    if (result.state === 'saved') {
      forget()
      void notify('success-snackbar', noticesOf(section).created)
      onCreated?.()
      if (isHere()) afterCreate()
      return
    }
    if (result.state === 'queued') {
      void tellKept(result, noticesOf(section).createFailed)
      // The form and its draft are the only copies of the change.
      if (result.because === 'not-kept') return
      forget()
      onCreated?.()
      if (target !== undefined && isHere()) void navigate({ to: target })
      return
    }
    void notify('error-snackbar', noticesOf(section).createFailed)
    const trouble = pictureTrouble(result.refusal)
    if (trouble !== undefined) return refusePicture(trouble)
    reopenLater(form)
    if (isHere() && isSessionKept()) void reloadAfterCreate(form, { afterMs: afterMs() })
  }
}

interface ReloadOptions {
  /** From the notice to the reload, in milliseconds. */
  readonly afterMs: number
  readonly target?: string | undefined
}

/**
 * Waits while another form or a write would suffer; does nothing without a connection or once the person has gone on to
 * another page.
 */
async function reloadAfterCreate(
  ownForm: string,
  { afterMs, target }: ReloadOptions,
): Promise<void> {
  const isHere = trackPage()
  await delay(afterMs)
  while (!isQuiet(ownForm)) {
    await quiet(ownForm)
    // Whatever ended just now has its notice on screen.
    await delay(afterMs)
  }
  if (!navigator.onLine || !isHere()) return
  if (target === undefined) location.reload()
  else location.assign(target)
}
