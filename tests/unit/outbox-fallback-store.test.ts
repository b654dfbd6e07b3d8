import { expect, test, vi } from 'vitest'
import type { Operation } from '#client/outbox/operation.ts'
import { memoryStore, fallbackStore } from '#client/outbox/fallback-store.ts'
import { keptOf } from '#client/owner/access/log-out-question.tsx'
import type { OutboxStore, Update } from '#client/outbox/store.ts'

const operation = (id: string, change: Partial<Operation> = {}): Operation => ({
  id,
  subject: { on: 'entry', section: 'proyect', id },
  verb: 'update',
  values: {},
  label: '',
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
  ...change,
})

/** A device that can be full, with a queue on it, and the fallback store over it. */
function fallbackOver(queued: readonly Operation[]) {
  const device = memoryStore(queued)
  const state = { isFull: false }
  const told: unknown[] = []
  const guarded: OutboxStore = {
    ...device,
    update: (change) => (state.isFull ? Promise.reject(new Error('full')) : device.update(change)),
  }
  const store = fallbackStore({ open: () => guarded, onTrouble: (cause) => void told.push(cause) })
  return { device, state, store, told }
}

const change =
  (make: (operations: readonly Operation[]) => readonly Operation[], pictures = {}) =>
  (operations: readonly Operation[]): Update<undefined> => ({
    operations: make(operations),
    pictures,
    result: undefined,
  })
const add = (added: Operation, pictures = {}) =>
  change((operations) => [...operations, added], pictures)
const remove = (gone: string) =>
  change((operations) => operations.filter(({ id }) => id !== gone), { [gone]: undefined })
const idsIn = async (store: OutboxStore) => (await store.read()).map(({ id }) => id)

test('what a full device does not take is on it with the first change after there is room', async () => {
  const { device, state, store, told } = fallbackOver([operation('a'), operation('b')])
  state.isFull = true
  const picture = new Blob(['x'])
  await store.update(add(operation('c'), { c: picture }))
  await store.update(remove('a'))
  expect(store.isKept()).toBe(false)
  expect(await idsIn(store)).toEqual(['b', 'c'])
  expect(await idsIn(device)).toEqual(['a', 'b'])
  state.isFull = false
  await store.update(add(operation('d')))
  expect(store.isKept()).toBe(true)
  expect(await idsIn(device)).toEqual(['b', 'c', 'd'])
  expect(await device.picture('c')).toBe(picture)
  expect(told).toHaveLength(1)
})

test('what is for the device alone changes nothing while that is full', async () => {
  const { device, state, store } = fallbackOver([operation('a')])
  state.isFull = true
  await expect(store.update(remove('a'), true)).rejects.toThrow('full')
  expect(store.isKept()).toBe(true)
  await store.update(add(operation('b')))
  await expect(store.update(remove('a'), true)).rejects.toThrow('full')
  expect(await idsIn(store)).toEqual(['a', 'b'])
  state.isFull = false
  await store.update(remove('a'), true)
  expect(await idsIn(device)).toEqual(['b'])
})

test('what a device that was filled had before outlives the page, and nothing later does', async () => {
  const a = operation('a')
  const { state, store } = fallbackOver([a])
  const kept = (...operations: Operation[]) => keptOf(operations, store.left())
  expect(kept(a)).toBe('all')
  state.isFull = true
  const tried = { ...a, tries: 1 }
  await store.update(change(() => [tried]))
  expect(kept(tried)).toBe('all')
  const more = { ...a, changes: ['a', 'a-2'] }
  const b = operation('b')
  await store.update(change(() => [more, b]))
  expect([kept(more), kept(more, b), kept(b)]).toEqual(['some', 'some', 'none'])
  state.isFull = false
  await store.update(add(operation('c')))
  expect(kept(more, b)).toBe('all')
})

test('what she decided about a refusal while the device was full does not outlive the page', async () => {
  const refused = operation('a', { refusal: { code: 'version-cambiada', reason: 'No.' } })
  const { state, store } = fallbackOver([refused])
  state.isFull = true
  await store.update(change(() => [refused, operation('b')]))
  expect(keptOf([refused], store.left())).toBe('all')
  const again = operation('a')
  await store.update(change(() => [again]))
  expect(keptOf([again], store.left())).toBe('none')
})

test('what another page did to the device meanwhile counts when the two come together', async () => {
  const { device, state, store } = fallbackOver([operation('a'), operation('b'), operation('c')])
  state.isFull = true
  await store.update(
    change((all) => all.map((one) => (one.id === 'b' ? { ...one, tries: 1 } : one))),
  )
  await device.update(remove('a'))
  await device.update(
    change((all) => all.map((one) => (one.id === 'c' ? { ...one, tries: 2 } : one))),
  )
  await device.update(add(operation('e')))
  state.isFull = false
  await store.update(add(operation('d')))
  expect((await device.read()).map(({ id, tries }) => [id, tries])).toEqual([
    ['b', 1],
    ['c', 2],
    ['e', 0],
    ['d', 0],
  ])
})

test('changes that come at once are each taken along once', async () => {
  const { device, state, store } = fallbackOver([])
  state.isFull = true
  await store.update(add(operation('a')))
  state.isFull = false
  await Promise.all([store.update(remove('a')), store.update(add(operation('b')))])
  expect(await idsIn(device)).toEqual(['b'])
})

/** A device that answers only once it is let, with the fallback store over it. */
function fallbackOverSilent(queued: readonly Operation[]) {
  const device = memoryStore(queued)
  const told: unknown[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
  const silent: OutboxStore = {
    read: () => answered.then(() => device.read()),
    picture: (id) => answered.then(() => device.picture(id)),
    update: (turn) => answered.then(() => device.update(turn)),
  }
  const store = fallbackStore({ open: () => silent, onTrouble: (cause) => void told.push(cause) })
  return { device, store, told, answer }
}

test('a device that does not answer is done without, and asked again once it has', async () => {
  vi.useFakeTimers()
  try {
    const { device, store, told, answer } = fallbackOverSilent([operation('a')])
    const picture = new Blob(['x'])
    const adding = store.update(add(operation('b'), { b: picture }))
    await vi.runAllTimersAsync()
    await adding
    // No other wait from here on: no timer runs.
    await store.update(add(operation('c')))
    expect(await idsIn(store)).toEqual(['b', 'c'])
    expect(await store.picture('b')).toBe(picture)
    expect(store.isKept()).toBe(false)
    expect(told).toHaveLength(1)
    await store.update(remove('b'))
    answer(undefined)
    await vi.runAllTimersAsync()
    expect(await idsIn(device), 'kept too late').toEqual(['a', 'b'])
    await store.update(add(operation('d')))
    expect(store.isKept()).toBe(true)
    expect(await idsIn(device), 'what left meanwhile does not come back').toEqual(['a', 'c', 'd'])
  } finally {
    vi.useRealTimers()
  }
})
