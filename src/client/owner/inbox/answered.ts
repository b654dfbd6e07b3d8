import type { Message } from '#contract/messages/messages.ts'
import { useOutbox } from '#client/outbox/page-outbox.ts'

/** With the marks that still wait on this device; null for a message that is not answered. */
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
