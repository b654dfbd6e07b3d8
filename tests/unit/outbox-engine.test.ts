import { expect, test, vi } from 'vitest'
import { createOutbox, type Answer } from '#client/data/outbox/outbox.ts'
import type { Operation } from '#client/data/outbox/operation.ts'
import { memoryStore } from '#client/data/outbox/steady-store.ts'

let made = 0
function operation(change: Partial<Operation> = {}): Operation {
  made++
  return {
    id: `op-${String(made).padStart(3, '0')}`,
    subject: { on: 'entry', section: 'proyect', id: `e-${made}` },
    verb: 'update',
    values: { name: 'x' },
    label: 'x',
    madeAt: '2026-01-01T00:00:00.000Z',
    tries: 0,
    ...change,
  }
}

/** An outbox whose server gives the answers in turn, then says yes to everything. */
function outboxWith(answers: readonly Answer[] = [], store = memoryStore()) {
  const sent: string[] = []
  const left = [...answers]
  const connection = { isOnline: true, isOwner: true }
  const outbox = createOutbox({
    store,
    send: async ({ id }) => {
      sent.push(id)
      return left.shift() ?? { is: 'applied' }
    },
    isOwner: () => connection.isOwner,
    isOnline: () => connection.isOnline,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, sent, connection, store }
}

const refusal = { code: 'datos-no-validos', reason: 'Revisa los campos marcados.' }

test('a change is done once the server said yes, and nothing is left', async () => {
  const { outbox, sent, store } = outboxWith()
  const change = operation()
  await expect(outbox.add(change)).resolves.toEqual({ is: 'done' })
  expect(sent).toEqual([change.id])
  expect(await store.read()).toEqual([])
})

test('offline a change is kept untried and said to be queued', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  await expect(outbox.add(operation())).resolves.toEqual({ is: 'queued' })
  expect(sent).toEqual([])
  expect(await store.read()).toMatchObject([{ tries: 0 }])
})

test('what was queued offline leaves in the order it was made', async () => {
  const { outbox, sent, connection, store } = outboxWith()
  connection.isOnline = false
  const made = [operation(), operation(), operation()]
  for (const change of made) await outbox.add(change)
  connection.isOnline = true
  outbox.kick()
  await vi.waitFor(async () => expect(await store.read()).toEqual([]))
  expect(sent).toEqual(made.map(({ id }) => id))
})

test('after no answer the same operation is sent again, later, with the same key', async () => {
  vi.useFakeTimers()
  const { outbox, sent, store } = outboxWith([
    { is: 'later', isTrouble: false },
    { is: 'later', isTrouble: false },
  ])
  const change = operation()
  await expect(outbox.add(change)).resolves.toEqual({ is: 'queued' })
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
  outbox.kick()
  await vi.waitFor(async () => expect(await store.read()).toHaveLength(1))
  expect(sent).toEqual([refused.id, free.id])
  expect(await store.read()).toMatchObject([{ id: refused.id, refusal }])
})

test('without a session everything waits for the login and then goes', async () => {
  const { outbox, sent, store } = outboxWith([{ is: 'login' }])
  const change = operation()
  const settled = outbox.add(change)
  await vi.waitFor(() => expect(outbox.getState().needsLogin).toBe(true))
  expect(await store.read()).toHaveLength(1)
  outbox.answerLogin(true)
  await expect(settled).resolves.toEqual({ is: 'done' })
  expect(sent).toEqual([change.id, change.id])
  expect(await store.read()).toEqual([])
})

test('a login put off leaves the change in the queue and says so', async () => {
  const { outbox, store } = outboxWith([{ is: 'login' }])
  const settled = outbox.add(operation())
  await vi.waitFor(() => expect(outbox.getState().needsLogin).toBe(true))
  outbox.answerLogin(false)
  await expect(settled).resolves.toEqual({ is: 'queued' })
  expect(await store.read()).toHaveLength(1)
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
  one.outbox.kick()
  two.outbox.kick()
  await vi.waitFor(async () => expect(await store.read()).toEqual([]))
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
  outbox.kick()
  expect(await store.read()).toEqual([])
  expect(await store.picture(change.id)).toBeUndefined()
  expect(sent).toEqual([])
})

test('a change refused while its form waits is handed back and not kept', async () => {
  const { outbox, store } = outboxWith([{ is: 'refused', refusal }])
  await expect(outbox.add(operation())).resolves.toEqual({ is: 'refused', refusal })
  expect(await store.read()).toEqual([])
})

test('an edit folded into a queued one is not handed back: the queue keeps both with the reason', async () => {
  const { outbox, connection, store } = outboxWith([{ is: 'refused', refusal }])
  connection.isOnline = false
  const first = operation({ values: { name: 'a' } })
  await outbox.add(first)
  connection.isOnline = true
  const second = operation({ subject: first.subject, values: { repo: 'b' } })
  await expect(outbox.add(second)).resolves.toEqual({ is: 'failed' })
  expect(await store.read()).toMatchObject([{ values: { name: 'a', repo: 'b' }, refusal }])
})

test('a server in trouble three times is told as failed, and the change is tried on', async () => {
  vi.useFakeTimers()
  const trouble: Answer = { is: 'later', isTrouble: true }
  const { outbox, sent, store } = outboxWith([trouble, trouble, trouble])
  const settled = outbox.add(operation())
  await vi.advanceTimersByTimeAsync(3_000)
  await expect(settled).resolves.toEqual({ is: 'failed' })
  expect(sent).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(4_000)
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
  outbox.kick()
  await vi.waitFor(async () => expect(await store.read()).toMatchObject([{ refusal: conflict }]))
  await outbox.retry(change.id, { version: 7 })
  await vi.waitFor(async () => expect(await store.read()).toEqual([]))
})
