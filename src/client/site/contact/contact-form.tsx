import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
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
import { markUnsaved } from '#client/data/unsaved.ts'
import { connection } from '#client/browser/connection.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button } from '#client/ui/button.tsx'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'
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

const formKey = 'message'
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
      markUnsaved(formKey, true)
    }
    isDraft = false
    recover().catch(logTrouble)
    return () => markUnsaved(formKey, false)
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
      <MessageField name="message" {...shown} />
      <div className="sr-only" aria-hidden="true">
        <label htmlFor={`contact-${honeypotField}`}>{contactTexts.honeypot}</label>
        <input
          id={`contact-${honeypotField}`}
          name={honeypotField}
          tabIndex={-1}
          autoComplete="off"
        />
      </div>
      {isRecovered && (
        <div className="field">
          <p className="hint" role="status">
            {texts.draftBack}
          </p>
        </div>
      )}
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
}

function MessageField({ name, errors, values, isSending }: MessageFieldProps) {
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
    <FieldFrame id={id} label={field.label} error={error}>
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
  markUnsaved(formKey, isTyped(form))
  // Read at that moment, because an older draft may have filled its empty fields.
  const keep = (loaded: Sender) => loaded.keepTyped(typedIn(form), queryClient)
  // Runs at once where the code is loaded: leaving the page would lose whatever waits for another turn.
  const keeping = sender ? keep(sender) : loadSender().then(keep)
  keeping.catch(logTrouble)
}

function isTyped(form: HTMLFormElement | null): boolean {
  return form !== null && Object.values(typedIn(form)).join('') !== ''
}

function typedIn(form: HTMLFormElement): FieldValues {
  return Object.fromEntries(Object.keys(contactFields).map((name) => [name, textOf(form, name)]))
}

function textOf(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name)
  return typeof typed === 'string' ? typed : ''
}

async function send(form: HTMLFormElement, queryClient: QueryClient): Promise<SendState> {
  const honeypot = textOf(form, honeypotField)
  const typed = typedIn(form)
  try {
    const { sendOrKeep } = await loadSender()
    return await sendOrKeep({ typed, honeypot, isDraft }, queryClient)
  } catch (error) {
    logTrouble(error)
    void notify('error-snackbar', contactNotices.failed)
    return { state: 'stays', errors: {} }
  }
}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const name = Object.keys(contactFields).find((field) => errors[field] !== undefined)
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
