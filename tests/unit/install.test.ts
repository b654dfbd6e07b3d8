import { expect, test } from 'vitest'
import { mayOffer } from '#client/offline/install-offer.ts'
import { isIos } from '#client/offline/install.ts'

const day = 24 * 60 * 60 * 1000
const first = { now: 1000 * day, refusedAt: undefined, visits: 1, openMs: 44_999 }

test('a first visit is not bothered before 45 seconds', () => {
  expect(mayOffer(first)).toBe(false)
  expect(mayOffer({ ...first, openMs: 45_000 })).toBe(true)
})

test('a second visit is offered it at once', () => {
  expect(mayOffer({ ...first, visits: 2, openMs: 0 })).toBe(true)
})

test('a no holds for 90 days', () => {
  const again = { ...first, visits: 9, openMs: day }
  expect(mayOffer({ ...again, refusedAt: first.now - 89 * day })).toBe(false)
  expect(mayOffer({ ...again, refusedAt: first.now - 90 * day })).toBe(true)
})

test.each([
  ['iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari', 5, true],
  ['iPad that says so', 'Mozilla/5.0 (iPad; CPU OS 15_0 like Mac OS X) Safari', 5, true],
  [
    'iPad that calls itself a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari',
    5,
    true,
  ],
  ['Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari', 0, false],
  ['Android phone', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome', 5, false],
])(
  'of an %s it is known whether its own menu installs',
  (_, userAgent, maxTouchPoints, expected) => {
    expect(isIos({ userAgent, maxTouchPoints })).toBe(expected)
  },
)
