import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { loginTexts } from '#contract/access/login.ts'
import { hiddenSections } from '#contract/settings/settings.ts'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { logOut } from '#client/owner/access/log-out.ts'
import { useHiddenEntries } from '#client/owner/editor/hidden-query.ts'
import { pageOutbox, useOutbox } from '#client/outbox/page-outbox.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { followSessionEnd } from '#client/session/session-end.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { BackupBand } from '#client/owner/settings/backup-band.tsx'
import { ChangeQueue } from '#client/owner/changes/change-queue.tsx'
import { ownersOf } from '#client/owner/changes/describe-operation.ts'
import { LogOutQuestion } from '#client/owner/access/log-out-question.tsx'
import { WaitingBand } from '#client/owner/changes/waiting-band.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'
import '#client/styles/owner.css'
import { finishImports } from '#client/owner/import/finish-import.ts'
import { InboxLink } from '#client/owner/inbox/inbox-link.tsx'
import { watchQueue } from '#client/owner/changes/watch-queue.ts'
import { SyncChip } from '#client/owner/changes/sync-chip.tsx'
import { ownerTexts } from '#contract/texts/owner.ts'
import { postponeLogin } from '#client/session/session-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { LoginForm } from '#client/login/login-form.tsx'

export function OwnerTools() {
  const isOwner = isAdmin(useSession())
  useEffect(followSessionEnd, [])
  useHiddenLists(isOwner)
  useHiddenEntries(isOwner)
  useLeftImports(isOwner)
  useWatchedQueue(isOwner)
  useReadyLists(isOwner)
  return (
    <>
      {isOwner && <SyncChip />}
      {isOwner && <InboxLink />}
      {isOwner && (
        <Link
          className="icon-btn wide"
          to="/settings"
          aria-label={texts.settings}
          title={texts.settings}
        >
          <Icon name="gear" />
        </Link>
      )}
      <Button
        tone="quiet"
        small
        icon="out"
        className="wide"
        // When the label is out of sight, the name alone would be the tooltip.
        aria-label={ownerTexts.logout}
        title={ownerTexts.logoutHint}
        onClick={() => void logOut()}
      >
        <span>{ownerTexts.logout}</span>
      </Button>
      <ChangeQueue />
      <SessionDialog />
      <LogOutQuestion />
      <Sprite symbols={ownerSymbols} />
    </>
  )
}

/** What a page that was closed was about to bring in is brought in by the next one. */
function useLeftImports(isOwner: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isOwner) void finishImports(queryClient)
  }, [queryClient, isOwner])
}

/** Loads what a list of hers is made of, so that the next page shows it from its first moment and nothing in it moves later. */
function useReadyLists(isOwner: boolean): void {
  useEffect(() => {
    // Where it does not come the page that needs it says so.
    if (isOwner) import('#client/owner/editor/owner-list.tsx').catch(() => undefined)
  }, [isOwner])
}

/** Reads hidden sections again once the session is there, because visitors are told that they are empty. */
function useHiddenLists(isOwner: boolean): void {
  const queryClient = useQueryClient()
  const settings = useQuery(settingsQuery).data
  const hidden = settings ? hiddenSections(settings).join(',') : ''
  useEffect(() => {
    if (!isOwner) return
    for (const key of hidden.split(',').filter(Boolean)) {
      void queryClient.invalidateQueries({ queryKey: ['entries', key] })
    }
  }, [queryClient, isOwner, hidden])
}

function useWatchedQueue(isOwner: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isOwner) watchQueue(pageOutbox(queryClient))
  }, [queryClient, isOwner])
}

/** For the menu that phones have. */
export function OwnerLines() {
  const isOwner = isAdmin(useSession())
  return (
    <>
      <hr />
      {isOwner && (
        <Link to="/settings">
          <Icon name="gear" />
          {texts.settings}
        </Link>
      )}
      <button type="button" onClick={() => void logOut()}>
        <Icon name="out" />
        {ownerTexts.logout}
      </button>
    </>
  )
}

/** Red warnings come before amber ones; the band draws this with the code that the header has loaded. */
export function OwnerBand({ children }: { readonly children: ReactNode }) {
  return (
    <BackupBand>
      <WaitingBand>{children}</WaitingBand>
    </BackupBand>
  )
}

/** The number of changes is counted once, when the connection is back. */
export function SendingWords() {
  const { operations } = useOutbox()
  const [count] = useState(() => ownersOf(operations).filter(({ refusal }) => !refusal).length)
  if (count === 0) return offlineTexts.back
  return count === 1 ? queueTexts.backOne : fill(queueTexts.backMany, { n: count })
}

interface QueueBandProps {
  /** How many changes wait. */
  readonly changes: number
}

/** Tells a visitor without a session that the owner's changes wait on this device, and leads to the login. */
export function QueueBand({ changes }: QueueBandProps) {
  const { bandOne, bandMany } = queueTexts
  return (
    <>
      <Sprite symbols={ownerSymbols} />
      <div className="net-band">
        <Icon name="clock" />
        <p>{changes === 1 ? bandOne : fill(bandMany, { n: changes })}</p>
        <Link to="/login">{loginTexts.submit}</Link>
      </div>
    </>
  )
}

/**
 * Asks over the page for a new sign-in when the session has ended, so that text being written is kept and then sent.
 */
function SessionDialog() {
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
