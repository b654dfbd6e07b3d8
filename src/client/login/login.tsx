import { keys } from 'idb-keyval'
import { useHydrated, useLocation, useNavigate, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { loginTexts } from '#contract/access/login.ts'
import { share } from '#contract/offline/offline.ts'
import { inboxPath } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { useQueueNote } from '#client/data/queue-note.ts'
import { RecoverHelp } from './recover.tsx'
import { LoginForm } from './login-form.tsx'
import { NeedsScript } from './needs-script.tsx'
import { DrawnSprite } from './owner-sprite.tsx'
import { Alert } from '#client/ui/alert.tsx'
import { showNotice } from '#client/ui/notices.ts'
import '#client/styles/owner.css'
import { openStore } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'

/**
 * The way in, drawn by the server for everybody alike; afterwards the home page, the message that a notification leads
 * to, or the form for what was shared, be it there or not.
 */
export function LoginScreen() {
  const navigate = useNavigate()
  const { isAsked = false, from = '' } = useLocation({ select: ({ state }) => state })
  const isRefused = from === share.notKept || from === share.full
  const next = from.startsWith(`${inboxPath}?`) || isRefused ? from : '/'
  const { changes } = useQueueNote()
  // The form that says what is not kept takes what is.
  const goOn = async () =>
    navigate({ href: !isRefused && (await hasShared()) ? share.landing : next })
  const [isHelpOpen, setHelpOpen] = useState(false)
  return (
    <section className="login">
      <DrawnSprite />
      <div className="card a-zoom">
        <div className="sheet-head">
          <img src="/icon.svg" alt="" width="56" height="56" fetchPriority="low" />
          <h1>{loginTexts.title}</h1>
          <p>{loginTexts.lead}</p>
        </div>
        <NeedsScript />
        <Note changes={changes} isAsked={isAsked} />
        <LoginForm
          onSignedIn={() => void goOn()}
          // The product has always said this in the style of a success; the form beside it says it as the error it is.
          onWrong={() => void showNotice('success-snackbar', loginTexts.wrong)}
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
        <div id="recover-help" hidden={!isHelpOpen}>
          {isHelpOpen && <RecoverHelp />}
        </div>
      </div>
    </section>
  )
}

interface NoteProps {
  /** How many of the owner's changes wait on this device. */
  readonly changes: number
  readonly isAsked: boolean
}

/** Why somebody is here, where it is known. */
function Note({ changes, isAsked }: NoteProps) {
  // The server does not know what the browser's history does.
  const isHydrated = useHydrated()
  const unsent = useRouteContext({ strict: false }).posted?.notice
  const waiting = changes === 1 ? queueTexts.loginOne : fill(queueTexts.loginMany, { n: changes })
  if (unsent !== undefined) return <Alert tone="bad" role="alert" words={unsent} />
  if (changes === 0 && !(isAsked && isHydrated)) return null
  return <Alert icon="info" words={changes > 0 ? waiting : loginTexts.continue} />
}

/** Whether something was shared to the installed app that no form has taken yet. */
async function hasShared(): Promise<boolean> {
  try {
    return (await inTime(keys(openStore(share)))).length > 0
  } catch {
    return false // Storage is closed to us: nothing can have been shared.
  }
}
