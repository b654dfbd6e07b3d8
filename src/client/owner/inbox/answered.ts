import type { Message } from '#contract/messages/messages.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'

/** When each message was marked as answered, with the marks that still wait on this device; null for one that is not. */
export function useAnswered(): (message: Message) => string | null {
  const { operations } = useOutbox()
  return ({ id, answeredAt }) => {
    const waiting = operations.findLast(
      ({ subject, refusal }) => subject.on === 'answer' && subject.id === id && !refusal,
    )
    if (!waiting) return answeredAt
    return waiting.values['answered'] === 'true' ? (answeredAt ?? waiting.madeAt) : null
  }
}
