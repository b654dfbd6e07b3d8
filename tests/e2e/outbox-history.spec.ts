import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { createRandom } from '#tests/support/history/random.ts'
import { createSiteHistory } from '#tests/support/history/site-history.ts'
import { emptySections } from '#tests/support/queue.ts'

/*
 * A random history with the real product and a real browser. `HISTORY_SEED=7` plays another one, `HISTORY_OPERATIONS=200` a
 * longer one; the thousands of operations are in the unit tests, where pages are cheap.
 */
const seed = Number(process.env['HISTORY_SEED'] ?? 1)
const length = Number(process.env['HISTORY_OPERATIONS'] ?? 40)

test.use({ writes: true })
// Every operation goes through a form, and a machine may be slow.
test.describe.configure({ timeout: 60_000 + length * 12_000 })

test(`history ${seed}: whatever fails, each of ${length} changes arrives once and is shown throughout`, async ({
  site,
  device,
  line,
}) => {
  await emptySections(site)
  const history = createSiteHistory({ site, device, line, random: createRandom(seed) })
  await history.begin()
  while (history.operations() < length) await history.act()
  const { stored, expected, versions, expectedVersions, ...written } = await history.settle()
  expect(stored).toEqual(expected)
  expect(written.messages).toEqual(written.expectedMessages)
  expect(versions).toEqual(expectedVersions)
})
