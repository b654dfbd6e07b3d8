import { dayMs, minuteMs } from '#contract/durations.ts'
import type { PushAddress, PushKind, PushMessage } from '#contract/notifications/push.ts'
import { pushTexts } from '#contract/texts/push.ts'

/** `why` is a Spanish sentence for the owner. */
export type SendResult =
  | { readonly state: 'sent' }
  /** The address will never be valid again. */
  | { readonly state: 'gone' }
  /** Worth another try, after `afterMs` when the other side named a time. */
  | { readonly state: 'retry'; readonly afterMs?: number; readonly why: string }
  /** Another try would get the same answer. */
  | { readonly state: 'rejected'; readonly why: string }

/** Never throws, and resolves within about ten seconds. */
export interface PushSender {
  send(address: PushAddress, message: PushMessage): Promise<SendResult>
}

/** A site may hold old addresses of one kind and new ones of another. */
export function senderByKind(senders: Readonly<Partial<Record<PushKind, PushSender>>>): PushSender {
  return {
    send: async (address, message) =>
      senders[address.kind]?.send(address, message) ?? {
        state: 'rejected',
        why: pushTexts.noSender,
      },
  }
}

const clocksMs = 5 * minuteMs

/** Whether a refusal's own `Date` is so far from the clock here that nothing signed by it is taken: that passes. */
export function isClockWrong(date: string | null | undefined, now: Date): boolean {
  return Math.abs(Date.parse(date ?? '') - now.getTime()) > clocksMs
}

const longestWaitMs = dayMs

/** Takes seconds or a date; returns milliseconds from now, at most a day, or undefined for any other text. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const ms = /^\d+$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(longestWaitMs, Math.max(0, ms))
}
