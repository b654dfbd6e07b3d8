import { Link } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import { spamWords, type Message } from '#contract/messages/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { texts } from '#contract/texts/site.ts'
import { copyText } from '#client/browser/clipboard.ts'
import { Alert } from '#client/ui/alert.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { useAnswered } from './answered.ts'
import { searchOf } from './message-list.tsx'
import { contactPageTitle, longTime, replyAddress, whenInSentence } from './message-words.ts'

interface MessageReaderProps {
  readonly message: Message
  /** The owner's name, which ends her reply. */
  readonly owner: string
  /** In milliseconds since 1970. */
  readonly now: number
  readonly onUnread: () => void
  /** Resolves once the mark is kept, or was refused. */
  readonly onAnswered: (isAnswered: boolean) => Promise<void>
  readonly onMove: () => void
  readonly onRemove: (event: MouseEvent) => void
}

/** Shows the message as plain text. */
export function MessageReader(props: MessageReaderProps) {
  const { message, now } = props
  const { id, name, email, receivedAt, tray: folder, spamReason } = message
  const answeredAt = useAnswered()(message)
  const titleId = `message-${id}`
  return (
    <article className="msg-reader" aria-labelledby={titleId}>
      <Link className="msg-back" to="/inbox" search={searchOf(folder)} resetScroll={false}>
        <Icon name="back" />
        {inboxTexts.back}
      </Link>
      <div className="reader-head">
        <h2 id={titleId} tabIndex={-1}>
          {name}
        </h2>
        <p role="status">
          {answeredAt !== null && (
            <span className="chip ok-tone">
              <Icon name="reply" />
              {fill(inboxTexts.answered, { when: whenInSentence(answeredAt, now) })}
            </span>
          )}
        </p>
      </div>
      <p className="meta">
        <span>{email}</span>
        <time dateTime={receivedAt}>{longTime(receivedAt, now)}</time>
        <span>{fill(inboxTexts.sentFrom, { page: contactPageTitle })}</span>
      </p>
      {folder === 'spam' ? (
        <Alert icon="info" words={fill(inboxTexts.spamReason, { reason: spamWords(spamReason) })} />
      ) : null}
      <div className="msg">
        {message.message.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
      <MessageActions {...props} isAnswered={answeredAt !== null} />
    </article>
  )
}

interface MessageActionsProps extends MessageReaderProps {
  readonly isAnswered: boolean
}

function MessageActions(props: MessageActionsProps) {
  const { message, owner, isAnswered, onAnswered, onUnread, onMove, onRemove } = props
  const isSpam = message.tray === 'spam'
  // Shown at once: until the mark is on disk the box would fall back.
  const [chosen, choose] = useState<boolean>()
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
        <div className="answer">
          <label className="check">
            <input
              type="checkbox"
              checked={chosen ?? isAnswered}
              aria-describedby={`answer-${message.id}`}
              onChange={({ target }) => {
                choose(target.checked)
                void onAnswered(target.checked).finally(() => choose(undefined))
              }}
            />
            <span>{inboxTexts.answer}</span>
          </label>
          <p className="hint" id={`answer-${message.id}`}>
            {inboxTexts.answerHint}
          </p>
        </div>
      )}
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
  if (isCopied) void showNotice('success-snackbar', texts.copied, { stays: 'copied' })
  else void showNotice('info-snackbar', email)
}
