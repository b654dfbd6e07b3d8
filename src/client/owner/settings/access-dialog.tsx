import { useActionState, useId, useState } from 'react'
import type { Fields } from '#contract/fields.ts'
import { accessTexts } from '#contract/texts/access.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'
import { CredentialField } from '#client/login/credential-field.tsx'
import { fieldErrorsOf } from '#client/login/credentials.ts'
import { FormDialog, type FormOutcome } from './form-dialog.tsx'

type Values<F extends Fields> = { readonly [Name in keyof F]: string }

export interface AccessDialogProps<F extends Fields> {
  readonly title: string
  /** The further effects of the change. */
  readonly hint: string
  readonly action: string
  readonly fields: F
  /** For the browser's password manager, when no field holds it. */
  readonly userName?: string
  readonly faultsOf: (values: Values<F>) => FieldErrors
  /** Rejects like every call. */
  readonly send: (values: Values<F>) => Promise<void>
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Stays open until the server has made the change. */
export function AccessDialog<const F extends Fields>(props: AccessDialogProps<F>) {
  const { title, hint, action, fields, userName, onCancel } = props
  const [values, setValues] = useState(
    () => Object.fromEntries(Object.keys(fields).map((name) => [name, ''])) as Values<F>,
  )
  const id = useId()
  const [outcome, submit, isSending] = useActionState<FormOutcome>(() => change(props, values), {
    errors: {},
  })
  return (
    <FormDialog
      title={title}
      action={action}
      outcome={outcome}
      isSending={isSending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      {userName === undefined ? null : (
        <input type="hidden" name="userName" autoComplete="username" value={userName} />
      )}
      {Object.entries(fields).map(([name, field]) => (
        <CredentialField
          key={name}
          id={`${id}-${name}`}
          field={field}
          value={values[name] ?? ''}
          error={outcome.errors[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <p className="hint">{hint}</p>
    </FormDialog>
  )
}

async function change<F extends Fields>(
  { faultsOf, send, onDone }: AccessDialogProps<F>,
  values: Values<F>,
): Promise<FormOutcome> {
  const faults = faultsOf(values)
  if (Object.keys(faults).length > 0) return { errors: faults }
  try {
    await send(values)
    onDone()
    return { errors: {} }
  } catch (error) {
    logProblem('What the owner signs in with was not changed', error)
    const errors = error instanceof ApiError ? fieldErrorsOf(error) : {}
    if (Object.keys(errors).length > 0) return { errors }
    const why = error instanceof ApiError ? error.mensaje : undefined
    return { errors: {}, trouble: why ?? accessTexts.notTold }
  }
}
