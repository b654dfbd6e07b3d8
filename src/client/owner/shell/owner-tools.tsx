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
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { settingsQuery } from '#client/data/queries.ts'
import { followSessionEnd } from '#client/session/session-end.ts'
import { isAdmin, useSession } from '#client/data/session.ts'
import { BackupBand } from '#client/owner/settings/backup-band.tsx'
import { ChangeQueue } from '#client/owner/changes/change-queue.tsx'
import { ownersOf } from '#client/owner/changes/describe-operation.ts'
import { LogOutQuestion } from '#client/owner/access/log-out-question.tsx'
import { HeldBand } from '#client/owner/changes/held-band.tsx'
import { Icon, Sprite } from '#client/ui/icon.tsx'
import { ownerSymbols } from '#client/ui/owner-symbols.ts'
import '#client/styles/owner.css'
import { InboxLink } from '#client/owner/inbox/inbox-link.tsx'
import { SyncChip } from '#client/owner/changes/sync-chip.tsx'
import { ownerTexts } from '#contract/texts/owner.ts'
import { postponeLogin } from '#client/session/session-change.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { LoginForm } from '#client/login/login-form.tsx'

/** What a signed-in header adds: how her changes stand, the way to the settings and out, with the questions and symbols that owner's pages need. */
export function OwnerTools() {
  const session = useSession()
  useEffect(followSessionEnd, [])
  useHiddenLists(isAdmin(session))
  useHiddenEntries(isAdmin(session))
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

/** Reads hidden sections anew once the session is there: what visitors are told of them is that they are empty. */
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

/** What she has to look after, red before amber: the band shows it with the code that this header has brought. */
export function OwnerBand({ children }: { readonly children: ReactNode }) {
  return (
    <BackupBand>
      <HeldBand>{children}</HeldBand>
    </BackupBand>
  )
}

/** What the band says when the connection is back: how many changes go now, counted once. */
export function SendingWords() {
  const { operations } = useOutbox()
  const [count] = useState(() => ownersOf(operations).filter(({ refusal }) => !refusal).length)
  if (count === 0) return offlineTexts.back
  return count === 1 ? queueTexts.backOne : fill(queueTexts.backMany, { n: count })
}

interface QueueBandProps {
  /** How many wait. */
  readonly changes: number
}

/** Says to whoever is not signed in that changes of the owner's wait on this device, and leads to signing in. */
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

/** Asks to sign in again over the page when the session has ended, so that what was being written is kept and then sent. */
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
