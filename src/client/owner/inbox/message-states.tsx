import { Link } from '@tanstack/react-router'
import type { Folder } from '#contract/messages/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { texts } from '#contract/texts/site.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { focusTitleAfter } from '#client/ui/lost-focus.ts'
import { searchOf } from './message-list.tsx'
import { contactPageTitle } from './message-words.ts'
import type { Trouble } from '#client/owner/calls/use-trouble.ts'

export function EmptyFolder({ folder }: { readonly folder: Folder }) {
  const isSpam = folder === 'spam'
  return (
    <div className="empty hers">
      <span className="bubble">
        <Icon name={isSpam ? 'shield' : 'inbox'} />
      </span>
      <h2>{isSpam ? inboxTexts.spamEmpty : inboxTexts.empty}</h2>
      <p>
        {isSpam ? inboxTexts.spamEmptyHint : fill(inboxTexts.emptyHint, { page: contactPageTitle })}
      </p>
    </div>
  )
}

const failures: Readonly<Record<Trouble, readonly [title: string, hint: string]>> = {
  offline: [inboxTexts.offline, inboxTexts.offlineHint],
  silent: [inboxTexts.failed, inboxTexts.failedHint],
  session: [inboxTexts.session, inboxTexts.sessionHint],
  refused: [inboxTexts.failed, inboxTexts.refusedHint],
}

interface FolderFailedProps {
  readonly trouble: Trouble
  readonly onRetry: () => void
}

/** Messages are never kept on the device, so there is no copy to show instead. */
export function FolderFailed({ trouble, onRetry }: FolderFailedProps) {
  const [title, hint] = failures[trouble]
  return (
    <div className="empty bad-tone" role="alert">
      <span className="bubble">
        <Icon name="warn" />
      </span>
      <h2>{title}</h2>
      <p>{hint}</p>
      <Button ref={focusTitleAfter} tone="ghost" icon="sync" onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  )
}

/** Stands over the messages that the page still has. */
export function FolderStale({ trouble }: { readonly trouble: Trouble }) {
  const { stale, staleSilent, staleRefused } = inboxTexts
  const words = { offline: stale, silent: staleSilent, refused: staleRefused, session: '' }
  return <p className="inbox-note">{words[trouble]}</p>
}

export function FolderSkeleton() {
  return (
    <div className="card inbox waiting" aria-hidden="true">
      <div className="msg-list">
        {Array.from({ length: 5 }, (_, index) => (
          <div key={index} className="msg-wait">
            <span className="avatar skeleton" />
            <div className="skeleton line head" />
            <div className="skeleton line long" />
          </div>
        ))}
      </div>
    </div>
  )
}

interface MessageGoneProps {
  readonly folder: Folder
  /** Whether it may still come, is gone, or cannot be known. */
  readonly fate: 'loading' | 'gone' | 'unknown'
}

/** Stands in the place of a message that is not in the folder. */
export function MessageGone({ folder, fate }: MessageGoneProps) {
  return (
    <div className="msg-reader">
      <Link className="msg-back" to="/inbox" search={searchOf(folder)}>
        <Icon name="back" />
        {inboxTexts.back}
      </Link>
      {fate === 'loading' ? (
        <div className="skeleton line head" aria-hidden="true" />
      ) : (
        <p>{fate === 'gone' ? inboxTexts.gone : inboxTexts.notLoaded}</p>
      )}
    </div>
  )
}
