import { expect, test, vi } from 'vitest'
import { createOutbox } from '#client/outbox/outbox.ts'
import type { Answer } from '#client/outbox/ports.ts'
import { thrownAway, type Operation } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import { memoryStore, fallbackStore } from '#client/outbox/fallback-store.ts'

let count = 0
function operation(change: Partial<Operation> = {}): Operation {
  count++
  return {
    id: `op-${String(count).padStart(3, '0')}`,
    subject: { on: 'entry', section: 'proyect', id: `e-${count}` },
    verb: 'update',
    values: { name: 'x' },
    label: 'x',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}

/** An outbox whose server gives the answers in turn, then says yes to everything; what arrived is there for all once `shown` is. */
function outboxWith(
  answers: readonly (Answer | Promise<Answer>)[] = [],
  store: OutboxStore & Partial<ReturnType<typeof fallbackStore>> = memoryStore(),
  shown: Promise<void> = Promise.resolve(),
) {
  const sent: string[] = []
  const versions: (number | undefined)[] = []
  /** How many operations this page showed as queued at each answer. */
  const applied: number[] = []
  const left = [...answers]
  const connection = { isOnline: true, isOwner: true }
  const outbox = createOutbox({
    store,
    send: async ({ id, version }) => {
      sent.push(id)
      versions.push(version)
      return left.shift() ?? { is: 'applied' }
    },
    whileSending: (run) => run(),
    isOwner: () => connection.isOwner,
    isOnline: () => connection.isOnline,
    isKept: () => store.isKept?.() ?? true,
    isLeft: async (ids) => store.isLeft?.(ids) ?? false,
    onApplied: async () => {
      applied.push(outbox.getState().operations.length)
      await shown
    },
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, sent, versions, applied, connection, store }
}

const refusal = { code: 'datos-no-validos', reason: 'Revisa los campos marcados.' }

test('a change is done once the server said yes, and nothing is left', async () => {
  const { outbox, sent, store } = outboxWith()
  const change = operation()
  await expect(outbox.add(change)).resolves.toEqual({ state: 'saved' })
  expect(sent).toEqual([change.id])
  expect(await store.read()).toEqual([])
})

test('offline a change is kept untried and said to be queued', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  await expect(outbox.add(operation())).resolves.toEqual({ state: 'queued', because: 'offline' })
  expect(sent).toEqual([])
  expect(await store.read()).toMatchObject([{ tries: 0 }])
})

test('what was queued offline leaves in the order it was made', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  const made = [operation(), operation(), operation()]
  for (const change of made) await outbox.add(change)
  connection.isOnline = true
  void outbox.drain({ force: true })
  await expect.poll(() => store.read()).toEqual([])
  expect(sent).toEqual(made.map(({ id }) => id))
})

