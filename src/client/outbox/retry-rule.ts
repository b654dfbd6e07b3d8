import type { Subject } from './operation.ts'
import type { Later } from './ports.ts'

/*
 * The rule of retrying: what is tried again, after how long, what waits with it, and when its maker hears of that. Pure; the
 * timers are in `pauses.ts`.
 */

const firstDelayMs = 1_000
const longestDelayMs = 60_000
/** The longest time a timer takes, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1
/** When so many things of one lane are in trouble, with no good answer in between, the trouble is the server's. */
const manyTroubles = 3
/** After so many answers of trouble, or before a longer wait than this for the next try, whoever waits is told. */
const patience = 3
const patienceMs = 10_000

/** How long a queue that could not be read or written waits for the next try, in milliseconds. */
export const readAgainMs = 60_000

/** How often a picture is asked for that the device seems to have lost, before its change waits for another one. */
export const readTries = 3

/** Statuses below 500 after which the same request may succeed: the server is busy with it or with others. */
const temporary: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || temporary.has(status)
}

/** Why something is not tried: nobody answered, the server has trouble with it, or it is set to read-only. */
export type PauseReason = 'no-answer' | 'trouble' | 'read-only'

/** A server that is set to read-only answers with both flags, and its pause is not for trouble. */
export function pauseReason({ isTrouble, isReadOnly }: Later): PauseReason {
  if (isReadOnly) return 'read-only'
  return isTrouble ? 'trouble' : 'no-answer'
}

/**
 * Whether everything of the lane waits, not the one thing alone: `things` of it have the same trouble, and this one for
 * the `row`th time in a row. Silence is the line's, until one thing alone meets it again and again: something on the way may
 * let that one not through, for its size or its words, and the others would wait for it for ever.
 */
export function isPauseOfLane(
  { isTrouble, afterMs }: Later,
  things: number,
  row: number = 1,
): boolean {
  if (afterMs !== undefined || things >= manyTroubles) return true
  return !isTrouble && row < patience
}

/** How long until the next try, after `failed` tries that failed before this one. */
export function pauseMs({ afterMs }: Later, failed: number): number {
  return Math.min(afterMs ?? Math.min(firstDelayMs * 2 ** failed, longestDelayMs), longestTimerMs)
}

/** Whether a pause is so short that nobody need hear of it. */
export function isShort(delayMs: number): boolean {
  return delayMs <= patienceMs
}

/**
 * What the maker of a change that a pause delays hears: that it waits; of trouble only when it lasts, after `troubles` answers
 * of it, and never where the site is set to wait; undefined for nothing yet.
 */
export function newsOf(
  { isTrouble, isReadOnly }: Later,
  { on, troubles, delayMs }: Pick<Subject, 'on'> & { troubles: number; delayMs: number },
): 'waits' | 'trouble' | undefined {
  if (!isTrouble || (isReadOnly && on !== 'message')) return 'waits'
  return troubles >= patience || !isShort(delayMs) ? 'trouble' : undefined
}
