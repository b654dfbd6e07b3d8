import type { PushAddress, PushKind, PushMessage } from '#contract/notifications/push.ts'
import { pushTexts } from '#contract/texts/push.ts'

/** What came of sending; `why` is a Spanish sentence for the owner. */
export type SendResult =
  | { readonly state: 'sent' }
  /** The address will never be good again. */
  | { readonly state: 'gone' }
  /** Worth another try, after so many milliseconds when the other side named a time. */
  | { readonly state: 'retry'; readonly afterMs?: number; readonly why: string }
  /** Would be answered the same again. */
  | { readonly state: 'rejected'; readonly why: string }

/** Sends one notification to one device. Never throws, and answers within about ten seconds. */
export interface PushSender {
  send(address: PushAddress, message: PushMessage): Promise<SendResult>
}

/** One sender for all kinds of address: a site may hold old ones of one kind and new ones of another. */
export function senderByKind(senders: Readonly<Partial<Record<PushKind, PushSender>>>): PushSender {
  return {
    send: async (address, message) =>
      senders[address.kind]?.send(address, message) ?? {
        state: 'rejected',
        why: pushTexts.noSender,
      },
  }
}

const longestWaitMs = 24 * 3_600_000

/** A Retry-After header (seconds or a date) in milliseconds from now, at most a day; undefined when it says nothing. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const ms = /^\d+$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(longestWaitMs, Math.max(0, ms))
}