test('after no answer the same operation is sent again, later, with the same key', async () => {
  vi.useFakeTimers()
  const { outbox, sent, store } = outboxWith([
    { is: 'later', isTrouble: false },
    { is: 'later', isTrouble: false },
  ])
  const change = operation()
  await expect(outbox.add(change)).resolves.toEqual({ state: 'queued', because: 'no-answer' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toEqual([change.id, change.id])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(sent).toEqual([change.id, change.id, change.id])
  expect(await store.read()).toEqual([])
  vi.useRealTimers()
})

test('a refused change stays with its reason, holds its dependents and lets the others go', async () => {
  const { outbox, sent, connection, store } = outboxWith([{ is: 'refused', refusal }])
  connection.isOnline = false
  const refused = operation({ subject: { on: 'entry', section: 'skill', id: 's' } })
  const free = operation()
  await outbox.add(refused)
  await outbox.add(free)
  connection.isOnline = true
  void outbox.drain({ force: true })
  await expect.poll(() => store.read()).toHaveLength(1)
  expect(sent).toEqual([refused.id, free.id])
  expect(await store.read()).toMatchObject([{ id: refused.id, refusal }])
})

test('without a session everything waits for the login and then goes', async () => {
  const { outbox, sent, store } = outboxWith([{ is: 'login' }])
  const change = operation()
  const settled = outbox.add(change)
  await expect.poll(() => outbox.getState().needsLogin).toBe(true)
  expect(await store.read()).toHaveLength(1)
  outbox.answerLogin(true)
  await expect(settled).resolves.toEqual({ state: 'saved' })
  expect(sent).toEqual([change.id, change.id])
  expect(await store.read()).toEqual([])
})

test('a login put off leaves the change in the queue and says so', async () => {
  const { outbox, store } = outboxWith([{ is: 'login' }])
  const settled = outbox.add(operation())
  await expect.poll(() => outbox.getState().needsLogin).toBe(true)
  outbox.answerLogin(false)
  await expect(settled).resolves.toEqual({ state: 'queued', because: 'login' })
  expect(await store.read()).toHaveLength(1)
})

test('after a login put off nothing of hers goes by itself, and a message does', async () => {
  const { outbox, sent, connection, store } = outboxWith([{ is: 'login' }])
  connection.isOnline = false
  const change = operation()
  await outbox.add(change)
  connection.isOnline = true
  void outbox.drain()
  await expect.poll(() => outbox.getState().needsLogin).toBe(true)
  outbox.answerLogin(false)
  const message = operation({
    subject: { on: 'message', id: 'm' },
    verb: 'create',
    madeAt: new Date().toISOString(),
  })
  await store.update((operations) => ({ operations: [...operations, message], result: undefined }))
  void outbox.drain()
  await outbox.discard('another')
  await expect.poll(() => store.read()).toHaveLength(1)
  expect(sent).toEqual([change.id, message.id])
})

test('after a login put off her own word sends again', async () => {
  const { outbox, sent } = outboxWith([{ is: 'login' }, { is: 'login' }])
  const change = operation()
  const settled = outbox.add(change)
  await expect.poll(() => outbox.getState().needsLogin).toBe(true)
  outbox.answerLogin(false)
  await settled
  await outbox.drain({ force: true })
  expect(outbox.getState().needsLogin).toBe(true)
  await outbox.drain({ force: true })
  expect(sent).toEqual([change.id, change.id, change.id])
})

test('two pages of one browser send each change once and in order', async () => {
  const store = memoryStore()
  const one = outboxWith([], store)
  const two = outboxWith([], store)
  one.connection.isOnline = two.connection.isOnline = false
  const made: string[] = []
  for (const page of [one, two, one, two]) {
    const change = operation()
    made.push(change.id)
    await page.outbox.add(change)
  }
  void one.outbox.drain({ force: true })
  void two.outbox.drain({ force: true })
  await expect.poll(() => store.read()).toEqual([])
  expect([...one.sent, ...two.sent].toSorted()).toEqual(made)
})

test('a discarded change and its picture are gone and never sent', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  const change = operation({ image: { field: 'image', name: 'a.png' } })
  await outbox.add(change, { picture: new Blob(['x']) })
  expect(await store.picture(change.id)).toBeInstanceOf(Blob)
  await outbox.discard(change.id)
  connection.isOnline = true
  void outbox.drain({ force: true })
  expect(await store.read()).toEqual([])
  expect(await store.picture(change.id)).toBeUndefined()
  expect(sent).toEqual([])
})

test('a discarded create takes the edits built on it along, and nothing else', async () => {
  const { outbox, sent, connection, store } = outboxWith([{ is: 'later', isTrouble: false }])
  const create = operation({ verb: 'create' })
  await outbox.add(create)
  connection.isOnline = false
  const { subject } = create
  const picture = new Blob(['x'])
  const edit = operation({ subject, image: { field: 'image', name: 'a.png' } })
  await outbox.add(edit, { picture })
  const removal = operation({ subject, verb: 'remove', tries: 1 })
  const other = operation()
  await store.update((operations) => ({
    operations: [...operations, removal, other],
    result: undefined,
  }))
  connection.isOnline = true
  await outbox.discard(create.id)
  expect(await store.picture(edit.id)).toBeUndefined()
  await expect.poll(() => store.read()).toEqual([])
  expect(sent).toEqual([create.id, removal.id, other.id])
})

test('a discard without a network sends nothing, so that what waits can still be merged', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  const [first, second] = [operation(), operation()]
  await outbox.add(first)
  await outbox.add(second)
  await outbox.discard(first.id)
  expect(sent).toEqual([])
  expect(await store.read()).toMatchObject([{ id: second.id, tries: 0 }])
})

test('a change handed back never looks as if it had arrived', async () => {
  const { outbox } = outboxWith([{ is: 'refused', refusal }])
  const change = operation()
  const looks: string[] = []
  outbox.subscribe(() => {
    looks.push(...(outbox.getState().applied ?? []))
  })
  await outbox.add(change)
  expect(looks).toEqual([])
})

