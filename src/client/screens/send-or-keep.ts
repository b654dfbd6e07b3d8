import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { contactFields, contactNotices } from '#contract/contact.ts'
import type { Draft } from '#contract/fields.ts'
import { messageTexts } from '#contract/texts-message.ts'
import { checkDraft } from '#contract/validate.ts'
import { fetchFormMark } from '#client/data/contact.ts'
import { dropMessageDraft, keepMessageDraft, readMessageDraft } from '#client/data/message-draft.ts'
import type { Operation, Refusal } from '#client/data/outbox/operation.ts'
import { pageOutbox } from '#client/data/outbox/page-outbox.ts'
import { pageAgeMs } from '#client/platform/arrival.ts'
import { notify } from '#client/ui/notices.ts'
import type { Sending } from './contact-form.tsx'
import { reasonOf } from './message-reason.ts'

/** Asked for with the first letter; a message does not wait for it. */
let mark: string | undefined
fetchFormMark().then(
  (given) => (mark = given),
  // Without a connection there is none, and the message goes without.
  () => (mark = undefined),
)

interface Typed {
  readonly typed: Draft
  /** What stands in the field that people do not see. */
  readonly honeypot: string
  /** The text, or some of it, was written on an earlier page. */
  readonly isDraft?: boolean
}

/** Sends a message, or keeps it on the device until it can be sent; every outcome is said in a notice or in the form. */
export async function sendOrKeep(
  { typed, honeypot, isDraft = false }: Typed,
  queryClient: QueryClient,
): Promise<Sending> {
  const checked = checkDraft(contactFields, 'create', typed)
  if (!checked.ok) return { state: 'stays', errors: checked.errors }
  const earlier = readMessageDraft()?.id
  if (earlier !== undefined) {
    await takeBack(earlier, queryClient)
    // It arrived, as it stands, while it was being taken back; that has been said.
    if (!readMessageDraft()) return { state: 'sent', errors: {} }
  }
  const id = readMessageDraft()?.id ?? newId()
  const fields = checked.value
  // A page that goes now leaves a text in the form and a message in the queue that know to be one.
  keepMessageDraft({ id, fields })
  // This page's age says nothing of a text that was there with it.
  const ages = { ...(!isDraft && { ageMs: Math.round(pageAgeMs()) }), ...(mark && { mark }) }
  const form = { honeypot, ...ages }
  return hand({ ...messageOf(id, fields), form }, queryClient)
}

async function hand(message: Operation, queryClient: QueryClient): Promise<Sending> {
  const settled = await pageOutbox(queryClient).add(message)
  if (settled.is === 'refused') return takeRefusal(settled.refusal, message.values)
  if (settled.is === 'failed' || settled.is === 'unkept') {
    void notify('error-snackbar', contactNotices.failed)
    return { state: 'stays', errors: {} }
  }
  dropMessageDraft()
  if (settled.is === 'done') {
    void notify('success-snackbar', contactNotices.sent)
    return { state: 'sent', errors: {} }
  }
  void notify('info-snackbar', messageTexts.kept)
  return { state: 'kept', errors: {} }
}

/** Makes a queued message the form's again: resolves once it is out of the queue and not on its way. */
export async function takeBack(id: string, queryClient: QueryClient): Promise<void> {
  const outbox = pageOutbox(queryClient)
  await outbox.opened
  await new Promise<void>((resolve) => {
    const look = () => {
      if (outbox.getState().sending?.id === id) return
      stop()
      resolve()
    }
    const stop = outbox.subscribe(look)
    look()
  })
  await outbox.discard(id)
}

/** The text goes on as another message: under its old name the server would take it for the one it refused. */
function takeRefusal(refusal: Refusal, fields: Draft): Sending {
  keepMessageDraft({ fields })
  void notify('error-snackbar', contactNotices.failed)
  return { state: 'stays', errors: refusal.errors ?? {}, problem: reasonOf(refusal) }
}

function messageOf(id: string, values: Draft): Operation {
  return {
    id,
    subject: { on: 'message', id },
    verb: 'create',
    values,
    label: values['name'] ?? '',
    madeAt: new Date().toISOString(),
    tries: 0,
  }
}
