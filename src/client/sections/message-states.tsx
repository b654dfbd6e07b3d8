import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import type { Tray } from '#contract/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { texts } from '#contract/texts.ts'
import { connection } from '#client/platform/connection.ts'
import { Button } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { searchOf } from './message-list.tsx'
import { contactPage } from './message-words.ts'

/** A tray with nothing in it. */
export function EmptyTray({ tray }: { readonly tray: Tray }) {
  const isSpam = tray === 'spam'
  return (
    <div className="empty">
      <span className="bubble">
        <Icon name={isSpam ? 'shield' : 'inbox'} />
      </span>
      <h2>{isSpam ? inboxTexts.spamEmpty : inboxTexts.empty}</h2>
      <p>{isSpam ? inboxTexts.spamEmptyHint : fill(inboxTexts.emptyHint, { page: contactPage })}</p>
    </div>
  )
}

/** A tray that could not be read: messages are never kept on the device, so there is nothing to show instead. */
export function TrayFailed({ onRetry }: { readonly onRetry: () => void }) {
  const isOffline = useSyncExternalStore(
    connection.subscribe,
    () => connection.get() === 'offline',
    () => false,
  )
  return (
    <div className="empty bad-tone" role="alert">
      <span className="bubble">
        <Icon name="warn" />
      </span>
      <h2>{isOffline ? inboxTexts.offline : inboxTexts.failed}</h2>
      <p>{isOffline ? inboxTexts.offlineHint : inboxTexts.failedHint}</p>
      <Button tone="ghost" icon="sync" onClick={onRetry}>
        {texts.retry}
      </Button>
    </div>
  )
}

/** What stands in for a tray while it loads. */
export function TraySkeleton() {
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
  readonly tray: Tray
  /** It may still come. */
  readonly isLoading: boolean
}

/** In place of a message that was asked for and is not in the tray. */
export function MessageGone({ tray, isLoading }: MessageGoneProps) {
  return (
    <div className="msg-reader">
      <Link className="msg-back" to="/inbox" search={searchOf(tray)}>
        <Icon name="back" />
        {inboxTexts.back}
      </Link>
      {isLoading ? (
        <div className="skeleton line head" aria-hidden="true" />
      ) : (
        <p>{inboxTexts.gone}</p>
      )}
    </div>
  )
}
