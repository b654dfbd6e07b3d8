/** Between four, which is linear, and sixteen, which is not. */
const mostGrowth = 8
const rounds = 6

/** The same work on nothing, on a text and on one four times as long. */
interface Work {
  readonly none: () => Promise<void> | void
  readonly short: () => Promise<void> | void
  readonly long: () => Promise<void> | void
}

/**
 * Whether work grows in proportion to its input: compared are processor times of this process, so that it does not matter
 * what else the machine does. Of some samples the least counts, because whatever comes in between only adds to one; what
 * costs nearly nothing is compared with work on nothing.
 */
export async function growsLinearly(work: Work): Promise<boolean> {
  const least = { none: Infinity, short: Infinity, long: Infinity }
  for (let round = 0; round < rounds; round++) {
    least.none = Math.min(least.none, await costOf(work.none))
    least.short = Math.min(least.short, await costOf(work.short))
    least.long = Math.min(least.long, await costOf(work.long))
    const isFine = least.long <= mostGrowth * Math.max(least.none, least.short)
    if (isFine && round > 0) return true
  }
  return false
}

/** Processor microseconds of one run. */
async function costOf(run: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
