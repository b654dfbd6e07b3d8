import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldValues } from '#contract/fields.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { commonTexts } from '#contract/texts/forms.ts'
import { texts } from '#contract/texts/site.ts'
import { keepMessageDraft, messageDraft } from '#client/drafts/message-draft.ts'
import { isTooOld, mayBeDone, type Operation } from '#client/outbox/operation.ts'
import { pageOutbox } from '#client/outbox/page-outbox.ts'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'
import { copyText } from '#client/browser/clipboard.ts'
import { mayBeCleared } from '#client/browser/lasting.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { showNotice } from '#client/ui/notices.ts'
import { reasonOf } from './message-reason.ts'

interface PendingMessageProps {
  readonly message: Operation
  readonly isSending: boolean
  /** The owner's address; empty when she does not show it. */
  readonly email: string
  readonly onEdit: (text: FieldValues) => void
}

/** A message that waits on this device: what it says, why it waits, and what the visitor can do about it. */
export function PendingMessage({ message, isSending, email, onEdit }: PendingMessageProps) {
  const outbox = pageOutbox(useQueryClient())
  const [asked, ask] = useState<'discard' | 'replace'>()
  const { name, email: from, message: text } = message.values
  const discard = async () => {
    focusHeading()
    const isGone = await outbox.discard(message.id, !mayBeDone(message))
    if (!isGone) void showNotice('error-snackbar', messageTexts.notDiscarded)
  }
  const edit = async () => {
    await putInForm(message)
    await outbox.takeBack(message.id)
    onEdit(message.values)
  }
  return (
    <article className="card letter" aria-label={titleOf(message)}>
      <Status message={message} isSending={isSending} />
      <p className="from">
        {name} · {from}
      </p>
      <p className="text">{text}</p>
      {asked ? (
        <Question
          question={asked === 'replace' ? messageTexts.confirmReplace : discardWords(message)}
          answer={asked === 'replace' ? messageTexts.replace : messageTexts.discard}
          onYes={() => void (asked === 'replace' ? edit() : discard())}
          onNo={() => ask(undefined)}
        />
      ) : (
        <div className="actions">
          {message.refusal && <SendAgain message={message} />}
          <Button
            tone="ghost"
            small
            // Not disabled while it is being sent: a try that begins under a finger would swallow the press.
            onClick={() => (messageDraft() ? ask('replace') : void edit())}
          >
            {commonTexts.edit}
          </Button>
          <Button tone="ghost" small disabled={isSending} onClick={() => ask('discard')}>
            {messageTexts.discard}
          </Button>
          {email && (
            <a className={buttonClass({ tone: 'quiet', small: true })} href={mailOf(email, text)}>
              {messageTexts.sendByEmail}
            </a>
          )}
        </div>
      )}
    </article>
  )
}

function Status({ message, isSending }: Pick<PendingMessageProps, 'message' | 'isSending'>) {
  const { refusal } = message
  const waits = isSending ? messageTexts.sending : messageTexts.waiting
  return (
    <div role="status">
      <p className={refusal ? 'chip bad-tone' : 'chip pencil-tone'}>
        <Icon name={refusal ? 'warn' : 'sync'} />
        {titleOf(message)}
      </p>
      <p className="reason">{refusal ? reasonOf(refusal) : waits}</p>
      {mayBeCleared() && <p className="reason">{messageTexts.mayGo}</p>}
    </div>
  )
}

/** What is left for a message that does not go by itself any more. */
function SendAgain({ message }: Pick<PendingMessageProps, 'message'>) {
  const outbox = pageOutbox(useQueryClient())
  const copy = async () => {
    const isCopied = await copyText(message.values['message'] ?? '')
    // Where the clipboard is closed, the text stands above to be selected.
    if (isCopied) void showNotice('success-snackbar', messageTexts.copied)
  }
  return (
    <>
      <Button
        small
        onClick={() => void outbox.retry(message.id, { madeAt: new Date().toISOString() })}
      >
        {isTooOld(message) ? messageTexts.sendAgain : texts.retry}
      </Button>
      <Button tone="ghost" small onClick={() => void copy()}>
        {messageTexts.copy}
      </Button>
    </>
  )
}

interface QuestionProps {
  readonly question: string
  readonly answer: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** The safe answer comes last. */
const takeFocus = (box: HTMLElement | null) =>
  box?.querySelector<HTMLElement>('button:last-of-type')?.focus()

/** Asks in the message's own place before something typed is lost. */
function Question({ question, answer, onYes, onNo }: QuestionProps) {
  return (
    <div ref={takeFocus} role="group" aria-label={question}>
      <p>{question}</p>
      <div className="actions">
        <Button tone="danger" small onClick={onYes}>
          {answer}
        </Button>
        <Button small onClick={onNo}>
          {commonTexts.cancel}
        </Button>
      </div>
    </div>
  )
}

const titleOf = ({ refusal }: Operation) => (refusal ? messageTexts.refused : messageTexts.pending)

function discardWords(message: Operation): string {
  return mayBeDone(message) ? messageTexts.confirmDiscardTried : messageTexts.confirmDiscard
}

/** Keeps the text as the form's before the queue lets go of it. The same name lets the server know a message it has already. */
async function putInForm(message: Operation): Promise<void> {
  const isRefused = message.refusal !== undefined && !isTooOld(message)
  await keepMessageDraft({ id: isRefused ? undefined : message.id, fields: message.values })
}

function mailOf(email: string, text = ''): string {
  return `mailto:${email}?body=${encodeURIComponent(text)}`
}
