import { expect, test } from 'vitest'
import type { Later } from '#client/outbox/ports.ts'
import { isPauseOfLane, isTemporary, newsOf, pauseMs } from '#client/outbox/retry-rule.ts'

const later = (change: Partial<Later> = {}): Later => ({ is: 'later', isTrouble: true, ...change })

test.each([
  [408, true],
  [409, true],
  [425, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [404, false],
  [412, false],
  [422, false],
])('an answer of %i may be followed by a better one: %s', (status, may) => {
  expect(isTemporary(status)).toBe(may)
})

test('each try waits twice as long as the one before, a minute at most', () => {
  const waits = [0, 1, 2, 5, 6, 60].map((failed) => pauseMs(later(), failed) / 1000)
  expect(waits).toEqual([1, 2, 4, 32, 60, 60])
})

test('a time that the server names counts, and no timer is given more than it can hold', () => {
  expect(pauseMs(later({ afterMs: 600_000 }), 3)).toBe(600_000)
  expect(pauseMs(later({ afterMs: Number.MAX_SAFE_INTEGER }), 0)).toBe(2 ** 31 - 1)
})

test.each([
  ['nobody answers', later({ isTrouble: false }), 1, true],
  ['the server names a time', later({ afterMs: 1 }), 1, true],
  ['two things are in trouble', later(), 2, false],
  ['three things are in trouble', later(), 3, true],
])('when %s, everything of its lane waits: %s', (_, answer, inTrouble, ofLane) => {
  expect(isPauseOfLane(answer, inTrouble)).toBe(ofLane)
})

test('when one thing alone gets no answer for the third time, it waits by itself until more of them get none', () => {
  const silent = later({ isTrouble: false })
  expect(isPauseOfLane(silent, 1, 2)).toBe(true)
  expect(isPauseOfLane(silent, 1, 3)).toBe(false)
  expect(isPauseOfLane(silent, 3, 9)).toBe(true)
})

test.each([
  ['no answer', { isTrouble: false }, { troubles: 0, delayMs: 1_000 }, 'waits'],
  ['trouble once', {}, { troubles: 1, delayMs: 1_000 }, undefined],
  ['trouble for the third time', {}, { troubles: 3, delayMs: 4_000 }, 'trouble'],
  ['trouble and a long wait', {}, { troubles: 1, delayMs: 10_001 }, 'trouble'],
  ['the read-only mode', { isReadOnly: true }, { troubles: 9, delayMs: 60_000 }, 'waits'],
] as const)('after %s a maker hears', (_, answer, wait, news) => {
  expect(newsOf(later(answer), { on: 'entry', ...wait })).toBe(news)
})

test('the read-only mode is no reason for a message to wait', () => {
  const wait = { on: 'message', troubles: 1, delayMs: 60_000 } as const
  expect(newsOf(later({ isReadOnly: true }), wait)).toBe('trouble')
})
