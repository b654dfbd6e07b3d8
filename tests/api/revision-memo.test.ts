import { expect, test } from 'vitest'
import { createRevisionMemo } from '#server/pages/revision-memo.ts'

/** A memo over a revision and a clock that the test moves by hand. */
function openMemo() {
  const state = { revision: 1, now: 0 }
  const memo = createRevisionMemo(async () => state.revision, { clock: () => state.now })
  return { state, memo }
}

test('a revision just read is known, and forgotten after a second', async () => {
  const { state, memo } = openMemo()
  expect(memo.known()).toBeUndefined()
  await memo.read()
  state.now = 999
  expect(memo.known()).toBe(1)
  state.now = 1000
  expect(memo.known()).toBeUndefined()
})

test('nothing is known while somebody writes, nor right after', async () => {
  const { memo } = openMemo()
  await memo.read()
  const [first, second] = [memo.hold(), memo.hold()]
  expect(memo.known()).toBeUndefined()
  first()
  await memo.read()
  expect(memo.known()).toBeUndefined()
  second()
  expect(memo.known()).toBeUndefined()
  await memo.read()
  expect(memo.known()).toBe(1)
})

test('a reading begun before a write ended is not believed after it', async () => {
  const pending = Promise.withResolvers<number>()
  const memo = createRevisionMemo(() => pending.promise, { clock: () => 0 })
  const release = memo.hold()
  const reading = memo.read()
  release()
  pending.resolve(1)
  expect(await reading).toBe(1)
  expect(memo.known()).toBeUndefined()
})

test('whoever follows writes is told after each', () => {
  let told = 0
  const memo = createRevisionMemo(async () => 1, { onWritten: () => told++ })
  const release = memo.hold()
  expect(told).toBe(0)
  release()
  expect(told).toBe(1)
})
