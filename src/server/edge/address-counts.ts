import type { RateLimit } from '../api/limits.ts'

/** Beyond so many addresses the window starts anew, so that a flood cannot fill the memory. */
const maxAddresses = 100_000

/** Counts one more call of an address; returns how long it has to wait, in milliseconds, 0 when it may go on. */
export type CountCall = (address: string) => number

/** Counts in memory, because a question or a refusal must not cost a write. */
export function createCounts({ limit, windowMs }: RateLimit, now: () => Date): CountCall {
  const countCall = createTally(windowMs, now)
  return (address) => (countCall(address) > limit ? restOf(windowMs, now) : 0)
}

/** How long the present window still lasts, in milliseconds. */
export function restOf(windowMs: number, now: () => Date): number {
  return windowMs - (now().getTime() % windowMs)
}

/** Counts one more call of an address; returns how many it has made in this window. */
export function createTally(windowMs: number, now: () => Date): (address: string) => number {
  const counts = new Map<string, number>()
  let window = 0
  return (address) => {
    const current = Math.floor(now().getTime() / windowMs)
    if (current !== window || counts.size > maxAddresses) counts.clear()
    window = current
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count
  }
}
