import { startTransition, useActionState, useEffect, useRef, type SubmitEvent } from 'react'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { apiBase } from '#client/data/api.ts'
import { signIn, signInByPasskey, type LoginResult } from './credentials.ts'
import { canKeep } from './kept-session.ts'
import { hasPasskeys } from './passkey.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { useStore } from '#client/ui/store.ts'
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
  /** Whether a passkey was asked for, and none was used. */
  readonly isKeyUnused?: boolean
}

interface Entry {
  readonly way: 'password' | 'passkey'
  /** What stands in the fields, also where a password manager put it. */
  readonly typed: FormData
}

/** What the server draws is for most browsers: where the API is ours, they have both. */
const isLikely = apiBase.startsWith('/')
const never = () => () => undefined
const keeping = { get: canKeep, subscribe: never }
const passkeys = { get: hasPasskeys, subscribe: never }

/**
 * User and password. Any text is accepted as a user: the server alone knows who there is. The fields keep their own text, and
 * until the application runs the form is one that would be posted, never sent in an address.
 */
export function LoginForm({ userName: known = '', onSignedIn, onWrong }: LoginFormProps) {
  const hasKeeping = useStore(keeping, isLikely)
  const hasKeys = useStore(passkeys, isLikely)
  const box = useRef<HTMLFormElement>(null)
  const told = (result: LoginResult): Attempt => {
    if (result.state === 'in') onSignedIn()
    if (result.state === 'in' && result.isUnkept)
      void showNotice('info-snackbar', loginTexts.notKept)
    if (result.state === 'wrong') onWrong?.()
    const alert = 'why' in result ? result.why : undefined
    return { missing: {}, alert, isKeyUnused: result.state === 'unused' }
  }
  const [attempt, enter, isSending] = useActionState<Attempt, Entry>(
    async (_, { way, typed }) => {
      const isKept = typed.has('keep')
      if (way === 'passkey') return told(await signInByPasskey(isKept))
      const userName = textOf(typed, 'userName')
      const password = textOf(typed, 'password')
      const missing = missingOf({ userName, password })
      if (Object.keys(missing).length > 0) return { missing, alert: undefined }
      return told(await signIn({ userName, password, isKept }))
    },
    { missing: {}, alert: undefined },
  )
  const { alert, missing, isKeyUnused } = attempt
  useFocusOnTrouble(box, attempt)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    startTransition(() => enter({ way: 'password', typed }))
  }
  const askForKey = () => {
    const typed = new FormData(box.current ?? undefined)
    startTransition(() => enter({ way: 'passkey', typed }))
  }
  return (
    <form ref={box} className="form" method="post" action="/login" onSubmit={submit} noValidate>
      <CredentialField
        id="login-user"
        field={loginFields.userName}
        value={known}
        error={missing['userName']}
      />
      <CredentialField
        id="login-password"
        field={loginFields.password}
        value=""
        error={missing['password']}
        isWrong={alert !== undefined}
      />
      <div role="alert">
        {alert === undefined || isSending ? null : <Alert tone="bad" words={alert} />}
      </div>
      {hasKeeping ? (
        <label className="check">
          <input type="checkbox" name="keep" />
          <span>{loginTexts.keep}</span>
        </label>
      ) : null}
      <Button type="submit" busy={isSending}>
        {loginTexts.submit}
      </Button>
      {hasKeys ? (
        <>
          <p className="or">
            <span>{loginTexts.or}</span>
          </p>
          <Button tone="ghost" icon="key" busy={isSending} onClick={askForKey}>
            {loginTexts.withKey}
          </Button>
          <div role="alert">
            {isKeyUnused && !isSending ? (
              <p className="field-error center">
                <Icon name="warn" />
                <span>{loginTexts.keyUnused}</span>
              </p>
            ) : null}
          </div>
        </>
      ) : null}
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

function textOf(typed: FormData, name: string): string {
  const value = typed.get(name)
  return typeof value === 'string' ? value : ''
}

function missingOf(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const empty = Object.keys(values).filter((name) => values[name] === '')
  return Object.fromEntries(empty.map((name) => [name, fieldErrors.required]))
}
