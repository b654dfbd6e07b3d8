import { getStored, setStored } from '#client/browser/device-storage.ts'

/*
 * When the site may offer to be installed on its own: after a second visit or a while of reading, and not again for a
 * season after a no.
 */

/** How long a no is respected, in milliseconds: 90 days. */
const restMs = 90 * 24 * 60 * 60 * 1000
/** From the start of a first visit to the offer, in milliseconds. */
export const offerAfterMs = 45_000
/** Pages seen within this time of each other are one visit. */
const visitGapMs = 30 * 60 * 1000

interface Moment {
  readonly now: number
  /** When the last no was said, in milliseconds since 1970. */
  readonly refusedAt: number | undefined
  readonly visits: number
  /** How long this page has been open, in milliseconds. */
  readonly openMs: number
}

/** Whether the offer may show itself at this moment. */
export function mayOffer({ now, refusedAt, visits, openMs }: Moment): boolean {
  if (refusedAt !== undefined && now - refusedAt < restMs) return false
  return visits > 1 || openMs >= offerAfterMs
}

/** The moment as this device remembers it. */
export function thisMoment(): Moment {
  const refused = getStored('install-no')
  return {
    now: Date.now(),
    refusedAt: refused === undefined ? undefined : Number(refused),
    visits: Number(getStored('visits') ?? 1),
    openMs: performance.now(),
  }
}

/** Counts this visit, unless the last page was seen only a little while ago. */
export function countVisit(now: number): void {
  const last = Number(getStored('seen') ?? 0)
  if (now - last > visitGapMs) setStored('visits', String(Number(getStored('visits') ?? 0) + 1))
  setStored('seen', String(now))
}

/** Keeps that the person does not want to hear of it for a season. */
export function refuseOffer(now: number): void {
  setStored('install-no', String(now))
}
