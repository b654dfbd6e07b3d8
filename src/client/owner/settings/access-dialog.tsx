import { useActionState, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Fields } from '#contract/fields.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ApiError } from '#client/data/api.ts'
import { CredentialField } from '#client/login/credential-field.tsx'
import { fieldErrorsOf } from '#client/login/credentials.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'

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

interface Outcome {
  readonly errors: FieldErrors
  /** An error that belongs to no field. */
  readonly trouble?: string
}

/** Stays open until the server has made the change. */
export function AccessDialog<const F extends Fields>(props: AccessDialogProps<F>) {
  const { title, hint, action, fields, userName, onCancel } = props
  const [values, setValues] = useState(
    () => Object.fromEntries(Object.keys(fields).map((name) => [name, ''])) as Values<F>,
  )
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [{ errors, trouble }, submit, isSending] = useActionState<Outcome>(
    () => change(props, values),
    { errors: {} },
  )
  useLayoutEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    dialog?.querySelector('input')?.focus()
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    box.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return (
    <dialog
      ref={box}
      className="sheet modal"
      aria-labelledby={`${id}-title`}
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <div className="sheet-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <IconButton icon="x" label={accessTexts.close} onClick={onCancel} />
      </div>
      <div className="body">
        <form id={id} className="form" action={submit} noValidate>
          {userName === undefined ? null : (
            <input type="hidden" name="userName" autoComplete="username" value={userName} />
          )}
          {Object.entries(fields).map(([name, field]) => (
            <CredentialField
              key={name}
              id={`${id}-${name}`}
              field={field}
              value={values[name] ?? ''}
              error={errors[name]}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
          <p className="hint">{hint}</p>
          <p className="field-error" role="alert">
            {trouble === undefined ? null : (
              <>
                <Icon name="warn" />
                <span>{trouble}</span>
              </>
            )}
          </p>
        </form>
      </div>
      <div className="sheet-foot">
        <Button tone="ghost" onClick={onCancel}>
          {ownerTexts.cancel}
        </Button>
        <Button type="submit" form={id} busy={isSending}>
          {action}
        </Button>
      </div>
    </dialog>
  )
}

async function change<F extends Fields>(
  { faultsOf, send, onDone }: AccessDialogProps<F>,
  values: Values<F>,
): Promise<Outcome> {
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
