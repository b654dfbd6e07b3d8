import { useActionState, useEffect, useRef, useState } from 'react'
import { newPasswordFault, setupFields, setupTexts } from '#contract/access/login.ts'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person/person.ts'
import { checkValues, type FieldErrors } from '#contract/validate.ts'
import { ApiError } from '#client/data/api.ts'
import { fieldErrorsOf, redeemLink } from './credentials.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { commonTexts } from '#contract/texts/forms.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { CredentialField } from './credential-field.tsx'

interface SetupFormProps {
  readonly token: string
  /** Whether it is only a new password; else user, password and what becomes of the sample. */
  readonly isReset: boolean
  /** Told when the link turns out to serve no more. */
  readonly onSpent: () => void
}

interface Attempt {
  readonly errors: FieldErrors
  readonly alert: string | undefined
}

/** The owner's credentials, given once; afterwards she is signed in on the home page. */
export function SetupForm({ token, isReset, onSpent }: SetupFormProps) {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [keepSample, setKeepSample] = useState(true)
  const box = useRef<HTMLFormElement>(null)
  const [{ errors, alert }, submit, isSending] = useActionState<Attempt>(
    async () => {
      const faults = faultsOf({ userName, password, isReset })
      if (Object.keys(faults).length > 0) return { errors: faults, alert: undefined }
      try {
        await redeemLink({ token, userName, password, keepSample })
        // A full load: the sample may be gone from every page, and then the name comes first.
        const isEmpty = !isReset && !keepSample
        location.assign(isEmpty ? personForms.header.path.replace('$id', String(personId)) : '/')
        return { errors: {}, alert: undefined }
      } catch (error) {
        logProblem('The link could not be redeemed', error)
        if (error instanceof ApiError && error.status === 404) onSpent()
        return troubleOf(error)
      }
    },
    { errors: {}, alert: undefined },
  )
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    box.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return (
    <form ref={box} className="form" action={submit} noValidate>
      {isReset ? null : (
        <CredentialField
          id="setup-user"
          field={setupFields.userName}
          value={userName}
          error={errors['userName']}
          onChange={setUserName}
        />
      )}
      <CredentialField
        id="setup-password"
        field={setupFields.password}
        value={password}
        error={errors['password']}
        onChange={setPassword}
      />
      {isReset ? null : <SampleChoice keepSample={keepSample} onChange={setKeepSample} />}
      <div role="alert">{alert === undefined ? null : <Alert tone="bad" words={alert} />}</div>
      <Button type="submit" busy={isSending}>
        {isReset ? setupTexts.resetSubmit : setupTexts.submit}
      </Button>
    </form>
  )
}

interface SampleChoiceProps {
  readonly keepSample: boolean
  readonly onChange: (keepSample: boolean) => void
}

function SampleChoice({ keepSample, onChange }: SampleChoiceProps) {
  const choices = [
    [true, setupTexts.keepSample],
    [false, setupTexts.dropSample],
  ] as const
  return (
    <fieldset className="choice">
      <legend>{setupTexts.sample}</legend>
      {choices.map(([value, label]) => (
        <label key={label}>
          <input
            type="radio"
            name="sample"
            checked={keepSample === value}
            onChange={() => onChange(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function faultsOf(form: { userName: string; password: string; isReset: boolean }): FieldErrors {
  const { userName, password, isReset } = form
  const checked = checkValues(isReset ? {} : { userName: setupFields.userName }, 'create', {
    userName,
  })
  const fault = newPasswordFault(password)
  return {
    ...(checked.ok ? {} : checked.errors),
    ...(fault === undefined ? {} : { password: fault }),
  }
}

function troubleOf(error: unknown): Attempt {
  if (!(error instanceof ApiError)) return { errors: {}, alert: commonTexts.notSaved }
  const errors = fieldErrorsOf(error)
  const isExplained = Object.keys(errors).length > 0
  return { errors, alert: isExplained ? undefined : (error.mensaje ?? commonTexts.notSaved) }
}
