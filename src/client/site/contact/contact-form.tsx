import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import {
  contactFields,
  contactNotices,
  contactTexts,
  honeypotField,
} from '#contract/messages/contact.ts'
import type { FieldValues, Field } from '#contract/fields.ts'
import type { PostedForm } from '#contract/pages.ts'
import { texts } from '#contract/texts/site.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { askAgain } from '#client/data/part.ts'
import { markUnsaved, messageForm } from '#client/data/unsaved.ts'
import { connection } from '#client/browser/connection.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button } from '#client/ui/button.tsx'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { useStore } from '#client/ui/store.ts'

interface ContactFormProps {
  /** The form as it came without JavaScript and was not sent. */
  readonly posted: PostedForm | undefined
  /** Absent: the form begins with the draft that an earlier page kept. */
  readonly text: FieldValues | undefined
  /** Called when the text has left the form: the server has it, or the device's queue does. */
  readonly onGone: (how: 'sent' | 'kept') => void
}

/** `stays` means that the text is still in the form. */
export interface SendState {
  readonly state: 'sent' | 'kept' | 'stays'
  readonly errors: FieldErrors
  /** The server's reason, when the fields do not say it. */
  readonly problem?: string
}

const logTrouble = (cause: unknown) => logProblem('The form failed', cause)
/** Whether the form on the page was filled with a draft that an earlier page kept. */
let isDraft = false
// A visitor who only reads needs neither the checks nor the queue.
const importSender = () => import('#client/outbox/messages/send-or-keep.ts')
type Sender = Awaited<ReturnType<typeof importSender>>
let sender: Sender | undefined
let loading: ReturnType<typeof importSender> | undefined
/**
 * All callers share one promise, so that the letters and then the message reach it in the order in which they were
 * typed.
 */
const loadSender = () =>
  (loading ??= importSender()
    .then((loaded) => (sender = loaded))
    .finally(() => (loading = undefined)))
const loadDrafts = () => import('#client/drafts/message-draft.ts')

/**
 * A plain form that posts to the page itself; the queue takes it over once JavaScript runs. Its fields are
 * uncontrolled, so that text typed before then stays; a text is kept on the device until it is sent.
 */
export function ContactForm({ posted, text, onGone }: ContactFormProps) {
  const queryClient = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const isHeard = useRef(false)
  const isOffline = useStore(connection, 'online') === 'offline'
  const [errors, setErrors] = useState(posted?.errors ?? {})
  const [problem, setProblem] = useState(posted?.outcome === 'failed' ? posted.notice : undefined)
  const [isSending, setSending] = useState(false)
  const [isRecovered, setRecovered] = useState(false)

  useEffect(() => {
    const recover = async () => {
      const { recoverInto } = await loadDrafts()
      if (await recoverInto(() => form.current)) standsThere()
      // Text pasted before the page listened has no second event; a text that is sent by now no longer belongs to the
      // form.
      else if (!isHeard.current && isTyped(form.current)) keepTyped(form.current, queryClient)
    }
    const standsThere = () => {
      isDraft = true
      setRecovered(true)
      markUnsaved(messageForm, true)
    }
    isDraft = false
    recover().catch(logTrouble)
    return () => markUnsaved(messageForm, false)
  }, [queryClient])

  const keep = () => {
    isHeard.current = true
    setRecovered(false)
    keepTyped(form.current, queryClient)
  }

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    if (isSending) return
    isHeard.current = true
    setSending(true)
    const answer = await send(currentTarget, queryClient)
    setSending(false)
    setErrors(answer.errors)
    setProblem(answer.problem)
    if (answer.state === 'stays') focusFirst(currentTarget, answer.errors)
    // If its arrival was told before, the next form may be open by now.
    else if (form.current) onGone(answer.state)
  }

  const shown = { errors, values: text ?? posted?.values, isSending }
  return (
    <form
      ref={form}
      className="card form"
      method="post"
      action="/contact"
      // The messages under the fields say more than the browser's own, in the page's language.
      noValidate
      onInput={keep}
      onSubmit={(event) => void submit(event)}
    >
      {isOffline && (
        <div className="alert pencil-tone">
          <Icon name="cloud" />
          <p>{contactTexts.offline}</p>
        </div>
      )}
      {problem && (
        <div className="alert bad-tone" role="alert">
          <Icon name="warn" />
          <p>{problem}</p>
        </div>
      )}
      <div className="row">
        <MessageField name="name" {...shown} />
        <MessageField name="email" {...shown} />
      </div>
      <MessageField
        name="message"
        {...shown}
        // A line of its own would push the button from under a finger that was about to press it.
        aside={
          isRecovered && (
            <span className="hint" role="status">
              {texts.draftBack}
            </span>
          )
        }
      />
      <div className="sr-only" aria-hidden="true">
        <label htmlFor={`contact-${honeypotField}`}>{contactTexts.honeypot}</label>
        <input
          id={`contact-${honeypotField}`}
          name={honeypotField}
          tabIndex={-1}
          autoComplete="off"
        />
      </div>
      <Button type="submit" icon="mail" busy={isSending}>
        {contactTexts.submit}
      </Button>
    </form>
  )
}

