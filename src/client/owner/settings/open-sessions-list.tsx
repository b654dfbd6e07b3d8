import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSession } from '#contract/access/access.ts'
import { fill } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { logOutOthers } from '#client/login/credentials.ts'
import { logOut } from '#client/owner/access/log-out.ts'
import { closeOpenSession, openSessionsQuery, refreshOpenSessions } from './open-sessions.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter, useRowFocus } from '#client/ui/lost-focus.ts'
import { useNow } from '#client/ui/use-now.ts'
import { useOutcome } from './use-outcome.ts'
import { usedWords } from './used-words.ts'
import { useLastCount, WaitingRows } from './waiting-rows.tsx'

const phones = /iPhone|iPad|Android/

export function OpenSessions() {
  const queryClient = useQueryClient()
  const { data: sessions, isError, isPending } = useQuery(openSessionsQuery)
  // This device is always among them.
  const lastCount = useLastCount({ name: 'sessions', rows: sessions, atFirst: 1 })
  // Where the list cannot be read nobody knows of the others.
  const hasOthers = sessions ? sessions.length > 1 : isError || lastCount > 1
  const outcome = useOutcome({ log: 'A session was not ended', silent: accessTexts.notClosed })
  const rows = useRowFocus<HTMLUListElement>()
  const [isEnding, setEnding] = useState(false)

  const endOthers = async () => {
    setEnding(true)
    await outcome.attempt(async () => {
      await logOutOthers()
      await refreshOpenSessions(queryClient)
    }, ownerTexts.othersEnded)
    setEnding(false)
  }
  return (
    <>
      <h3 className="setting-head">{accessTexts.sessions}</h3>
      <div className="card">
        <ul className="rows slist" {...rows}>
          {isPending ? <WaitingRows count={lastCount} /> : null}
          {sessions?.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onClose={(name) =>
                outcome.attempt(
                  () => closeOpenSession(queryClient, session.id),
                  fill(accessTexts.closed, { name }),
                )
              }
            />
          ))}
        </ul>
        <div className="add-row">
          {hasOthers ? (
            <Button
              ref={focusTitleAfter}
              tone="ghost"
              small
              busy={isEnding}
              onClick={() => void endOthers()}
            >
              {ownerTexts.signOutAll}
            </Button>
          ) : null}
          <Button
            tone="ghost"
            small
            icon="out"
            title={ownerTexts.logoutHint}
            onClick={() => void logOut()}
          >
            {ownerTexts.logout}
          </Button>
          <p className="saved" role="status">
            {outcome.words || (isError ? accessTexts.notRead : '')}
          </p>
        </div>
      </div>
    </>
  )
}

interface SessionRowProps {
  readonly session: OpenSession
  readonly onClose: (name: string) => Promise<unknown>
}

function SessionRow({ session, onClose }: SessionRowProps) {
  const now = useNow()
  const [isClosing, setClosing] = useState(false)
  const { label, seenAt, isKept, isOwn } = session
  const name = label || accessTexts.nameless
  const close = async () => {
    setClosing(true)
    await onClose(name)
    setClosing(false)
  }
  return (
    <li>
      <Icon name={phones.test(label) ? 'phone' : 'laptop'} />
      <span>
        <b>{name}</b>
        <small>
          {isOwn ? (
            <>
              <span className="here">{accessTexts.here}</span> · {accessTexts.now}
            </>
          ) : (
            fill(accessTexts.used, { when: usedWords(seenAt, now) })
          )}
          {isKept ? ` · ${accessTexts.kept}` : null}
        </small>
      </span>
      <span className="row-actions">
        {isOwn ? null : (
          <Button
            tone="quiet"
            small
            busy={isClosing}
            aria-label={fill(accessTexts.closeOf, { name })}
            onClick={() => void close()}
          >
            {accessTexts.close}
          </Button>
        )}
      </span>
    </li>
  )
}
