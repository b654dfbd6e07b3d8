import { expect, test, vi } from 'vitest'
import { mirror } from '#client/offline/mirror.ts'

/** A store whose writes end when the test says so. */
function slowStore() {
  const written: (string | null)[] = []
  const ends: { resolve: () => void; reject: (cause: unknown) => void }[] = []
  const troubles: unknown[] = []
  const keep = (value: string | null) => {
    written.push(value)
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }))
  }
  const end = async (cause?: unknown) => {
    const next = ends.shift()
    if (cause === undefined) next?.resolve()
    else next?.reject(cause)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { keep, end, written, troubles, onTrouble: (cause: unknown) => troubles.push(cause) }
}

test('what is written can be read at once', () => {
  const copy = mirror('old', slowStore())
  copy.setItem('k', 'new')
  expect(copy.getItem()).toBe('new')
  copy.removeItem()
  expect(copy.getItem()).toBeNull()
})

test('changes during a write are kept together afterwards, the latest only', async () => {
  const store = slowStore()
  const copy = mirror(null, store)
  for (const value of ['a', 'b', 'c']) copy.setItem('k', value)
  expect(store.written).toEqual(['a'])
  await store.end()
  expect(store.written).toEqual(['a', 'c'])
  await store.end()
  expect(store.written).toEqual(['a', 'c'])
  copy.setItem('k', 'd')
  expect(store.written).toEqual(['a', 'c', 'd'])
})

test('an unchanged value is not written', () => {
  const store = slowStore()
  mirror('same', store).setItem('k', 'same')
  expect(store.written).toEqual([])
})

test('a failing store is told once and left alone, and the value stays readable', async () => {
  const store = slowStore()
  const copy = mirror(null, store)
  copy.setItem('k', 'a')
  await store.end(new Error('full'))
  copy.setItem('k', 'b')
  expect(store.troubles).toHaveLength(1)
  expect(store.written).toEqual(['a'])
  expect(copy.getItem()).toBe('b')
})

test('a burst of changes is kept in ever fewer writes, its last value included', async () => {
  vi.useFakeTimers()
  const written: (string | null)[] = []
  const copy = mirror(null, {
    keep: async (value) => void written.push(value),
    onTrouble: () => {},
  })
  for (let n = 0; n < 200; n++) {
    copy.setItem('k', `${n}`)
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(100)
  expect(written.slice(0, 3)).toEqual(['0', '1', '2'])
  expect(written.length).toBeLessThan(40)
  expect(written.at(-1)).toBe('199')
  await vi.advanceTimersByTimeAsync(1_000)
  copy.setItem('k', 'alone')
  await vi.advanceTimersByTimeAsync(0)
  expect(written.at(-1)).toBe('alone')
  vi.useRealTimers()
})