interface MessageFieldProps {
  readonly name: keyof typeof contactFields
  readonly errors: FieldErrors
  readonly values: FieldValues | undefined
  readonly isSending: boolean
  readonly aside?: ReactNode
}

function MessageField({ name, errors, values, isSending, aside }: MessageFieldProps) {
  const field: Field = contactFields[name]
  const id = `contact-${name}`
  const error = errors[name]
  const control = {
    id,
    name,
    required: field.required,
    // A message on its way can be edited once its outcome is known.
    readOnly: isSending,
    // A field without a word follows the form: the browser gives a text back, but not where the device does that itself.
    autoComplete: field.autocomplete,
    defaultValue: values?.[name] ?? '',
    ...describedBy(id, { error }),
  }
  return (
    <FieldFrame id={id} label={field.label} aside={aside} error={error}>
      {field.kind === 'paragraph' ? (
        <textarea {...control} rows={3} />
      ) : (
        <input {...control} type={field.kind === 'email' ? 'email' : 'text'} />
      )}
    </FieldFrame>
  )
}

/**
 * Keeps the form's text. The sender is loaded while there is a connection: without one the message can still be queued.
 */
function keepTyped(form: HTMLFormElement | null, queryClient: QueryClient): void {
  if (!form) return
  markUnsaved(messageForm, isTyped(form))
  // Read at that moment, because an older draft may have filled its empty fields.
  const keep = (loaded: Sender) => loaded.keepForm(form, queryClient)
  if (!sender) keepMeanwhile(form)
  // Runs at once where the code is loaded: leaving the page would lose whatever waits for another turn.
  const keeping = sender ? keep(sender) : loadSender().then(keep)
  keeping.catch(logTrouble)
}

/** Keeps the form's text however long the sender takes, or does not come at all. */
function keepMeanwhile(form: HTMLFormElement): void {
  loadDrafts()
    .then(({ keepText }) => keepText(form))
    .catch(logTrouble)
}

function isTyped(form: HTMLFormElement | null): boolean {
  return textIn(form).trim() !== ''
}

/** Without what only robots fill in. */
function textIn(form: HTMLFormElement | null): string {
  return Object.keys(contactFields)
    .map((name) => fieldIn(form, name)?.value)
    .join('\n')
}

const fieldIn = (form: HTMLFormElement | null, name: string | undefined) =>
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`)

async function send(form: HTMLFormElement, queryClient: QueryClient): Promise<SendState> {
  const pressed = textIn(form)
  // At once: whatever else was to be sent with the sender is not, or this would go twice.
  late = undefined
  try {
    const { sendForm } = await loadSender()
    // An older draft may have filled empty fields meanwhile, and nothing is sent unseen.
    if (textIn(form) !== pressed) return { state: 'stays', errors: {} }
    return await sendForm({ form, isDraft }, queryClient)
  } catch (error) {
    logTrouble(error)
    void showNotice('error-snackbar', contactNotices.failed)
    if (!sender) sendLater(form, pressed)
    return { state: 'stays', errors: {} }
  }
}

/** The text that was to be sent while what sends it had not come. */
let late: string | undefined

/** Sends the form, as it says of itself, once what sends it has come, unless its text is another by then. */
function sendLater(form: HTMLFormElement, pressed: string): void {
  // In the one that is there now it may have become another text.
  if (!form.isConnected) return
  late = pressed
  // Nothing else may have heard of a text that was typed before the page listened.
  keepMeanwhile(form)
  askAgain(async () => {
    await loadSender()
    if (textIn(form) === late) form.requestSubmit()
  })
}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const name = Object.keys(contactFields).find((field) => errors[field] !== undefined)
  fieldIn(form, name)?.focus()
}
