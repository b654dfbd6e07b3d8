import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createHistory } from '#tests/support/history/history.ts'
import { createRandom } from '#tests/support/history/random.ts'

/*
 * Random histories of the queue against a server that loses answers: pages are closed in the middle of things, sessions end,
 * texts are refused, other devices write. `HISTORY_SEED=7` repeats one of them, `HISTORIES=1000` tries as many.
 */
const { HISTORY_SEED: asked, HISTORIES: count = 40 } = process.env
const seeds = asked
  ? [Number(asked)]
  : Array.from({ length: Number(count) }, (_, index) => index + 1)
const steps = 120

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each(seeds)(
  'history %i: every change arrives once and in order, and none is lost',
  async (seed) => {
    vi.useFakeTimers()
    // What the queue logs about lost answers is no news here.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const random = createRandom(seed)
    const history = createHistory(random)
    onTestFinished(history.end)
    for (let step = 0; step < steps; step++) {
      await history.act()
      await vi.advanceTimersByTimeAsync(random.below(30))
    }
    await history.settle()
    expect(history.made()).toBeGreaterThan(10)
    const outcome = history.outcome()
    expect(outcome).toMatchObject({ faults: [], queued: [], twice: [], disordered: [] })
    expect(outcome.stored).toEqual(outcome.expected)
    expect(outcome.shown).toEqual(outcome.listed)
  },
)
