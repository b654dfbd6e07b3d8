import { useActionState, useEffect, useRef, useState } from 'react'
import { loginFields, loginTexts } from '#contract/login.ts'
import { fieldErrors } from '#contract/texts.ts'
import { signIn } from '#client/data/credentials.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { CredentialField } from './credential-field.tsx'

interface LoginFormProps {
  readonly userName?: string
  readonly onSignedIn: () => void
  /** Told of wrong credentials, beside what the form itself says. */
  readonly onWrong?: () => void
}

interface Attempt {
  /** What is said above the button. */
  readonly alert: string | undefined
  readonly missing: Readonly<Record<string, string>>
}

/** User and password. Any text is accepted as a user: the server alone knows who there is. */
export function LoginForm({ userName: known = '', onSignedIn, onWrong }: LoginFormProps) {
  const [userName, setUserName] = useState(known)
  const [password, setPassword] = useState('')
  const box = useRef<HTMLFormElement>(null)
  const [attempt, submit, isSending] = useActionState<Attempt>(
    async () => {
      const missing = missingOf({ userName, password })
      if (Object.keys(missing).length > 0) return { missing, alert: undefined }
      const result = await signIn(userName, password)
      if (result.state === 'in') onSignedIn()
      if (result.state === 'wrong') onWrong?.()
      return { missing, alert: result.state === 'in' ? undefined : result.why }
    },
    { missing: {}, alert: undefined },
  )
  const { alert, missing } = attempt
  useFocusOnTrouble(box, attempt)
  return (
    <form ref={box} className="form" action={submit} noValidate>
      <CredentialField
        id="login-user"
        field={loginFields.userName}
        value={userName}
        error={missing['userName']}
        onChange={setUserName}
      />
      <CredentialField
        id="login-password"
        field={loginFields.password}
        value={password}
        error={missing['password']}
        isWrong={alert !== undefined}
        onChange={setPassword}
      />
      <div role="alert">
        {alert === undefined || isSending ? null : (
          <div className="alert bad-tone">
            <Icon name="warn" />
            <p>{alert}</p>
          </div>
        )}
      </div>
      <Button type="submit" busy={isSending}>
        {loginTexts.submit}
      </Button>
    </form>
  )
}

/** After a refused attempt: to what is missing, else to the password, selected so that typing replaces it. */
function useFocusOnTrouble(box: { readonly current: HTMLFormElement | null }, attempt: Attempt) {
  useEffect(() => {
    const { alert, missing } = attempt
    if (alert === undefined && Object.keys(missing).length === 0) return
    const input = box.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')
    input?.focus()
    input?.select()
  }, [box, attempt])
}

function missingOf(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const empty = Object.keys(values).filter((name) => values[name] === '')
  return Object.fromEntries(empty.map((name) => [name, fieldErrors.required]))
}
