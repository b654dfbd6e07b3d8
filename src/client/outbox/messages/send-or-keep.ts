import type { QueryClient } from '@tanstack/react-query'
import { v7 as newId } from 'uuid'
import { contactFields, contactNotices, honeypotField } from '#contract/messages/contact.ts'
import type { FieldValues } from '#contract/fields.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { checkValues } from '#contract/validate.ts'
import {
  isDone,
  keepMessageDraft,
  messageDraft,
  messageInForm,
  settleMessageDraft,
  textsOf,
} from '#client/drafts/message-draft.ts'
import type { Operation, Refusal } from '#client/outbox/operation.ts'
import type { Outbox } from '#client/outbox/outbox.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { fetchFormMark } from '#client/outbox/send-contact.ts'
import { pageAgeMs } from '#client/browser/focus-after-navigation.ts'
import { askToLast } from '#client/browser/lasting.ts'
import { showNotice } from '#client/ui/notices.ts'
import type { SendState } from '#client/site/contact/contact-form.tsx'
import { reasonOf } from './message-reason.ts'

let mark: string | undefined
let asking: Promise<void> | undefined

/** Asks with the first letter for the form's mark, which no message waits for, and for what shows a message that waits. */
function askAhead(): void {
  asking ??= fetchFormMark().then(
    (given) => void (mark = given),
    // Without a connection there is none, and the message goes without.
    () => undefined,
  )
  // Once the connection has gone it does not come any more.
  import('./pending-messages.tsx').catch(() => undefined)
}

interface Typed {
  readonly typed: FieldValues
  /** What stands in the field that people do not see. */
  readonly honeypot: string
  /** The text, or some of it, was written on an earlier page. */
  readonly isDraft?: boolean
}

interface OpenForm {
  readonly form: HTMLFormElement
  readonly isDraft: boolean
}

/** As `sendOrKeep`, with what stands in the form. */
export function sendForm(
  { form, isDraft }: OpenForm,
  queryClient: QueryClient,
): Promise<SendState> {
  const trap = form.querySelector<HTMLInputElement>(`[name=${honeypotField}]`)
  return sendOrKeep({ typed: textsOf(form), honeypot: trap?.value ?? '', isDraft }, queryClient)
}

/** Sends a message, or keeps it on the device until it can be sent; every outcome is said in a notice or in the form. */
export async function sendOrKeep(
  { typed, honeypot, isDraft = false }: Typed,
  queryClient: QueryClient,
): Promise<SendState> {
  askAhead()
  const checked = checkValues(contactFields, 'create', typed)
  if (!checked.ok) return { state: 'stays', errors: checked.errors }
  // It arrived while it stood in the form; that has been said.
  if (isDone(checked.value)) return { state: 'sent', errors: {} }
  const earlier = messageInForm()
  if (earlier !== undefined) {
    await takeBack(earlier, queryClient)
    // It arrived, as it stands, while it was being taken back; that has been said.
    if (!messageDraft()) return { state: 'sent', errors: {} }
  }
  const id = messageInForm() ?? newId()
  const fields = checked.value
  // A page that goes now leaves a text in the form and a message in the queue that know to be one.
  await keepMessageDraft({ id, isQueued: true, fields })
  // This page's age says nothing of a text that was there with it.
  const ages = { ...(!isDraft && { ageMs: Math.round(pageAgeMs()) }), ...(mark && { mark }) }
  const form = { honeypot, ...ages }
  return hand({ ...messageOf(id, fields), form }, queryClient)
}

async function hand(message: Operation, queryClient: QueryClient): Promise<SendState> {
  const result = await pageOutbox(queryClient).add(message)
  if (result.state === 'refused') return takeRefusal(result.refusal, message.values)
  const because = result.state === 'queued' ? result.because : undefined
  if (because === 'trouble' || because === 'not-kept') {
    void showNotice('error-snackbar', contactNotices.failed)
    const isLost = because === 'not-kept'
    const draft = messageDraft()
    // The next page finds it in no queue.
    if (isLost && draft?.id === message.id) void keepMessageDraft({ ...draft, isQueued: false })
    return { state: 'stays', errors: {}, ...(isLost && { problem: messageTexts.unkept }) }
  }
  // In a form that was opened meanwhile it may have become another text by now.
  await settleMessageDraft(message.id, message.values)
  if (result.state === 'saved') {
    void showNotice('success-snackbar', contactNotices.sent)
    return { state: 'sent', errors: {} }
  }
  void showNotice('info-snackbar', messageTexts.kept)
  await askToLast()
  return { state: 'kept', errors: {} }
}

/** As `keepTyped`, with what stands in the form. */
export function keepForm(form: HTMLFormElement, queryClient: QueryClient): Promise<void> {
  return keepTyped(textsOf(form), queryClient)
}

/** Keeps what is typed. A text that the queue holds too is the form's alone once it is touched. */
export async function keepTyped(fields: FieldValues, queryClient: QueryClient): Promise<void> {
  askAhead()
  const id = messageInForm()
  await keepMessageDraft({ id, fields })
  if (id !== undefined) await takeBack(id, queryClient)
}

/** Makes a queued message the form's again: resolves once it is out of the queue and not on its way. */
async function takeBack(id: string, queryClient: QueryClient): Promise<void> {
  const outbox = pageOutbox(queryClient)
  await outbox.opened
  let isBack = false
  while (!isBack) {
    await notOnItsWay(outbox, id)
    const tries = outbox.getState().operations.find((operation) => operation.id === id)?.tries
    // Between the look and the turn it may have left all the same: then it is waited for.
    isBack = await outbox.takeBack(id, tries)
  }
}

function notOnItsWay(
  { getState, subscribe }: Pick<Outbox, 'getState' | 'subscribe'>,
  id: string,
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (getState().sending?.id === id) return
      stop()
      resolve()
    }
    const stop = subscribe(look)
    look()
  })
}

/** The text goes on as another message: under its old name the server would take it for the one it refused. */
function takeRefusal(refusal: Refusal, fields: FieldValues): SendState {
  void keepMessageDraft({ fields })
  void showNotice('error-snackbar', contactNotices.failed)
  return { state: 'stays', errors: refusal.errors ?? {}, problem: reasonOf(refusal) }
}

function messageOf(id: string, values: FieldValues): Operation {
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
