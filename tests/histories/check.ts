import { Script } from 'node:vm'
import fc from 'fast-check'
import { play, type History } from './play.ts'
import { inWords, step, type Step } from './steps.ts'
import { bundleStorage, bundleTab, type Mutation } from './world/bundle.ts'
import { freshData } from './world/site.ts'
import type { Stage } from './world/world.ts'

/** What was found by then is reported as small as it has become, in milliseconds: on a busy machine making it smaller takes minutes. */
const reportsWithinMs = 60_000
/** Long enough for what needs three or four things to come together, and over and over. */
const longest = 60

/** Histories of every kind; one that fails is made smaller by leaving steps out and by having everything take less. */
function histories(without: readonly Step['is'][]): fc.Arbitrary<History> {
  const wanted = step.filter(({ is }) => !without.includes(is))
  return fc.record({
    seed: fc.nat({ max: 2 ** 31 }),
    steps: fc.array(wanted, { minLength: 1, maxLength: longest, size: 'max' }),
  })
}

/** A stage for the product as it is or, with mutations, broken on purpose. */
export async function setStage(mutations: readonly Mutation[] = []): Promise<Stage> {
  const tab = new Script(await bundleTab(mutations), { filename: 'tab.js' })
  const storage = new Script(await bundleStorage(), { filename: 'storage.js' })
  return { scripts: { tab, storage }, data: await freshData() }
}

interface Checking {
  readonly stage: Stage
  readonly runs: number
  readonly seed: number
  /** Of a failure that was reported, to play it again at once. */
  readonly path?: string | undefined
  /** Told of every history that was played. */
  readonly onPlayed?: (history: History) => void
  readonly mayShrink?: boolean
  /** Kinds of steps that are left out. */
  readonly without?: readonly Step['is'][]
}

/** Plays histories until one is wrong; resolves to that one, as small as it could be made, in words. */
export async function findWrong(checking: Checking): Promise<string | undefined> {
  const { stage, runs, seed, path, onPlayed, mayShrink = true, without = [] } = checking
  const property = fc.asyncProperty(histories(without), async (history) => {
    const wrong = await play(history, stage)
    onPlayed?.(history)
    if (wrong.length > 0) throw new Error(wrong.join('\n'))
  })
  const result = await fc.check(property, {
    numRuns: runs,
    seed,
    endOnFailure: !mayShrink,
    // One that is only looked for is looked for to the end.
    plugins: mayShrink ? [fc.interruptAfterTimeLimit(reportsWithinMs) as fc.Plugin<[History]>] : [],
    ...(path !== undefined && { path }),
  })
  const [found] = result.counterexample ?? []
  if (!found) return undefined
  const { errorInstance: error, counterexamplePath, numShrinks } = result
  return [
    error instanceof Error ? error.message : String(error),
    `after ${found.steps.length} steps (made smaller ${numShrinks} times):`,
    ...found.steps.map((one, index) => `  ${index + 1}. ${inWords(one)}`),
    `Again: HISTORY_SEED=${seed} HISTORY_PATH='${counterexamplePath}' npm run histories`,
  ].join('\n')
}