test('several changes are queued in one turn, each as it would be alone, and none of them twice', async () => {
  const kept = memoryStore()
  const turns: number[] = []
  const { outbox, sent, connection, store } = outboxWith([], {
    ...kept,
    update: async (change) => {
      const result = await kept.update(change)
      turns.push((await kept.read()).length)
      return result
    },
  })
  connection.isOnline = false
  const create = operation({ verb: 'create' })
  const edit = operation({ subject: create.subject, values: { repo: 'r' } })
  const [other, last] = [operation(), operation()]
  await expect(outbox.addAll([create, other, edit, last])).resolves.toMatchObject({ isKept: true })
  expect(turns).toEqual([3])
  await outbox.addAll([create, edit, last])
  expect(await store.read()).toMatchObject([
    { id: create.id, values: { name: 'x', repo: 'r' } },
    { id: other.id },
    { id: last.id },
  ])
  connection.isOnline = true
  await outbox.drain()
  expect(sent).toEqual([create.id, other.id, last.id])
})

test('of several changes the refused ones stay with the reason, and the others go on', async () => {
  const { outbox, sent, store } = outboxWith([{ is: 'refused', refusal }])
  const [first, second] = [operation(), operation()]
  const { results } = await outbox.addAll([first, second])
  await expect(results).resolves.toEqual([
    { state: 'queued', because: 'trouble' },
    { state: 'saved' },
  ])
  expect(sent).toEqual([first.id, second.id])
  expect(await store.read()).toMatchObject([{ id: first.id, refusal }])
})

test('a change refused while its form waits is handed back and not kept', async () => {
  const { outbox, store } = outboxWith([{ is: 'refused', refusal }])
  await expect(outbox.add(operation())).resolves.toEqual({ state: 'refused', refusal })
  expect(await store.read()).toEqual([])
})

test('a change that no form takes back is kept with the reason', async () => {
  const { outbox, store } = outboxWith([{ is: 'refused', refusal }])
  const change = operation()
  await expect(outbox.add(change, { isFormless: true })).resolves.toMatchObject({ state: 'queued' })
  expect(await store.read()).toMatchObject([{ id: change.id, refusal }])
})

test('an edit folded into a queued one is not handed back: the queue keeps both with the reason', async () => {
  const { outbox, connection, store } = outboxWith([{ is: 'refused', refusal }])
  connection.isOnline = false
  const first = operation({ values: { name: 'a' } })
  await outbox.add(first)
  connection.isOnline = true
  const second = operation({ subject: first.subject, values: { repo: 'b' } })
  await expect(outbox.add(second)).resolves.toEqual({ state: 'queued', because: 'trouble' })
  expect(await store.read()).toMatchObject([{ values: { name: 'a', repo: 'b' }, refusal }])
})

test('two changes of one thing that leave as one are both said to be saved', async () => {
  const busy = Promise.withResolvers<Answer>()
  const { outbox, sent } = outboxWith([busy.promise])
  const other = outbox.add(operation())
  const first = operation()
  const { subject } = first
  const both = [
    outbox.add(first),
    outbox.add(operation({ subject, values: { repo: 'r' } })),
    outbox.add(operation({ subject, values: { repo: 's' } })),
  ]
  await vi.waitFor(() => expect(outbox.getState().operations.at(-1)?.values['repo']).toBe('s'))
  busy.resolve({ is: 'applied' })
  await other
  await expect(Promise.all(both)).resolves.toEqual(both.map(() => ({ state: 'saved' })))
  expect(sent).toHaveLength(2)
})

test('a server in trouble three times is told as failed, and the change is tried on', async () => {
  vi.useFakeTimers()
  const trouble: Answer = { is: 'later', isTrouble: true }
  const { outbox, sent, store } = outboxWith([trouble, trouble, trouble])
  const settled = outbox.add(operation())
  await vi.advanceTimersByTimeAsync(3_000)
  await expect(settled).resolves.toEqual({ state: 'queued', because: 'trouble' })
  expect(sent).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await store.read()).toEqual([])
  vi.useRealTimers()
})

