import { loginTexts } from '#contract/access/login.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { useSession } from '#client/data/session.ts'
import { postponeLogin } from '#client/session/session-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import '#client/styles/owner.css'
import { LoginForm } from '#client/login/login-form.tsx'

/** Asks to sign in again over the page when the session has ended, so that what was being written is kept and then sent. */
export function SessionDialog() {
  const { isExpired, userName } = useSession()
  if (!isExpired) return null
  return (
    <Dialog title={loginTexts.expired} onCancel={postponeLogin}>
      <LoginForm userName={userName} onSignedIn={() => undefined} />
      <Button tone="quiet" onClick={postponeLogin}>
        {ownerTexts.cancel}
      </Button>
    </Dialog>
  )
}
