import { expect, test } from 'vitest'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { ApiError } from '#client/data/api.ts'
import { deviceStatusOf, stateWords } from '#client/owner/notifications/push-switch.tsx'
import { troubleOf } from '#client/owner/calls/use-trouble.ts'

const answered = (status: number) =>
  new ApiError({ status, json: undefined, headers: new Headers() })

test('only what got no answer is the connection’s fault', () => {
  const silence = new TypeError('fetch failed')
  expect([true, false].map((isOffline) => troubleOf(silence, isOffline))).toEqual([
    'offline',
    'silent',
  ])
  expect([500, 401].map((status) => troubleOf(answered(status), true))).toEqual([
    'refused',
    'session',
  ])
})

test.each([
  [{ isListed: false, isKnown: false, trouble: undefined }, noticeTexts.checking],
  [{ isListed: false, isKnown: false, trouble: 'offline' }, noticeTexts.unknown],
  [{ isListed: false, isKnown: false, trouble: 'refused' }, noticeTexts.unknownAtServer],
  [{ isListed: true, isKnown: true, trouble: 'offline' }, noticeTexts.on],
  [{ isListed: false, isKnown: true, trouble: undefined }, noticeTexts.off],
] as const)('of a device that the browser lets ring, %j says «%s»', (answer, words) => {
  expect(stateWords('on', deviceStatusOf(answer))).toBe(words)
})

test('what the browser forbids needs no word of the server', () => {
  expect(stateWords('denied', 'asking')).toBe(noticeTexts.denied)
  expect(stateWords('off', 'failed')).toBe(noticeTexts.off)
})