test('a server that asks for a long wait is told as failed at once, one that asks for a short wait is not', async () => {
  vi.useFakeTimers()
  const { outbox, sent, store } = outboxWith([
    { is: 'later', isTrouble: true, afterMs: 10_000 },
    { is: 'later', isTrouble: true, afterMs: 10_001 },
  ])
  let settled: unknown
  void outbox.add(operation()).then((outcome) => (settled = outcome))
  await vi.advanceTimersByTimeAsync(9_999)
  expect([sent.length, settled]).toEqual([1, undefined])
  await vi.advanceTimersByTimeAsync(1)
  expect([sent.length, settled]).toEqual([2, { state: 'queued', because: 'trouble' }])
  await vi.advanceTimersByTimeAsync(10_001)
  expect(await store.read()).toEqual([])
  vi.useRealTimers()
})

test('a conflict is sent again over the version the person chose', async () => {
  const conflict = { ...refusal, code: 'version-cambiada', current: { version: 7, fields: {} } }
  const { outbox, connection, store } = outboxWith([{ is: 'refused', refusal: conflict }])
  const change = operation({ version: 3 })
  connection.isOnline = false
  await outbox.add(change)
  connection.isOnline = true
  void outbox.drain({ force: true })
  await expect.poll(() => store.read()).toMatchObject([{ refusal: conflict }])
  await outbox.retry(change.id, { version: 7 })
  await expect.poll(() => store.read()).toEqual([])
})

test('an edit of a change in conflict is not sent before the choice, and its maker hears that it waits for it', async () => {
  const conflict = { ...refusal, code: 'version-cambiada', current: { version: 7, fields: {} } }
  const waiting = operation({ version: 3, tries: 1, refusal: conflict })
  const { outbox, sent, store } = outboxWith([], memoryStore([waiting]))
  const edit = operation({ subject: waiting.subject, version: 7, values: { repo: 'r' } })
  await expect(outbox.add(edit)).resolves.toEqual({ state: 'queued', because: 'conflict' })
  await outbox.drain({ force: true })
  expect(sent).toEqual([])
  expect(await store.read()).toMatchObject([
    { values: { name: 'x', repo: 'r' }, refusal: conflict },
  ])
})

test.each([true, false])(
  'a change that stands behind a refused one says so (with a network: %s)',
  async (isOnline) => {
    const refused = operation({ tries: 1, refusal })
    const { outbox, sent, connection } = outboxWith([], memoryStore([refused]))
    connection.isOnline = isOnline
    const behind = operation({ subject: refused.subject, seen: [] })
    await expect(outbox.add(behind)).resolves.toEqual({ state: 'queued', because: 'blocked' })
    expect(sent).toEqual([])
  },
)

test('correcting a refused change sends it with the edits behind it, as one', async () => {
  const refused = operation({ values: { name: 'mal' }, tries: 1, refusal })
  const { subject } = refused
  const behind = operation({ subject, values: { repo: 'r' } })
  const { outbox, sent, store } = outboxWith([], memoryStore([refused, behind]))
  const correction = operation({ subject, values: { name: 'bien' } })
  await expect(outbox.add(correction)).resolves.toEqual({ state: 'saved' })
  expect(sent).toEqual([refused.id])
  expect(await store.read()).toEqual([])
})

test('when the first change cannot be sent, whoever waits behind it is told too', async () => {
  const { outbox } = outboxWith([{ is: 'later', isTrouble: false }])
  const settled = [outbox.add(operation()), outbox.add(operation())]
  await expect(Promise.all(settled)).resolves.toEqual([
    { state: 'queued', because: 'no-answer' },
    { state: 'queued', because: 'no-answer' },
  ])
})

test('without a network only the person’s own word hands anything to it', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  const create = operation({ verb: 'create' })
  await outbox.add(create)
  void outbox.drain()
  await outbox.add({ ...operation({ subject: create.subject, verb: 'remove' }), values: {} })
  expect(await store.read()).toEqual([])
  await outbox.add(operation())
  await outbox.drain({ force: true })
  expect(sent).toHaveLength(1)
})

test('a form opened before an earlier change arrived goes on from the version that it made', async () => {
  const { outbox, versions } = outboxWith([{ is: 'applied', version: 4 }])
  const first = operation({ version: 3 })
  await outbox.add(first)
  await outbox.add(operation({ subject: first.subject, version: 3 }))
  expect(versions).toEqual([3, 4])
})

