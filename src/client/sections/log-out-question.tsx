import { ownerTexts } from '#contract/texts-owner.ts'
import { texts } from '#contract/texts.ts'
import { logOutAnyway, stayLoggedIn, useIsAskingToLogOut } from '#client/data/log-out.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'

/** Asks before the session's end takes the drafts on this device with it. */
export function LogOutQuestion() {
  const isAsking = useIsAskingToLogOut()
  if (!isAsking) return null
  return (
    <Dialog title={texts.logoutHint} onCancel={stayLoggedIn}>
      <p>{ownerTexts.draftsOnLogout}</p>
      <div className="actions">
        <Button tone="ghost" onClick={() => void logOutAnyway()}>
          {ownerTexts.logoutAnyway}
        </Button>
        <Button onClick={stayLoggedIn}>{ownerTexts.cancel}</Button>
      </div>
    </Dialog>
  )
}
