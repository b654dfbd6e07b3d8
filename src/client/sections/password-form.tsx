import { useActionState, useEffect, useRef, useState } from 'react'
import { password } from '#contract/fields.ts'
import { newPasswordFault, setupFields } from '#contract/login.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { fieldErrors } from '#contract/texts.ts'
import type { FieldErrors } from '#contract/validate.ts'
import { ApiError } from '#client/data/api.ts'
import { changePassword, fieldErrorsOf } from '#client/data/credentials.ts'
import { logProblem } from '#client/platform/log.ts'
import { Button } from '#client/ui/button.tsx'
import { CredentialField } from './credential-field.tsx'

interface PasswordFormProps {
  /** For the browser's password manager, which stores the pair. */
  readonly userName: string
  readonly onChanged: () => void
}

const currentField = password(ownerTexts.currentPassword, { autocomplete: 'current-password' })
const newField = { ...setupFields.password, label: ownerTexts.newPassword }

/** The current password and the new one. */
export function PasswordForm({ userName, onChanged }: PasswordFormProps) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const box = useRef<HTMLFormElement>(null)
  const [errors, submit, isSending] = useActionState<FieldErrors>(async () => {
    const faults = faultsOf(current, next)
    if (Object.keys(faults).length > 0) return faults
    try {
      await changePassword(current, next)
      onChanged()
      return {}
    } catch (error) {
      logProblem('The password was not changed', error)
      const known = error instanceof ApiError ? fieldErrorsOf(error) : {}
      if (Object.keys(known).length > 0) return known
      const why = error instanceof ApiError ? error.mensaje : undefined
      return { newPassword: why ?? ownerTexts.notSaved }
    }
  }, {})
  useEffect(() => {
    if (Object.keys(errors).length === 0) return
    box.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return (
    <form ref={box} className="form" action={submit} noValidate>
      <input type="hidden" name="userName" autoComplete="username" value={userName} readOnly />
      <CredentialField
        id="current-password"
        field={currentField}
        value={current}
        error={errors['currentPassword']}
        onChange={setCurrent}
      />
      <CredentialField
        id="new-password"
        field={newField}
        value={next}
        error={errors['newPassword']}
        onChange={setNext}
      />
      <Button type="submit" busy={isSending}>
        {ownerTexts.changePassword}
      </Button>
    </form>
  )
}

function faultsOf(current: string, next: string): FieldErrors {
  const fault = newPasswordFault(next)
  return {
    ...(current === '' ? { currentPassword: fieldErrors.required } : {}),
    ...(fault === undefined ? {} : { newPassword: fault }),
  }
}
