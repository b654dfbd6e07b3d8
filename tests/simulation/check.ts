import { Script } from 'node:vm'
import fc from 'fast-check'
import { within } from '#tests/support/within.ts'
import { histories } from './draw.ts'
import { play, type History } from './play.ts'
import { inWords, type Step } from './steps.ts'
import { bundleStorage, bundleTab, type Mutation } from './world/bundle.ts'
import { freshData } from './world/site.ts'
import type { Stage } from './world/world.ts'

/** So long what was found is made smaller, in milliseconds: on a busy machine that takes minutes. */
const reportsWithinMs = 60_000

/** A history that takes longer hangs: it takes a second or two, and ten of them on a busy machine. */
const hangsAfterS = 90

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
  /** Where a failure that was reported stands, to play it again at once. */
  readonly path?: string | undefined
  /** Told of every history that was played, up to the one that was wrong, and of how much was done in it. */
  readonly onPlayed?: (history: History, done: number) => void
  readonly mayShrink?: boolean
  /** Kinds of steps that are left out. */
  readonly without?: readonly Step['is'][]
}

/** Plays histories until one is wrong; resolves to that one, as small as it could be made, in words. */
export async function findWrong(checking: Checking): Promise<string | undefined> {
  const { stage, runs, seed, path, onPlayed, mayShrink = true, without = [] } = checking
  let until = Infinity
  const property = fc.asyncProperty(histories(without), async (history) => {
    // What is not played any more counts as right, so that the smallest that was wrong is reported.
    if (Date.now() > until) return
    const { wrong, done } = await within(hangsAfterS, 'the end', play(history, stage)).catch(
      (error: unknown) => {
        // What hangs would hang for as long each time.
        if (error instanceof DOMException) until = 0
        throw error
      },
    )
    // Left to itself V8 takes a heap full of closed pages for one that cannot be emptied.
    globalThis.gc?.()
    if (until === Infinity) onPlayed?.(history, done)
    if (wrong.length === 0) return
    until = Math.min(until, Date.now() + reportsWithinMs)
    throw new Error(wrong.join('\n'))
  })
  const result = await fc.check(property, {
    numRuns: runs,
    seed,
    endOnFailure: !mayShrink,
    ...(path !== undefined && { path }),
  })
  const [found] = result.counterexample ?? []
  if (!found) return undefined
  const { errorInstance: error, counterexamplePath, numShrinks } = result
  return [
    error instanceof Error ? error.message : String(error),
    `after ${found.steps.length} steps (made smaller ${numShrinks} times):`,
    ...found.steps.map((one, index) => `  ${index + 1}. ${inWords(one)}`),
    `Again: HISTORY_SEED=${seed} HISTORY_PATH='${counterexamplePath}' npm run histories -- histories.test`,
  ].join('\n')
}
