import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arranged } from '#contract/entries/order.ts'
import { movedRows } from '#client/owner/editor/moved-rows.ts'

const moved = (touched: string, before: string, after: string) =>
  movedRows(new Set(touched.split('')), { before: before.split(''), after: after.split('') }).join(
    '',
  )

test('a move that was taken back is none, whichever way it was', () => {
  expect(moved('ab', 'abcd', 'abcd')).toBe('')
  expect(moved('abd', 'abcd', 'abdc')).toBe('d')
  expect(moved('ac', 'abcd', 'bcad')).toBe('a')
})

test('of rows that passed each other as few as possible have moved', () => {
  expect(moved('a', 'abcd', 'bcda')).toBe('a')
  expect(moved('ab', 'abcd', 'bacd')).toBe('a')
  expect(moved('abcd', 'abcd', 'dabc')).toBe('d')
  expect(moved('ad', 'abcd', 'bdac')).toBe('da')
})

test('a row that nobody touched is never said to have moved', () => {
  expect(moved('abc', 'abcd', 'dabc')).toBe('abc')
})

test('what is said to have moved makes the same order, and nothing of it could be spared', () => {
  const steps = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 12 })
  fc.assert(
    fc.property(steps, (moves) => {
      const before = 'abcdefg'.split('')
      let after = before
      const touched = new Set<string>()
      for (const [from, to] of moves) {
        const id = after[from] ?? ''
        after = after.toSpliced(from, 1).toSpliced(to, 0, id)
        touched.add(id)
      }
      const found = movedRows(touched, { before, after })
      const rows = before.map((id) => ({ id }))
      const orderOf = (some: readonly string[]) =>
        arranged(rows, { order: after, moved: some }).map(({ id }) => id)
      expect(orderOf(found)).toEqual(after)
      for (const id of found)
        expect(orderOf(found.filter((other) => other !== id))).not.toEqual(after)
    }),
  )
})
