import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { loginTexts } from '#contract/login.ts'
import { inboxPath } from '#contract/push.ts'
import { useSession } from '#client/data/session.ts'
import { LoginForm } from '#client/sections/login-form.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'
import '#client/styles/owner.css'

interface LoginScreenProps {
  /** Whether a page of the owner's sent here somebody who is not signed in. */
  readonly isAsked?: boolean
  /** The address of that page. */
  readonly from?: string
}

/** The way in; afterwards the home page, or the message that a notification leads to. */
export function LoginScreen({ isAsked = false, from = '' }: LoginScreenProps) {
  const navigate = useNavigate()
  const next = from.startsWith(`${inboxPath}?`) ? from : '/'
  // A signed-in header brings the symbols already.
  const { token } = useSession()
  const [isHelpOpen, setHelpOpen] = useState(false)
  return (
    <section className="login">
      {token === undefined ? <Sprite symbols={ownerSymbols} /> : null}
      <div className="card a-zoom">
        <div className="sheet-head">
          <img src="/icon.svg" alt="" width="56" height="56" />
          <h1>{loginTexts.title}</h1>
          <p>{loginTexts.lead}</p>
        </div>
        {isAsked ? (
          <div className="alert">
            <Icon name="info" />
            <p>{loginTexts.continue}</p>
          </div>
        ) : null}
        <LoginForm
          onSignedIn={() => void navigate({ href: next })}
          // The product has always said this in the style of a success; the form beside it says it as the error it is.
          onWrong={() => void notify('success-snackbar', loginTexts.wrong)}
        />
        <button
          type="button"
          className="recover link"
          aria-expanded={isHelpOpen}
          aria-controls="recover-help"
          onClick={() => setHelpOpen(!isHelpOpen)}
        >
          {loginTexts.recover}
        </button>
        <div id="recover-help" hidden={!isHelpOpen} className="alert">
          <Icon name="info" />
          <p>{loginTexts.recoverHelp}</p>
        </div>
      </div>
    </section>
  )
}
