import { beforeAll, expect, test } from 'vitest'
import { findWrong, setStage } from './check.ts'
import { operations } from './steps.ts'
import type { Stage } from './world/world.ts'

/*
 * Random histories of the real tabs, queue and forms against the real calls, while everything on the way fails. They are
 * played in a time of their own, so that one takes the same course wherever it is played. `HISTORY_SEED=7` begins others,
 * with `HISTORY_PATH` it is one that was reported; `HISTORY_OPERATIONS=10000` plays more.
 */
const seed = Number(process.env['HISTORY_SEED'] ?? 1)
const path = process.env['HISTORY_PATH']
const wanted = Number(process.env['HISTORY_OPERATIONS'] ?? 1_000)
/** About as many operations as an average history has. */
const perHistory = 12
/** Operations in one part: what hangs is known long before all of them would have been played. */
const perPart = 25
/** Seeds that lie between those of two parts, so that none plays what another has. */
const seedsPerPart = 100

/** How many operations each part plays at least, and the seed that it begins with. One that is played again stands alone. */
const parts: readonly (readonly [operations: number, first: number])[] =
  path === undefined
    ? Array.from({ length: Math.ceil(wanted / perPart) }, (_, part) => [
        Math.min(perPart, wanted - part * perPart),
        seed * 1_000_000 + part * seedsPerPart,
      ])
    : [[1, seed]]

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})

/** Plays some histories; resolves to how many operations they had, and to the one that was wrong. */
async function played(first: number, runs: number) {
  let count = 0
  const wrong = await findWrong({
    stage,
    seed: first,
    path,
    runs,
    onPlayed: ({ steps }) => (count += steps.filter(({ is }) => operations.has(is)).length),
  })
  return { count, wrong }
}

test.each(parts)(
  '%s operations under faults: nothing is lost, doubled, mixed up or said too early',
  async (least, first) => {
    let done = 0
    for (let next = first; done < least; next++) {
      const { count, wrong } = await played(next, Math.ceil((least - done) / perHistory))
      expect(wrong).toBe(undefined)
      done += count
      if (path !== undefined) return
    }
  },
  120_000,
)
