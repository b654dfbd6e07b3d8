import { afterAll, beforeAll, expect, test } from 'vitest'
import { findWrong, setStage } from './check.ts'
import { leastDone, partsOf, tally, usual } from './draw.ts'
import type { History } from './play.ts'
import type { Stage } from './world/world.ts'

/*
 * Random histories of the real tabs, queue and forms against the real calls, while everything on the way fails. They are
 * played in a time of their own, so that one takes the same course wherever it is played. `HISTORY_SEED=7` begins others,
 * with `HISTORY_PATH` it is one that was reported; `HISTORY_OPERATIONS=10000` plays more.
 */
const seed = Number(process.env['HISTORY_SEED'] ?? 1)
const path = process.env['HISTORY_PATH']
const wanted = Number(process.env['HISTORY_OPERATIONS'] ?? usual)

/** One that is played again stands alone. */
const parts =
  path === undefined ? partsOf(wanted, seed) : [{ least: 1, batches: [{ seed, runs: 1 }] }]

/** Only what hangs fails by it, in milliseconds: a part may have to share its core with a dozen others. */
const timeout = 600_000

const played: History[] = []
let done = 0
let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => {
  // oxlint-disable-next-line no-console -- how much was looked at
  console.info(`Played: ${JSON.stringify({ ...tally(played), done })}`)
})

test.each(parts)(
  '$least operations under faults: nothing is lost, doubled, mixed up or said too early',
  async ({ batches }) => {
    for (const batch of batches) {
      const before = played.length
      const wrong = await findWrong({
        ...batch,
        stage,
        path,
        onPlayed: (history, doneInIt) => {
          played.push(history)
          done += doneInIt
        },
      })
      expect(wrong).toBe(undefined)
      // More where one that was reported holds by now: then those follow that were tried to make it smaller.
      expect(played.length - before).toBeGreaterThanOrEqual(batch.runs)
    }
  },
  timeout,
)

// Of a few it would say nothing.
test.skipIf(path !== undefined || wanted < usual)('enough of them was handed over', () => {
  expect(done).toBeGreaterThanOrEqual(leastDone(wanted))
})
