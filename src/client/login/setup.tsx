import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { loginTexts, setupTexts } from '#contract/access/login.ts'
import { texts } from '#contract/texts/site.ts'
import { linkPurpose } from './credentials.ts'
import { isSomebody, useSession } from '#client/data/session.ts'
import { markUnsaved } from '#client/data/unsaved.ts'
import { NeedsScript } from './needs-script.tsx'
import { DrawnSprite } from './owner-sprite.tsx'
import { SetupForm } from './setup-form.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import '#client/styles/owner.css'

// What the server draws is the same for every link: it never gets the token.
const isServer = typeof location === 'undefined'

const oneTimeLink = 'one-time-link'

type LinkState = 'checking' | 'setup' | 'reset' | 'invalid' | 'unreachable'

/** What a one-time link opens: the set-up of the site, or the choice of a new password. */
export function SetupScreen() {
  const isIn = isSomebody(useSession())
  const [question, ask] = useState(() => ({ token: isServer ? '' : location.hash.slice(1) }))
  const [link, setLink] = useState<LinkState>('checking')

  useEffect(() => {
    // The token leaves the address bar and the history: whoever looks over a shoulder later finds nothing.
    history.replaceState(history.state, '', location.pathname)
  }, [])
  useEffect(() => {
    let isCurrent = true
    const show = (state: LinkState) => isCurrent && setLink(state)
    linkPurpose(question.token).then(
      (purpose) => show(purpose ?? 'invalid'),
      () => show('unreachable'),
    )
    return () => {
      isCurrent = false
    }
  }, [question])
  useEffect(() => {
    // Only this page has the token by now: loaded anew it would have none.
    markUnsaved(oneTimeLink, link !== 'invalid')
    return () => markUnsaved(oneTimeLink, false)
  }, [link])

  const isReset = link === 'reset'
  return (
    <section className="login one-time">
      <DrawnSprite />
      <div className="card">
        <div className="sheet-head">
          <img src="/icon.svg" alt="" width="56" height="56" fetchPriority="low" />
          <h1>{titleOf(link)}</h1>
          <p role="status">{leadOf(link)}</p>
        </div>
        <NeedsScript />
        {link === 'setup' || isReset ? (
          <SetupForm token={question.token} isReset={isReset} onSpent={() => setLink('invalid')} />
        ) : null}
        {link === 'invalid' ? (
          <Link className={buttonClass()} to={isIn ? '/' : '/login'}>
            {isIn ? texts.backHome : loginTexts.submit}
          </Link>
        ) : null}
        {link === 'unreachable' ? (
          <Button
            onClick={() => {
              setLink('checking')
              ask({ ...question })
            }}
          >
            {texts.retry}
          </Button>
        ) : null}
      </div>
    </section>
  )
}

function titleOf(link: LinkState): string {
  if (link === 'invalid') return setupTexts.invalidTitle
  return link === 'reset' ? setupTexts.resetTitle : setupTexts.title
}

function leadOf(link: LinkState): string {
  return {
    checking: setupTexts.checking,
    setup: setupTexts.lead,
    reset: setupTexts.resetLead,
    invalid: setupTexts.invalid,
    unreachable: loginTexts.offline,
  }[link]
}