test('a step of more than one version has somebody else’s change in it and is not taken over', async () => {
  const { outbox, versions } = outboxWith([{ is: 'applied', version: 5 }])
  const first = operation({ version: 3 })
  await outbox.add(first)
  await outbox.add(operation({ subject: first.subject, version: 3 }))
  expect(versions).toEqual([3, 3])
})

test('a refused change that others were built on is kept with them', async () => {
  const answer = Promise.withResolvers<Answer>()
  const { outbox, store } = outboxWith([answer.promise])
  const create = operation({ verb: 'create' })
  const settled = outbox.add(create)
  await expect.poll(() => store.read()).toMatchObject([{ tries: 1 }])
  void outbox.add(operation({ subject: create.subject }))
  await expect.poll(() => store.read()).toHaveLength(2)
  answer.resolve({ is: 'refused', refusal })
  await expect(settled).resolves.toEqual({ state: 'queued', because: 'trouble' })
  expect(await store.read()).toMatchObject([{ refusal }, { tries: 0 }])
})

test('a device that keeps nothing does not stand in the way of sending', async () => {
  const told: unknown[] = []
  const full = { ...memoryStore(), update: () => Promise.reject(new Error('full')) }
  const store = fallbackStore({ open: () => full, onTrouble: (cause) => told.push(cause) })
  const { outbox, sent } = outboxWith([], store)
  const settled = [outbox.add(operation()), outbox.add(operation())]
  await expect(Promise.all(settled)).resolves.toEqual([{ state: 'saved' }, { state: 'saved' }])
  expect(sent).toHaveLength(2)
  expect(told).toHaveLength(1)
})

test('what waits on a device that keeps nothing is never told as kept, however often it happens', async () => {
  const full = { ...memoryStore(), update: () => Promise.reject(new Error('full')) }
  const { outbox, connection, sent } = outboxWith(
    [],
    fallbackStore({ open: () => full, onTrouble: () => {} }),
  )
  connection.isOnline = false
  const made = [operation(), operation()]
  for (const change of made)
    await expect(outbox.add(change)).resolves.toEqual({ state: 'queued', because: 'not-kept' })
  connection.isOnline = true
  await outbox.drain({ force: true })
  expect(sent).toEqual(made.map(({ id }) => id))
})

/** An offline outbox over a device that can refuse to write, and what lies on the device. */
function refusingDevice() {
  const device = memoryStore()
  const state = { isFull: false }
  const update: OutboxStore['update'] = (turn) =>
    state.isFull ? Promise.reject(new Error('full')) : device.update(turn)
  const store = fallbackStore({ open: () => ({ ...device, update }), onTrouble: () => {} })
  const { outbox, connection } = outboxWith([], store)
  connection.isOnline = false
  const idsOf = (operations: readonly Operation[] = []) => operations.map(({ id }) => id)
  return {
    outbox,
    state,
    waiting: () => idsOf(outbox.getState().operations),
    onDevice: async () => idsOf(await device.read()),
  }
}

test('what a removal leaves nothing of is done only where the device forgets it too', async () => {
  const { outbox, state } = refusingDevice()
  const create = operation({ verb: 'create' })
  await outbox.add(create)
  state.isFull = true
  // The next page would find it on the device and send it.
  const removal = operation({ subject: create.subject, verb: 'remove', seen: [create.id] })
  await expect(outbox.add(removal)).resolves.toEqual({ state: 'queued', because: 'not-kept' })
  // What the device never had is gone with this page's memory of it.
  const other = operation({ verb: 'create' })
  await outbox.add(other)
  const end = operation({ subject: other.subject, verb: 'remove', seen: [other.id] })
  await expect(outbox.add(end)).resolves.toEqual({ state: 'saved' })
})

test('what the device does not forget waits on, and is not said to be discarded', async () => {
  const { outbox, state, waiting, onDevice } = refusingDevice()
  const [kept, regretted] = [operation(), operation()]
  await outbox.addAll([kept, regretted])
  state.isFull = true
  // The next page would find it on the device and send it.
  await expect(outbox.discard(regretted.id)).resolves.toBe(false)
  expect(waiting()).toEqual([kept.id, regretted.id])
  // What the device never had is gone with this page's memory of it.
  const unkept = operation()
  await outbox.add(unkept)
  await expect(outbox.discard(unkept.id)).resolves.toBe(true)
  await expect(outbox.discard(regretted.id)).resolves.toBe(false)
  expect(waiting()).toEqual([kept.id, regretted.id])
  state.isFull = false
  await expect(outbox.discard(regretted.id)).resolves.toBe(true)
  expect(waiting()).toEqual([kept.id])
  expect(await onDevice()).toEqual([kept.id])
})

