import { Link } from '@tanstack/react-router'
import type { Message, Folder } from '#contract/messages/messages.ts'
import { inboxParameter } from '#contract/notifications/push.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useAnswered } from './answered.ts'
import { initialsOf, shortTime } from './message-words.ts'

/** The search parameter that names the folder; absent: the inbox itself. */
export const folderParameter = 'bandeja'

/** Without an id no message is open. */
export function searchOf(folder: Folder, id?: string) {
  return {
    ...(folder === 'spam' && { [folderParameter]: folder }),
    ...(id !== undefined && { [inboxParameter]: id }),
  }
}

interface MessageListProps {
  readonly folder: Folder
  readonly messages: readonly Message[]
  /** The id of the message beside the list. */
  readonly current: string | undefined
  /** In milliseconds since 1970. */
  readonly now: number
}

/** Newest first. */
export function MessageList({ folder, messages, current, now }: MessageListProps) {
  const answeredAt = useAnswered()
  return (
    <nav className="msg-list" aria-label={folder === 'spam' ? inboxTexts.spam : inboxTexts.list}>
      {messages.map((one) => {
        const { id, name, message, receivedAt, readAt } = one
        return (
          <Link
            key={id}
            to="/inbox"
            search={searchOf(folder, id)}
            // The id is in the search part of the address, while the router compares paths alone.
            aria-current={id === current ? 'true' : undefined}
            activeProps={{}}
            className={readAt === null ? 'is-new' : undefined}
            data-message={id}
            preload={false}
            resetScroll={false}
          >
            <span className="avatar" aria-hidden="true">
              {initialsOf(name) || <Icon name="user" />}
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
