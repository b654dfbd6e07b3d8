import fc from 'fast-check'
import type { History } from './play.ts'
import { scene } from './scenes.ts'
import { faultOf, operations, step, type Step } from './steps.ts'

/** How many operations `npm test` draws at least: so many that more than a thousand of them are handed over. */
export const usual = 1_350
/** How many changes and messages are handed over at least; the other steps have no meaning at their time and do nothing. */
export const leastDone = (wanted: number) => Math.floor((wanted * 3) / 4)
/** Steps and scenes: long enough for what needs three or four things to come together, and over and over. */
const longest = 60
/** About as many operations as an average history has. */
const perHistory = 12
/** Operations in one part: what hangs is known long before all of them would have been played. */
const perPart = 25
/** Seeds that lie between those of two parts, so that none plays what another has. */
const seedsPerPart = 100

/** Histories of every kind; one that fails is made smaller by leaving steps out and by having everything take less. */
export function histories(without: readonly Step['is'][] = []): fc.Arbitrary<History> {
  const isWanted = ({ is }: Step) => !without.includes(is)
  const parts = fc.oneof(
    { weight: 19, arbitrary: step.filter(isWanted).map((one): readonly Step[] => [one]) },
    { weight: 1, arbitrary: scene.map((steps) => steps.filter(isWanted)) },
  )
  const most = { minLength: 1, maxLength: longest, size: 'max' } as const
  return fc.record({
    seed: fc.nat({ max: 2 ** 31 }),
    steps: fc.array(parts, most).map((some) => some.flat()),
  })
}

/** The histories that fast-check makes up from a seed. */
interface Batch {
  readonly seed: number
  readonly runs: number
}

/** What is played from a seed, in parts that each have at least so many operations, and at least as many as wanted in all. */
export function partsOf(wanted: number, seed: number) {
  return Array.from({ length: Math.ceil(wanted / perPart) }, (_, part) => {
    const least = Math.min(perPart, wanted - part * perPart)
    return { least, batches: batchesOf(least, seed * 1_000_000 + part * seedsPerPart) }
  })
}

function batchesOf(least: number, first: number): readonly Batch[] {
  const batches: Batch[] = []
  let missing = least
  for (let seed = first; missing > 0; seed++) {
    const batch = { seed, runs: Math.ceil(missing / perHistory) }
    batches.push(batch)
    missing -= tally(drawn(batch)).operations
  }
  return batches
}

/** The histories themselves: the same ones that a check with this seed plays. */
export function drawn({ seed, runs }: Batch): readonly History[] {
  return fc.sample(histories(), { seed, numRuns: runs })
}

/** How much histories have of everything. */
export function tally(played: readonly History[]) {
  const steps = played.flatMap((history) => history.steps)
  const faults = steps.flatMap((one) => faultOf(one) ?? [])
  return {
    histories: played.length,
    operations: steps.filter(({ is }) => operations.has(is)).length,
    faults: faults.length,
    kinds: new Set(faults).size,
  }
}
