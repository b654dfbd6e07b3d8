import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { spamWords, type Message } from '#contract/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { texts } from '#contract/texts.ts'
import { copyText } from '#client/platform/clipboard.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { notify } from '#client/ui/notices.ts'
import { searchOf } from './message-list.tsx'
import { contactPage, longTime, replyAddress } from './message-words.ts'

interface MessageReaderProps {
  readonly message: Message
  /** The owner's name, as she signs. */
  readonly owner: string
  /** In milliseconds since 1970. */
  readonly now: number
  readonly onUnread: () => void
  readonly onMove: () => void
  readonly onRemove: (event: MouseEvent) => void
}

/** One message as plain text, and what can be done with it. */
export function MessageReader(props: MessageReaderProps) {
  const { message, now } = props
  const { id, name, email, receivedAt, tray, spamReason } = message
  const titleId = `message-${id}`
  return (
    <article className="msg-reader" aria-labelledby={titleId}>
      <Link className="msg-back" to="/inbox" search={searchOf(tray)} resetScroll={false}>
        <Icon name="back" />
        {inboxTexts.back}
      </Link>
      <h2 id={titleId} tabIndex={-1}>
        {name}
      </h2>
      <p className="meta">
        <span>{email}</span>
        <time dateTime={receivedAt}>{longTime(receivedAt, now)}</time>
        <span>{fill(inboxTexts.sentFrom, { page: contactPage })}</span>
      </p>
      {tray === 'spam' ? (
        <div className="alert">
          <Icon name="info" />
          <p>{fill(inboxTexts.spamReason, { reason: spamWords(spamReason) })}</p>
        </div>
      ) : null}
      <div className="msg">
        {message.message.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
      <MessageActions {...props} />
    </article>
  )
}

function MessageActions({ message, owner, onUnread, onMove, onRemove }: MessageReaderProps) {
  const isSpam = message.tray === 'spam'
  const reply = (
    <a className={buttonClass(isSpam ? { tone: 'ghost' } : {})} href={replyAddress(message, owner)}>
      <Icon name="reply" />
      {inboxTexts.reply}
    </a>
  )
  return (
    <>
      <div className="actions">
        {isSpam ? (
          <Button icon="inbox" onClick={onMove}>
            {inboxTexts.toInbox}
          </Button>
        ) : null}
        {reply}
        <Button tone="ghost" icon="copy" onClick={() => void copyAddress(message.email)}>
          {inboxTexts.copyAddress}
        </Button>
        <Button tone="quiet" icon="trash" onClick={onRemove}>
          {inboxTexts.remove}
        </Button>
      </div>
      {isSpam ? null : (
        <div className="actions msg-more">
          {message.readAt === null ? null : (
            <Button tone="quiet" small onClick={onUnread}>
              {inboxTexts.markUnread}
            </Button>
          )}
          <Button tone="quiet" small onClick={onMove}>
            {inboxTexts.toSpam}
          </Button>
        </div>
      )}
    </>
  )
}

async function copyAddress(email: string): Promise<void> {
  const isCopied = await copyText(email)
  // Where the clipboard is closed the address is at least in sight, to be copied by hand.
  if (isCopied) void notify('success-snackbar', texts.copied, { stays: 'copied' })
  else void notify('info-snackbar', email)
}
