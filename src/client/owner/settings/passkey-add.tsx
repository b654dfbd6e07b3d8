import { useQueryClient } from '@tanstack/react-query'
import { useActionState, useEffect, useRef, useState } from 'react'
import type { Passkey } from '#contract/access/access.ts'
import { password } from '#contract/fields.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { ApiError } from '#client/data/api.ts'
import { fieldErrorsOf } from '#client/login/credentials.ts'
import { addPasskey } from './passkeys.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Button } from '#client/ui/button.tsx'
import { CredentialField } from '#client/login/credential-field.tsx'

interface PasskeyAddProps {
  readonly onAdded: (made: Passkey | undefined) => void
}

const field = password(ownerTexts.currentPassword, {
  autocomplete: 'current-password',
  hint: accessTexts.addKeyHint,
})

/** Asks for the password first. */
export function PasskeyAdd({ onAdded }: PasskeyAddProps) {
  const queryClient = useQueryClient()
  const [current, setCurrent] = useState('')
  const box = useRef<HTMLFormElement>(null)
  const [error, submit, isSending] = useActionState<string | undefined>(async () => {
    if (current === '') return fieldErrors.required
    try {
      const made = await addPasskey(queryClient, current)
      if (made === undefined) return accessTexts.keyNotMade
      if (made === 'known') return accessTexts.keyHere
      onAdded(made)
      return undefined
    } catch (cause) {
      logProblem('A passkey was not added', cause)
      if (!(cause instanceof ApiError)) return accessTexts.notTold
      return fieldErrorsOf(cause)['currentPassword'] ?? cause.mensaje ?? accessTexts.keyNotMade
    }
  }, undefined)
  useEffect(() => box.current?.querySelector('input')?.focus(), [error])
  return (
    <form ref={box} className="form" action={submit} noValidate>
      <CredentialField
        id="passkey-password"
        field={field}
        value={current}
        error={error}
        onChange={setCurrent}
      />
      <Button type="submit" small busy={isSending}>
        {accessTexts.addKey}
      </Button>
    </form>
  )
}
