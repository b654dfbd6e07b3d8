import { useEffect } from 'react'
import type { FieldValues } from '#contract/fields.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { messageDraft, takeArrival } from '#client/drafts/message-draft.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'
import { Icon } from '#client/ui/icon.tsx'
import './message.css'
import { PendingMessage } from './pending-message.tsx'

interface PendingMessagesProps {
  /** The owner's address; empty when she does not show it. */
  readonly email: string
  /** A message's text is to be in the form again. */
  readonly onEdit: (text: FieldValues) => void
  /** The message that still stood in the form has arrived. */
  readonly onDelivered: () => void
}

/** A visitor's messages that the server does not have yet. Nothing of the owner's is ever among them. */
export function PendingMessages({ email, onEdit, onDelivered }: PendingMessagesProps) {
  const { operations, sending } = useOutbox()
  const messages = operations.filter(({ subject }) => subject.on === 'message')
  const inForm = messages.find(({ id, refusal }) => !refusal && id === messageDraft()?.id)
  const isStuck = inForm && (inForm.tries > 1 || (inForm.tries === 1 && sending?.id !== inForm.id))
  useEffect(() => {
    if (takeArrival((id) => messages.some((message) => message.id === id))) onDelivered()
  }, [messages, onDelivered])
  return (
    <>
      {isStuck && (
        <div className="alert pencil-tone" role="status">
          <Icon name="sync" />
          <p>{messageTexts.retrying}</p>
        </div>
      )}
      {messages
        .filter((message) => message !== inForm)
        .map((message) => (
          <PendingMessage
            key={message.id}
            message={message}
            isSending={sending?.id === message.id}
            email={email}
            onEdit={onEdit}
          />
        ))}
    </>
  )
}
