import { Link } from '@tanstack/react-router'
import { texts } from '#contract/texts.ts'
import { logOut } from '#client/data/log-out.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { LogOutQuestion } from '#client/sections/log-out-question.tsx'
import { SessionDialog } from '#client/sections/session-dialog.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'
import '#client/styles/owner.css'

/** What a signed-in header adds: the way to the settings and out, with the questions and symbols that owner's pages need. */
export function OwnerTools() {
  const session = useSession()
  return (
    <>
      {isAdmin(session) && (
        <Link
          className="icon-btn wide"
          to="/settings"
          aria-label={texts.settings}
          title={texts.settings}
        >
          <Icon name="gear" />
        </Link>
      )}
      <button
        type="button"
        className="btn quiet small wide"
        title={texts.logoutHint}
        onClick={() => void logOut()}
      >
        <Icon name="out" />
        <span>{texts.logout}</span>
      </button>
      <SessionDialog />
      <LogOutQuestion />
      <Sprite symbols={ownerSymbols} />
    </>
  )
}

/** The same tools as lines of the menu that phones have. */
export function OwnerLines() {
  const session = useSession()
  return (
    <>
      <hr />
      {isAdmin(session) && (
        <Link to="/settings">
          <Icon name="gear" />
          {texts.settings}
        </Link>
      )}
      <button type="button" onClick={() => void logOut()}>
        <Icon name="out" />
        {texts.logout}
      </button>
    </>
  )
}
