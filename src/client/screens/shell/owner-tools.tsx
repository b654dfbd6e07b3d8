import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts-offline.ts'
import { queueTexts } from '#contract/texts-queue.ts'
import { texts } from '#contract/texts.ts'
import { logOut } from '#client/data/log-out.ts'
import { useOutbox } from '#client/data/outbox/page-outbox.ts'
import { followSessionEnd } from '#client/data/session-end.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { ChangeQueue } from '#client/sections/change-queue.tsx'
import { ownersOf } from '#client/sections/describe-operation.ts'
import { LogOutQuestion } from '#client/sections/log-out-question.tsx'
import { SessionDialog } from '#client/sections/session-dialog.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'
import '#client/styles/owner.css'
import { InboxLink } from './inbox-link.tsx'
import { SyncChip } from './sync-chip.tsx'

/** What a signed-in header adds: how her changes stand, the way to the settings and out, with the questions and symbols that owner's pages need. */
export function OwnerTools() {
  const session = useSession()
  useEffect(followSessionEnd, [])
  return (
    <>
      {isAdmin(session) && <SyncChip />}
      {isAdmin(session) && <InboxLink />}
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
        // Without the word on screen its name would be the hint.
        aria-label={texts.logout}
        title={texts.logoutHint}
        onClick={() => void logOut()}
      >
        <Icon name="out" />
        <span>{texts.logout}</span>
      </button>
      <ChangeQueue />
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

/** What the band says when the connection is back: how many changes go now, counted once. */
export function SendingWords() {
  const { operations } = useOutbox()
  const [count] = useState(() => ownersOf(operations).filter(({ refusal }) => !refusal).length)
  if (count === 0) return offlineTexts.back
  return count === 1 ? queueTexts.backOne : fill(queueTexts.backMany, { n: count })
}
