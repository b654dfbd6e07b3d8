import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { durationsOf } from '#contract/durations.ts'
import type { Section } from '#contract/sections/section.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { submitChange } from '#client/owner/changes/submit-change.ts'
import { leaveDraft, reopenLater } from '#client/owner/drafts/entry-drafts.ts'
import { ownedBy } from '#client/outbox/owned-drafts.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { getSession } from '#client/data/session.ts'
import { isSessionKept } from '#client/session/session-change.ts'
import { trackPage } from '#client/data/page-visit.ts'
import { showNotice } from '#client/ui/notices.ts'
import { pictureTrouble, tellKept } from '#client/owner/changes/change-notices.ts'
import { editForm } from './form-keys.ts'
import { isElsewhere, nextTry, type EntryTry } from './entry-try.ts'
import type { Submission, TypedSince } from './use-entry-form.ts'
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
 * meanwhile it only shows a notice. A form that stays open because the device keeps nothing makes one entry, however
 * often it is confirmed.
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
  const unsettled = useRef<EntryTry>(undefined)

  const send = async (
    submission: Submission,
    before: EntryTry | undefined,
  ): Promise<{ readonly id: string; readonly result: ChangeResult }> => {
    const { picture, onProgress } = submission
    const outbox = pageOutbox(queryClient)
    const { change, ...made } = await nextTry(section, submission, { before, outbox })
    // Before its end is known: what is confirmed until then is the same entry.
    unsettled.current = made
    const result = await submitChange(change, { queryClient, picture, onProgress })
    const isFirst = change.verb === 'create'
    if (result.state === 'refused' && !isFirst && isElsewhere(result.refusal)) {
      return send(submission, { ...made, changes: [] })
    }
    const isUnkept = result.state === 'queued' && result.because === 'not-kept'
    if (result.state === 'refused') {
      // What the form began with may be the name of an entry that was deleted.
      if (isFirst) unsettled.current = before && { ...made, changes: [] }
    } else if (!isUnkept) unsettled.current = undefined
    return { id: made.id, result }
  }

  return async (submission: Submission) => {
    const { refusePicture, forget } = submission
    const isHere = trackPage()
    const { account } = getSession()
    const { id, result } = await send(submission, unsettled.current)
    if (result.state === 'queued') {
      void tellKept(result, noticesOf(section).createFailed)
      // The form and its draft are the only copies of the change.
      if (result.because === 'not-kept') return
    }
    if (result.state !== 'refused') {
      const since = submission.typedSince()
      const leaving = since && leaveToEntry(section, { ...submission, id }, { ...since, account })
      forget()
      if (result.state === 'saved') void showNotice('success-snackbar', noticesOf(section).created)
      onCreated?.()
      const isKept = await leaving
      const goToEntry = () => void navigate({ to: section.editPath, params: { id } })
      if (!isHere()) return isKept === false ? offerUnkept(goToEntry) : undefined
      if (since) goToEntry()
      else if (result.state === 'saved') afterCreate()
      else if (target !== undefined) void navigate({ to: target })
      return
    }
    void showNotice('error-snackbar', noticesOf(section).createFailed)
    const trouble = pictureTrouble(result.refusal)
    if (trouble !== undefined) return refusePicture(trouble)
    reopenLater(form)
    if (isHere() && isSessionKept()) void reloadAfterCreate(form, { afterMs: afterMs() })
  }
}

/**
 * What was typed while the entry was being made is a change of it: its own form has that from now on. Resolves to whether the
 * device keeps it.
 */
async function leaveToEntry(
  section: Section,
  { id, values }: Submission,
  { fields, picture, account }: TypedSince & { readonly account: string },
): Promise<boolean> {
  const names = Object.keys(fields)
  const base = Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
  const framing = picture?.framing && { framing: picture.framing }
  const draft = { ...ownedBy(account), id, version: 1, fields, base, ...framing }
  return leaveDraft(editForm(section, id), { draft, picture: picture?.whole })
}

/** Nothing on another page shows what this page alone has; a button brings it back. */
async function offerUnkept(goToEntry: () => void): Promise<void> {
  const action = ownerTexts.recoverDraft
  if (await showNotice('error-snackbar', queueTexts.unkept, { action, stays: 10_000 })) goToEntry()
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
