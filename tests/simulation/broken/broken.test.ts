import { expect, test } from 'vitest'
import { findWrong, setStage } from '../check.ts'
import { broken } from './breaks.ts'

/*
 * Whether the histories would notice: the product broken on purpose, once in each way that would lose, double, mix up,
 * announce too early or ask without need. Each has to be found, in as many histories as `npm test` plays.
 */

/** Only what hangs fails by it: some breaks show in one history of a hundred. */
const timeout = 1_800_000

test.each(Object.entries(broken))(
  'a product that %s is found out',
  { timeout },
  async (what, mutations) => {
    const found = await findWrong({
      stage: await setStage(mutations),
      runs: 90,
      seed: 1,
      mayShrink: false,
      // They take long and show none of these.
      without: ['another owner', 'weeks pass', 'clock', 'back up', 'restore', 'profile'],
    })
    expect(found).toBeDefined()
    // oxlint-disable-next-line no-console -- by which promise it was found
    console.info(`${what}: ${found?.split('\n')[0]}`)
  },
)
