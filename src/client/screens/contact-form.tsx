import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore, type SubmitEvent } from 'react'
import { contactFields, contactNotices, contactTexts, honeypotField } from '#contract/contact.ts'
import type { Draft, Field } from '#contract/fields.ts'
import type { PostedForm } from '#contract/pages.ts'
import { texts } from '#contract/texts.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { keepMessageDraft, readMessageDraft } from '#client/data/message-draft.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { connection } from '#client/platform/connection.ts'
import { logProblem } from '#client/platform/log.ts'
import { Button } from '#client/ui/button.tsx'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'

interface ContactFormProps {
  /** The form as it came without JavaScript and was not sent. */
  readonly posted: PostedForm | undefined
  /** Told when the text has left the form: the server has it, or the device's queue does. */
  readonly onGone: (how: 'sent' | 'kept') => void
}

/** What became of an attempt to send; `stays`: the text is still the form's. */
export interface Sending {
  readonly state: 'sent' | 'kept' | 'stays'
  readonly errors: FieldErrors
  /** The server's reason, when the fields do not say it. */
  readonly problem?: string
}

const formKey = 'message'
/** Whether the form on the page was filled with what an earlier page kept. */
let isDraft = false
// Whoever only reads needs neither the checks nor the queue.
const loadSender = () => import('./send-or-keep.ts')

/**
 * The message form: a plain form that posts to the page itself, taken over by the queue once JavaScript runs.
 * Its fields keep their own text, so that what was typed before then stays; a text is kept on the device until it is sent.
 */
export function ContactForm({ posted, onGone }: ContactFormProps) {
  const queryClient = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const isOffline = useSyncExternalStore(connection.subscribe, isCut, () => false)
  const [errors, setErrors] = useState(posted?.errors ?? {})
  const [problem, setProblem] = useState(posted?.outcome === 'failed' ? posted.notice : undefined)
  const [isSending, setSending] = useState(false)
  const [isRecovered, setRecovered] = useState(false)

  useEffect(() => {
    setRecovered((isDraft = recover(form.current)))
    return () => markUnsaved(formKey, false)
  }, [])

  const keep = () => {
    setRecovered(false)
    keepTyped(form.current, queryClient)
  }

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    if (isSending) return
    setSending(true)
    const answer = await send(currentTarget, queryClient)
    setSending(false)
    setErrors(answer.errors)
    setProblem(answer.problem)
    if (answer.state === 'stays') focusFirst(currentTarget, answer.errors)
    else onGone(answer.state)
  }

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
        <MessageField name="name" errors={errors} posted={posted} />
        <MessageField name="email" errors={errors} posted={posted} />
      </div>
      <MessageField name="message" errors={errors} posted={posted} />
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
  readonly posted: PostedForm | undefined
}

function MessageField({ name, errors, posted }: MessageFieldProps) {
  const field: Field = contactFields[name]
  const id = `contact-${name}`
  const error = errors[name]
  const control = {
    id,
    name,
    required: field.required,
    autoComplete: field.autocomplete ?? 'off',
    defaultValue: posted?.values[name] ?? '',
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

const isCut = () => connection.get() === 'offline'

/** Puts the text that an earlier page kept into the empty form; whether there was any. */
function recover(form: HTMLFormElement | null): boolean {
  const draft = readMessageDraft()
  if (!form || !draft || Object.values(typedIn(form)).join('')) return false
  for (const [name, text] of Object.entries(draft.fields)) {
    const control = form.elements.namedItem(name)
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.value = text
    }
  }
  markUnsaved(formKey, true)
  return true
}

/** Keeps what stands in the form. A text that the queue holds too is the form's alone once it is touched. */
function keepTyped(form: HTMLFormElement | null, queryClient: QueryClient): void {
  if (!form) return
  const fields = typedIn(form)
  const id = readMessageDraft()?.id
  keepMessageDraft({ id, fields })
  markUnsaved(formKey, readMessageDraft() !== undefined)
  // Loaded while there is a connection: without one the message can still be handed over.
  loadSender()
    .then((sender) => (id === undefined ? undefined : sender.takeBack(id, queryClient)))
    .catch((cause: unknown) => logProblem('The way to send is not there yet', cause))
}

function typedIn(form: HTMLFormElement): Draft {
  return Object.fromEntries(Object.keys(contactFields).map((name) => [name, textOf(form, name)]))
}

function textOf(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name)
  return typeof typed === 'string' ? typed : ''
}

async function send(form: HTMLFormElement, queryClient: QueryClient): Promise<Sending> {
  const honeypot = textOf(form, honeypotField)
  const typed = typedIn(form)
  try {
    const { sendOrKeep } = await loadSender()
    return await sendOrKeep({ typed, honeypot, isDraft }, queryClient)
  } catch (error) {
    logProblem('The message was not sent', error)
    void notify('error-snackbar', contactNotices.failed)
    return { state: 'stays', errors: {} }
  }
}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const name = Object.keys(contactFields).find((field) => errors[field] !== undefined)
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
