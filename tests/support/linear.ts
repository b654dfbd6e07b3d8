import { setTimeout as delay } from 'node:timers/promises'

/** Between four, which is linear, and sixteen, which is not. */
const mostGrowth = 8
/** Where the machine does much else, the caches are never a test's own for long: what is found fine is so after two. */
const rounds = 12
/** Rounds that end within milliseconds would all meet the same compiler or collector at work in a thread of its own. */
const pauseMs = 20

type Run = () => Promise<unknown> | void

/** The same work on nothing, on a text and on one four times as long. */
export interface Work {
  readonly none: Run
  readonly short: Run
  readonly long: Run
  /** What each of them needs to find there; it is not counted. */
  readonly before?: Run
}

/**
 * Whether work grows in proportion to its input: compared are processor times of this process, so that it does not matter
 * what else the machine does. Of some samples the least counts, because whatever comes in between only adds to one; what
 * costs nearly nothing is compared with work on nothing.
 */
export async function growsLinearly(work: Work): Promise<boolean> {
  const least = { none: Infinity, short: Infinity, long: Infinity }
  for (let round = 0; round < rounds; round++) {
    for (const which of ['none', 'short', 'long'] as const) {
      least[which] = Math.min(least[which], await costOf(work[which], work.before))
    }
    const isFine = least.long <= mostGrowth * Math.max(least.none, least.short)
    if (isFine && round > 0) return true
    if (!isFine) await delay(round * pauseMs)
  }
  return false
}

/**
 * The same for many texts at one place. What costs hardly more than work on nothing is not looked at again, so that all of
 * them can be tried; whatever costs more is compared as above.
 */
export async function createGauge(given: Pick<Work, 'none' | 'before'>) {
  let least = Infinity
  for (let round = 0; round < 6; round++) {
    least = Math.min(least, await costOf(given.none, given.before))
  }
  return async (work: Pick<Work, 'short' | 'long'>): Promise<boolean> =>
    (await costOf(work.long, given.before)) <= mostGrowth * least ||
    growsLinearly({ ...given, ...work })
}

/** Processor microseconds of one run. */
async function costOf(run: Run, before?: Run): Promise<number> {
  await before?.()
  const begun = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(begun)
  return user + system
}