test('what another account left is discarded only where the device forgets it', async () => {
  const { outbox, state, waiting, onDevice } = refusingDevice()
  const left = operation({ owner: { account: 'b', userName: 'eva' } })
  await outbox.addAll([left])
  state.isFull = true
  await expect(outbox.discardOf('b')).resolves.toBe(false)
  expect(waiting()).toEqual([left.id])
  state.isFull = false
  await expect(outbox.discardOf('b')).resolves.toBe(true)
  expect(await onDevice()).toEqual([])
})

test('what one page sent is shown on the others before it leaves their queue', async () => {
  const store = memoryStore()
  const [one, two] = [outboxWith([], store), outboxWith([], store)]
  one.connection.isOnline = two.connection.isOnline = false
  await Promise.all([one.outbox.start(), two.outbox.start()])
  await one.outbox.add(operation())
  await expect.poll(() => two.outbox.getState().operations).toHaveLength(1)
  await one.outbox.drain({ force: true })
  await expect.poll(() => two.outbox.getState().operations).toEqual([])
  expect(two.applied).toEqual([1])
})

test('what another page takes back is not said to be done', async () => {
  const store = memoryStore()
  const busy = Promise.withResolvers<Answer>()
  const one = outboxWith([busy.promise], store)
  const other = outboxWith([], store)
  other.connection.isOnline = false
  await Promise.all([one.outbox.start(), other.outbox.start()])
  void one.outbox.add(operation())
  await expect.poll(() => one.sent).toHaveLength(1)
  other.connection.isOnline = true
  const change = operation()
  const settled = other.outbox.add(change)
  await expect.poll(() => store.read()).toHaveLength(2)
  await one.outbox.discard(change.id)
  busy.resolve({ is: 'applied' })
  await expect(settled).resolves.toEqual({ state: 'queued', because: 'trouble' })
  expect([...one.sent, ...other.sent]).not.toContain(change.id)
})

test('what another page began to send since she was asked is not discarded unless she knows', async () => {
  const store = memoryStore()
  const answer = Promise.withResolvers<Answer>()
  const [one, other] = [outboxWith([answer.promise], store), outboxWith([], store)]
  one.connection.isOnline = other.connection.isOnline = false
  await Promise.all([one.outbox.start(), other.outbox.start()])
  const change = operation()
  await one.outbox.add(change)
  await expect.poll(() => other.outbox.getState().operations).toMatchObject([{ tries: 0 }])
  one.connection.isOnline = true
  const sending = one.outbox.drain({ force: true })
  await expect.poll(() => one.sent).toEqual([change.id])
  await other.outbox.discard(change.id, true)
  // The list says by then what she can know.
  expect(other.outbox.getState().operations).toMatchObject([{ tries: 1 }])
  await other.outbox.discard(change.id)
  expect(await store.read()).toEqual([])
  answer.resolve({ is: 'applied' })
  await sending
})

test.each([
  [{ is: 'applied' }, { state: 'saved' }],
  [
    { is: 'refused', refusal: { code: 'prohibido', reason: 'No' } },
    { state: 'queued', because: 'trouble' },
  ],
  [
    { is: 'later', isTrouble: false },
    { state: 'queued', because: 'trouble' },
  ],
] as const satisfies readonly (readonly [Answer, ChangeResult])[])(
  'what another page discards on its way is said to be what it became: %o',
  async (answer, became) => {
    const store = memoryStore()
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const [one, other] = [outboxWith([promise], store), outboxWith([], store)]
    other.connection.isOnline = false
    await Promise.all([one.outbox.start(), other.outbox.start()])
    const change = operation()
    const told = vi.fn<(result: ChangeResult) => void>()
    const settled = one.outbox.add(change).then(told)
    await expect.poll(() => one.sent).toEqual([change.id])
    await expect.poll(() => other.outbox.getState().operations).toHaveLength(1)
    await other.outbox.discard(change.id)
    await expect.poll(() => one.outbox.getState().operations).toEqual([])
    expect(told).not.toHaveBeenCalled()
    resolve(answer)
    await settled
    expect(told).toHaveBeenCalledExactlyOnceWith(became)
    expect(await store.read()).toEqual([])
  },
)

