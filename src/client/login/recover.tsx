import { useActionState, useEffect, useState } from 'react'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { recoverCall, type RecoverOffer } from '#contract/access/recover.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { ApiError, callApi } from '#client/data/api.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button } from '#client/ui/button.tsx'
import { CredentialField } from './credential-field.tsx'

/** What helps whoever forgot the password: a link by mail where the site sends any, else how it is done on the server. */
export function RecoverHelp() {
  const [isByMail, setByMail] = useState(false)
  useEffect(() => {
    let isCurrent = true
    callApi('GET', recoverCall).then(
      ({ json }) => isCurrent && setByMail((json as RecoverOffer).byMail),
      (cause: unknown) => logProblem('It is not known whether the site sends mail', cause),
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return isByMail ? <RecoverForm /> : <Alert icon="info" words={loginTexts.recoverHelp} />
}

interface Asked {
  readonly said?: string
  readonly trouble?: string
  readonly missing?: string
}

function RecoverForm() {
  const [userName, setUserName] = useState('')
  const [{ said, trouble, missing }, ask, isSending] = useActionState<Asked>(async () => {
    if (userName.trim() === '') return { missing: fieldErrors.required }
    try {
      const { json } = await callApi('POST', recoverCall, { body: { userName } })
      return { said: (json as { readonly mensaje: string }).mensaje }
    } catch (error) {
      logProblem('No link was asked for', error)
      const mensaje = error instanceof ApiError ? error.mensaje : undefined
      return { trouble: mensaje ?? (navigator.onLine ? loginTexts.silent : loginTexts.offline) }
    }
  }, {})
  return (
    <form className="form" action={ask} noValidate>
      <p>{loginTexts.recoverByMail}</p>
      <CredentialField
        id="recover-user"
        field={loginFields.userName}
        value={userName}
        error={missing}
        onChange={setUserName}
      />
      <Button type="submit" tone="ghost" icon="mail" busy={isSending}>
        {loginTexts.recoverSend}
      </Button>
      <div role="status">
        {said !== undefined && !isSending && <Alert icon="info" words={said} />}
      </div>
      <div role="alert">
        {trouble !== undefined && !isSending && <Alert tone="bad" words={trouble} />}
      </div>
    </form>
  )
}
