import fc from 'fast-check'
import { expect, test } from '#tests/support/browser.ts'
import { openLine } from '#tests/support/cutting-proxy.ts'
import { openDevice } from '#tests/support/device.ts'
import {
  createSiteHistory,
  siteStep,
  usual,
  type SiteStep,
} from '#tests/simulation/site-history.ts'
import { emptySections } from '#tests/support/queue.ts'
import { openSite } from '#tests/support/site.ts'
import { within } from '#tests/support/within.ts'

/*
 * A random history with the real product and a real browser. `HISTORY_SEED=7` plays another one, `HISTORY_OPERATIONS=200` a
 * longer one, `HISTORY_STEPS` one that was reported; the thousands of operations are in `tests/simulation`, where pages are
 * cheap.
 */
const seed = Number(process.env['HISTORY_SEED'] ?? 1)
const length = Number(process.env['HISTORY_OPERATIONS'] ?? usual)
const reported = process.env['HISTORY_STEPS']

/** Every operation goes through a form, and a machine may be slow. */
const playMs = 60_000 + length * 12_000
/** A step that takes longer hangs. */
const hangsAfterS = 90
/** What is wrong is made smaller by playing others, so many at most and begun for so long. */
const mostReplays = 24
const replayMs = 180_000

test.describe.configure({ timeout: 2 * playMs + replayMs })

test(`history ${seed}: whatever fails, each of ${length} changes arrives once and is shown throughout @main`, async ({
  locale,
  contextOptions,
}) => {
  const options = { ...contextOptions, ...(locale !== undefined && { locale }) }
  const found: { readonly words: string; readonly wrong: Error }[] = []
  let replays = 0
  let until = Infinity
  // What is left out first is what came last.
  const property = fc.asyncProperty(fc.array(siteStep), async (latestFirst) => {
    const steps = latestFirst.toReversed()
    // What goes on after one that was wrong is wrong, too.
    const earlier = found.find(({ words }) => `${inWords(steps)}, `.startsWith(`${words}, `))
    if (earlier) throw earlier.wrong
    // Those that are not played any more count as right, so that the smallest that was wrong is told.
    if (replays++ > mostReplays || Date.now() > until) return
    const { played, wrong } = await play(steps)
    if (!wrong) return
    // What hangs would hang for as long each time.
    until = wrong.name === 'TimeoutError' ? 0 : Math.min(until, Date.now() + replayMs)
    found.push({ words: inWords(played), wrong })
    throw wrong
  })
  const first = reported === undefined ? drawn() : read(reported)
  await fc.check(property, { examples: [[first.toReversed()]], numRuns: 1 })
  const smallest = found.at(-1)
  if (!smallest) return
  const { words, wrong } = smallest
  const again = `Again: HISTORY_STEPS='${words}' npm run e2e -- outbox-history`
  throw new Error(`${wrong.message}\n\nafter ${words}\n\n${again}`, { cause: wrong })

  /** Plays steps on a new site and a new device until there were enough operations; resolves to what was wrong. */
  async function play(steps: readonly SiteStep[]) {
    const played: SiteStep[] = []
    const site = await openSite()
    const line = await openLine(site.url)
    const device = await openDevice({ url: line.url, options })
    try {
      await emptySections(site)
      const history = createSiteHistory({ site, device, line })
      await within(hangsAfterS, 'the beginning', history.begin())
      for (const step of steps) {
        if (history.operations() === length) break
        played.push(step)
        await within(hangsAfterS, step.is, history.act(step))
      }
      const { stored, expected, versions, expectedVersions, ...sent } = await within(
        hangsAfterS,
        'the end',
        history.settle(),
      )
      expect(stored).toEqual(expected)
      expect(sent.messages).toEqual(sent.expectedMessages)
      expect(versions).toEqual(expectedVersions)
      return { played, wrong: undefined }
    } catch (error) {
      return { played, wrong: error instanceof Error ? error : new Error(String(error)) }
    } finally {
      await device.close()
      line.close()
      await site.close()
    }
  }
})

/** More steps than so many operations need. */
function drawn(): readonly SiteStep[] {
  const many = fc.array(siteStep, { minLength: 6 * length, maxLength: 6 * length, size: 'max' })
  return fc.sample(many, { seed, numRuns: 1, unbiased: true }).flat()
}

const inWords = (steps: readonly SiteStep[]) =>
  steps.map(({ is, number }) => `${is} ${number}`).join(', ')

const read = (steps: string) =>
  steps.split(', ').map((step) => {
    const [is, number] = step.split(' ')
    return { is: is as SiteStep['is'], number: Number(number) }
  })
