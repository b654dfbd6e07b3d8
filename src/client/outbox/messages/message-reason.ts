import { messageTexts } from '#contract/texts/message.ts'
import type { Refusal } from '#client/outbox/operation.ts'

/** Why a message is not sent, for the visitor: the server's own words but for the case that only a program would understand. */
export function reasonOf({ code, reason }: Refusal): string {
  return code === 'clave-reutilizada' ? messageTexts.arrivedBefore : reason
}