test.each([0, 1])(
  'what another page discards once the server has said yes to it was saved, with %i behind it',
  async (behind) => {
    const store = memoryStore()
    const answer = Promise.withResolvers<Answer>()
    const shown = Promise.withResolvers<void>()
    const one = outboxWith([answer.promise], store, shown.promise)
    const other = outboxWith([], store)
    other.connection.isOnline = false
    await Promise.all([one.outbox.start(), other.outbox.start()])
    const change = operation()
    const told = vi.fn<(result: ChangeResult) => void>()
    const settled = one.outbox.add(change).then(told)
    for (let more = 0; more < behind; more++) void one.outbox.add(operation())
    const tried = async () => (await store.read()).filter(({ tries }) => tries === 1)
    await expect.poll(tried).toHaveLength(1 + behind)
    answer.resolve({ is: 'applied' })
    await expect.poll(() => one.applied).toHaveLength(1)
    await other.outbox.discard(change.id)
    await expect.poll(() => one.outbox.getState().operations).toHaveLength(behind)
    shown.resolve()
    await settled
    expect(told).toHaveBeenCalledExactlyOnceWith({ state: 'saved' })
  },
)

test('what was counted ahead and did not leave counts as untried again', async () => {
  const { outbox, connection, store, sent } = outboxWith([{ is: 'later', isTrouble: false }])
  connection.isOnline = false
  await outbox.add(operation())
  await outbox.add(operation())
  connection.isOnline = true
  await outbox.drain({ force: true })
  expect(sent).toHaveLength(1)
  expect((await store.read()).map(({ tries }) => tries)).toEqual([1, 0])
})

test('what was counted ahead and came back from a page that knew less stays tried', async () => {
  const first = Promise.withResolvers<Answer>()
  const { outbox, connection, store } = outboxWith([first.promise])
  connection.isOnline = false
  await outbox.add(operation())
  await outbox.add(operation())
  connection.isOnline = true
  const sending = outbox.drain({ force: true })
  await expect.poll(async () => (await store.read())[1]).toMatchObject({ tries: 1 })
  const held = { code: thrownAway, reason: 'Borrado.' }
  await store.update((operations) => ({
    operations: operations.map((one, index) => (index === 1 ? { ...one, refusal: held } : one)),
    result: undefined,
  }))
  first.resolve({ is: 'applied' })
  await sending
  expect(await store.read()).toMatchObject([{ tries: 1, refusal: held }])
})

test('a change taken back while the one before is on its way does not leave', async () => {
  const first = Promise.withResolvers<Answer>()
  const { outbox, connection, store, sent } = outboxWith([first.promise])
  connection.isOnline = false
  const [made, regretted, last] = [operation(), operation(), operation()]
  for (const change of [made, regretted, last]) await outbox.add(change)
  connection.isOnline = true
  void outbox.drain({ force: true })
  await expect.poll(async () => (await store.read())[1]).toMatchObject({ tries: 1 })
  await outbox.discard(regretted.id)
  first.resolve({ is: 'applied' })
  await expect.poll(() => store.read()).toEqual([])
  expect(sent).toEqual([made.id, last.id])
})

test('sending has not ended while a request is on its way, whatever fails beside it', async () => {
  const second = Promise.withResolvers<Answer>()
  const store = memoryStore()
  const idle = vi.fn<() => void>()
  const outbox = createOutbox({
    store,
    send: ({ id }) => (id === made[1]?.id ? second.promise : Promise.resolve({ is: 'applied' })),
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => false,
    onApplied: ({ operation: { id } }) =>
      id === made[0]?.id ? Promise.reject(new Error('no row')) : Promise.resolve(),
    onIdle: idle,
    log: () => {},
  })
  const made = [operation(), operation(), operation()]
  for (const change of made) await outbox.add(change)
  const flushed = outbox.drain({ force: true })
  await expect.poll(async () => (await store.read())[1]).toMatchObject({ tries: 1 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(idle).not.toHaveBeenCalled()
  second.resolve({ is: 'later', isTrouble: false })
  await flushed
  expect(idle).toHaveBeenCalledOnce()
  expect(outbox.getState().sending).toBeUndefined()
})
