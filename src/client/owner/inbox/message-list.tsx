import { Link } from '@tanstack/react-router'
import type { Message, Tray } from '#contract/messages/messages.ts'
import { inboxParameter } from '#contract/notifications/push.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useAnswered } from './answered.ts'
import { initialsOf, shortTime } from './message-words.ts'

/** The parameter of the inbox's address that names the tray; absent: the inbox itself. */
export const trayParameter = 'bandeja'

/** What the inbox's address says for a tray, with one of its messages open or none. */
export function searchOf(tray: Tray, id?: string) {
  return {
    ...(tray === 'spam' && { [trayParameter]: tray }),
    ...(id !== undefined && { [inboxParameter]: id }),
  }
}

interface MessageListProps {
  readonly tray: Tray
  readonly messages: readonly Message[]
  /** The id of the message beside the list. */
  readonly current: string | undefined
  /** In milliseconds since 1970. */
  readonly now: number
}

/** One tray's messages as links, newest first. */
export function MessageList({ tray, messages, current, now }: MessageListProps) {
  const answeredAt = useAnswered()
  return (
    <nav className="msg-list" aria-label={tray === 'spam' ? inboxTexts.spam : inboxTexts.list}>
      {messages.map((one) => {
        const { id, name, message, receivedAt, readAt } = one
        return (
          <Link
            key={id}
            to="/inbox"
            search={searchOf(tray, id)}
            // The address says which one; the router compares paths alone.
            aria-current={id === current ? 'true' : undefined}
            activeProps={{}}
            className={readAt === null ? 'is-new' : undefined}
            data-message={id}
            preload={false}
            resetScroll={false}
          >
            <span className="avatar" aria-hidden="true">
              {initialsOf(name)}
            </span>
            <b>
              {readAt === null ? <span className="sr-only">{inboxTexts.isUnread} </span> : null}
              {name}
            </b>
            <time dateTime={receivedAt}>{shortTime(receivedAt, now)}</time>
            <p>
              {answeredAt(one) !== null && (
                <span className="answered">
                  <Icon name="reply" />
                  <span className="sr-only">{inboxTexts.isAnswered} </span>
                </span>
              )}
              {message}
            </p>
          </Link>
        )
      })}
    </nav>
  )
}
