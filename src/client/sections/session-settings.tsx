import { useState } from 'react'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { texts } from '#contract/texts.ts'
import { logProblem } from '#client/platform/log.ts'
import { logOutOthers } from '#client/data/credentials.ts'
import { logOut } from '#client/data/log-out.ts'
import { useSession } from '#client/data/session.ts'
import { Button } from '#client/ui/button.tsx'
import { PasswordForm } from './password-form.tsx'

/** Who is signed in, the way out, and the password. */
export function SessionSettings() {
  const { userName } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [notice, setNotice] = useState('')
  const endOthers = async () => {
    try {
      await logOutOthers()
      setNotice(ownerTexts.othersEnded)
    } catch (error) {
      logProblem('The other sessions could not be ended', error)
      setNotice(ownerTexts.notSaved)
    }
  }
  return (
    <div className="card">
      <div className="setting">
        <p>{fill(ownerTexts.signedInAs, { name: userName })}</p>
        <Button
          tone="ghost"
          small
          icon="out"
          title={texts.logoutHint}
          onClick={() => void logOut()}
        >
          {texts.logout}
        </Button>
      </div>
      <div className="setting">
        <b>{ownerTexts.changePassword}</b>
        <Button tone="ghost" small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? ownerTexts.cancel : ownerTexts.changePassword}
        </Button>
        {isOpen ? (
          <PasswordForm
            userName={userName}
            onChanged={() => {
              setOpen(false)
              setNotice(ownerTexts.passwordChanged)
            }}
          />
        ) : null}
      </div>
      <div className="setting">
        <b>{ownerTexts.signOutAll}</b>
        <Button tone="ghost" small onClick={() => void endOthers()}>
          {ownerTexts.signOutAll}
        </Button>
        <p className="saved" role="status">
          {notice}
        </p>
      </div>
    </div>
  )
}
