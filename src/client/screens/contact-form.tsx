import { useState, type SubmitEvent } from 'react'
import { v7 as newId } from 'uuid'
import { contactFields, contactNotices, contactTexts, honeypotField } from '#contract/contact.ts'
import type { Field } from '#contract/fields.ts'
import type { PostedForm } from '#contract/pages.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { ApiError } from '#client/data/api.ts'
import { sendMessage } from '#client/data/contact.ts'
import { pageAgeMs } from '#client/platform/arrival.ts'
import { logProblem } from '#client/platform/log.ts'
import { Button } from '#client/ui/button.tsx'
import { describedBy, FieldFrame } from '#client/ui/field.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'

interface ContactFormProps {
  /** The form as it came without JavaScript and was not sent. */
  readonly posted: PostedForm | undefined
  readonly onSent: () => void
}

/**
 * The message form: a plain form that posts to the page itself, taken over by a call once JavaScript runs.
 * Its fields keep their own text, so that what was typed before then stays.
 */
export function ContactForm({ posted, onSent }: ContactFormProps) {
  const [errors, setErrors] = useState(posted?.errors ?? {})
  const [isSending, setSending] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (isSending) return
    setSending(true)
    const answer = await send(form)
    setSending(false)
    setErrors(answer.errors)
    if (answer.isSent) onSent()
    else focusFirst(form, answer.errors)
  }

  return (
    <form
      className="card form"
      method="post"
      action="/contact"
      // The messages under the fields say more than the browser's own, in the page's language.
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      {posted?.outcome === 'failed' && (
        <div className="alert bad-tone" role="alert">
          <Icon name="warn" />
          <p>{posted.notice}</p>
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

interface Sending {
  readonly isSent: boolean
  readonly errors: FieldErrors
}

async function send(form: HTMLFormElement): Promise<Sending> {
  const typed = Object.fromEntries(new FormData(form))
  const honeypot = typed[honeypotField]
  // Only whoever writes needs the checks.
  const { checkDraft } = await import('#contract/validate.ts')
  const checked = checkDraft(contactFields, 'create', typed)
  if (!checked.ok) return { isSent: false, errors: checked.errors }
  try {
    await sendMessage({
      fields: checked.value,
      honeypot: typeof honeypot === 'string' ? honeypot : '',
      ageMs: pageAgeMs(),
      key: newId(),
    })
  } catch (error) {
    logProblem('The message was not sent', error)
    void notify('error-snackbar', contactNotices.failed)
    return { isSent: false, errors: errorsOf(error) }
  }
  void notify('success-snackbar', contactNotices.sent)
  return { isSent: true, errors: {} }
}

/** What the server found wrong with single fields. */
function errorsOf(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.errors.map(({ pointer, mensaje }) => [pointer.replace(/^\//, ''), mensaje]),
  )
}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const name = Object.keys(contactFields).find((field) => errors[field] !== undefined)
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
