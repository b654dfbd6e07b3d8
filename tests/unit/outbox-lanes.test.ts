import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxTexts } from '#contract/texts/outbox.ts'
import type { Operation, Subject } from '#client/outbox/operation.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import type { Answer, OutboxPorts } from '#client/outbox/ports.ts'
import { fallbackStore, memoryStore } from '#client/outbox/fallback-store.ts'
import { sendOperation } from '#client/outbox/send.ts'

/* What is not about the same thing is not held up by it. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const entry = (id: string): Subject => ({ on: 'entry', section: 'proyect', id })
const message: Subject = { on: 'message', id: 'm' }
const settings: Subject = { on: 'settings' }

let count = 0
function operation(id: string, subject: Subject, change: Partial<Operation> = {}): Operation {
  const verb = subject.on === 'message' ? 'create' : 'update'
  const values = { name: `x${count++}` }
  const madeAt = new Date().toISOString()
  return { id, subject, verb, values, label: id, madeAt, tries: 0, ...change }
}

/** An outbox with something queued, whose server answers each operation as the table says, else yes. */
function outboxWith(
  queued: readonly Operation[],
  answers: Record<string, Answer | (() => Answer)> = {},
  { store = memoryStore(queued), ...ports }: Partial<OutboxPorts> = {},
) {
  const sent: string[] = []
  const connection = { isOnline: true }
  const outbox = createOutbox({
    store,
    send: async ({ id }) => {
      sent.push(id)
      const answer = answers[id] ?? { is: 'applied' }
      return typeof answer === 'function' ? answer() : answer
    },
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => connection.isOnline,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
    ...ports,
  })
  const left = async () => (await store.read()).map(({ id }) => id)
  return { outbox, sent, left, connection }
}

const asked = (seconds: number): Answer => ({
  is: 'later',
  isTrouble: true,
  afterMs: seconds * 1_000,
})
const trouble: Answer = { is: 'later', isTrouble: true }
const silence: Answer = { is: 'later', isTrouble: false }
const closed: Answer = { is: 'later', isTrouble: true, afterMs: 60_000, isReadOnly: true }
const turns = () => vi.advanceTimersByTimeAsync(0)

test("a message that has to wait holds none of the owner's changes, and waits as long as it was asked to", async () => {
  const queue = [operation('message', message), operation('edit', entry('1'))]
  const { outbox, sent, left } = outboxWith(queue, { message: asked(600) })
  void outbox.drain()
  await turns()
  expect(sent).toEqual(['message', 'edit'])
  expect(await left()).toEqual(['message'])
  void outbox.drain()
  await vi.advanceTimersByTimeAsync(599_999)
  expect(sent).toEqual(['message', 'edit'])
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toEqual(['message', 'edit', 'message'])
})

test("the owner's changes that have to wait hold no message and no setting", async () => {
  const queue = [
    operation('edit', entry('1')),
    operation('other', entry('2')),
    operation('setting', settings),
    operation('message', message),
  ]
  const { outbox, sent, left } = outboxWith(queue, { edit: asked(600) })
  void outbox.drain()
  await turns()
  expect(sent).toEqual(['edit', 'setting', 'message'])
  expect(await left()).toEqual(['edit', 'other'])
})

test('a change that arrives in the middle goes although others were asked to wait', async () => {
  const { outbox, sent } = outboxWith([operation('message', message)], { message: asked(600) })
  void outbox.drain()
  await turns()
  await expect(outbox.add(operation('edit', entry('1')))).resolves.toEqual({ state: 'saved' })
  expect(sent).toEqual(['message', 'edit'])
})

test('trouble with one entry holds what follows on it and nothing else', async () => {
  const queue = [
    operation('first', entry('1'), { tries: 1 }),
    operation('behind', entry('1')),
    operation('other', entry('2')),
  ]
  let isBroken = true
  const { outbox, sent, left } = outboxWith(queue, {
    first: () => (isBroken ? trouble : { is: 'applied' }),
  })
  void outbox.drain()
  await turns()
  expect(sent).toEqual(['first', 'other'])
  isBroken = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toEqual(['first', 'other', 'first', 'behind'])
  expect(await left()).toEqual([])
})

test('a server that has trouble with everything is not asked for everything', async () => {
  const queue = Array.from({ length: 50 }, (_, n) => operation(`edit-${n}`, entry(String(n))))
  const { outbox, sent } = outboxWith(
    queue,
    Object.fromEntries(queue.map(({ id }) => [id, trouble])),
  )
  void outbox.drain()
  await turns()
  expect(sent).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent.length).toBeLessThan(40)
})

test('the read-only mode is ended although a change that it refuses was queued first', async () => {
  let isReadOnly = true
  const queue = [
    operation('edit', entry('1')),
    operation('message', message),
    operation('setting', settings, { values: { maintenance_readonly: 'false' }, tries: 1 }),
  ]
  const write = (): Answer => (isReadOnly ? closed : { is: 'applied' })
  const { outbox, sent, left } = outboxWith(queue, {
    edit: write,
    message: write,
    setting: () => {
      isReadOnly = false
      return { is: 'applied' }
    },
  })
  void outbox.drain()
  await turns()
  expect(sent).toEqual(['setting', 'edit', 'message'])
  expect(await left()).toEqual([])
})

test('what the read-only mode holds goes as soon as it ends, and until then waits without being called a failure', async () => {
  let isReadOnly = true
  const { outbox, sent, left } = outboxWith([], {
    edit: () => (isReadOnly ? closed : { is: 'applied' }),
    setting: () => {
      isReadOnly = false
      return { is: 'applied' }
    },
  })
  await expect(outbox.add(operation('edit', entry('1')))).resolves.toEqual({
    state: 'queued',
    because: 'read-only',
  })
  expect(outbox.getState().isReadOnly).toBe(true)
  await expect(outbox.add(operation('later', entry('2')))).resolves.toEqual({
    state: 'queued',
    because: 'read-only',
  })
  expect(sent).toEqual(['edit'])
  const opening = operation('setting', settings, { values: { maintenance_readonly: 'false' } })
  await expect(outbox.add(opening)).resolves.toEqual({ state: 'saved' })
  await turns()
  expect(sent).toEqual(['edit', 'setting', 'edit', 'later'])
  expect(await left()).toEqual([])
  expect(outbox.getState().isReadOnly).toBe(false)
})

test('another page that hears of the end of the read-only mode goes on too', async () => {
  const store = memoryStore([operation('edit', entry('1'))])
  let isReadOnly = true
  const page = () =>
    createOutbox({
      store,
      send: async ({ id }) => {
        if (id === 'edit') return isReadOnly ? closed : { is: 'applied' }
        isReadOnly = false
        return { is: 'applied' }
      },
      whileSending: (run) => run(),
      isOwner: () => true,
      isOnline: () => true,
      onApplied: async () => {},
      onIdle: () => {},
      log: () => {},
    })
  const [one, two] = [page(), page()]
  vi.useRealTimers()
  await Promise.all([one.start(), two.start()])
  await expect.poll(() => two.getState().isReadOnly).toBe(true)
  await one.add(operation('setting', settings, { values: { maintenance_readonly: 'false' } }))
  await expect.poll(() => store.read()).toEqual([])
  await expect.poll(() => two.getState().isReadOnly).toBe(false)
})

test('without an answer to a message the changes are tried, and the other way round', async () => {
  const queue = [operation('message', message), operation('edit', entry('1'))]
  const { outbox, sent } = outboxWith(queue, { message: silence })
  void outbox.drain()
  await turns()
  expect(sent).toEqual(['message', 'edit'])
})

test('a change that never gets an answer, as where something on the way lets it not through, does not hold the others for ever', async () => {
  const queue = [
    operation('never', entry('1')),
    operation('behind', entry('1')),
    operation('edit', entry('2')),
    operation('last', entry('3')),
  ]
  const { outbox, sent, left } = outboxWith(queue, { never: silence })
  void outbox.drain()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await left()).toEqual(['never', 'behind'])
  await vi.advanceTimersByTimeAsync(100_000)
  // It is tried on, and nobody else waits for it.
  const tries = sent.length
  await outbox.add(operation('new', entry('4')))
  await turns()
  expect(await left()).toEqual(['never', 'behind'])
  expect(tries).toBeGreaterThan(6)
  expect(sent).not.toContain('behind')
})

test('while nobody answers, few of many changes are tried', async () => {
  const queue = Array.from({ length: 50 }, (_, n) => operation(`edit-${n}`, entry(String(n))))
  let isSilent = true
  const answers = queue.map(({ id }) => [id, () => (isSilent ? silence : { is: 'applied' })])
  const { outbox, sent, left } = outboxWith(
    queue,
    Object.fromEntries(answers) as Record<string, () => Answer>,
  )
  void outbox.drain()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([...new Set(sent)]).toEqual(['edit-0', 'edit-1', 'edit-2'])
  isSilent = false
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await left()).toEqual([])
})

test('a change of somebody who waits is told as waiting, not left hanging, while its kind has to wait', async () => {
  const { outbox } = outboxWith([operation('edit', entry('1'))], { edit: asked(600) })
  void outbox.drain()
  await turns()
  await expect(outbox.add(operation('other', entry('2')))).resolves.toEqual({
    state: 'queued',
    because: 'no-answer',
  })
})

test('her own word tries everything again at once', async () => {
  const { outbox, sent } = outboxWith([operation('edit', entry('1'))], { edit: asked(600) })
  void outbox.drain()
  await turns()
  await outbox.drain({ force: true })
  expect(sent).toEqual(['edit', 'edit'])
})

test('a wait longer than any timer takes does not become none', async () => {
  const { outbox, sent } = outboxWith([operation('edit', entry('1'))], { edit: asked(9_999_999) })
  void outbox.drain()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toEqual(['edit'])
})

test('a picture that the browser has lost waits for another one, with a reason', async () => {
  const image = { field: 'image', name: 'a.png' }
  const lost = async () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  const queue = [operation('pictured', entry('1'), { image })]
  const store = { ...memoryStore(queue), picture: lost }
  const calls = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', calls)
  vi.spyOn(console, 'error').mockReturnValue()
  const { outbox } = outboxWith([], {}, { store, send: sendOperation })
  await outbox.drain()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).not.toHaveBeenCalled()
  expect(await store.read()).toMatchObject([
    { id: 'pictured', refusal: { reason: outboxTexts.pictureLost } },
  ])
})

test('a picture that cannot be read holds its own change alone, and goes once it can be', async () => {
  const image = { field: 'image', name: 'a.png' }
  const queue = [operation('pictured', entry('1'), { image }), operation('edit', entry('2'))]
  const device = memoryStore(queue)
  let isReadable = false
  const picture = async () => {
    if (!isReadable) throw new DOMException('gone', 'NotReadableError')
    return new Blob(['x'])
  }
  const onTrouble = vi.fn<() => void>()
  const store = fallbackStore({ open: () => ({ ...device, picture }), onTrouble })
  const { outbox, sent, left } = outboxWith([], {}, { store })
  await outbox.drain()
  expect(sent).toEqual(['edit'])
  expect(await left()).toEqual(['pictured'])
  // The rest of the queue is on the device all the same.
  expect(onTrouble).not.toHaveBeenCalled()
  expect(store.isKept()).toBe(true)
  isReadable = true
  await vi.advanceTimersByTimeAsync(1_000)
  expect(sent).toEqual(['edit', 'pictured'])
  expect(await left()).toEqual([])
})

test('an answer that this page cannot show is an answer: its change leaves, and so does what comes after it', async () => {
  const queue = [operation('first', entry('1')), operation('second', entry('2'))]
  const onApplied: OutboxPorts['onApplied'] = async ({ operation: { id } }) => {
    if (id === 'first') throw new TypeError('an answer without a version')
  }
  const { outbox, sent, left } = outboxWith(queue, {}, { onApplied })
  await outbox.drain()
  await turns()
  expect(sent).toEqual(['first', 'second'])
  expect(await left()).toEqual([])
})

test('a browser that refuses the turn of sending once is asked for it again', async () => {
  const request = vi
    .fn<(name: string, task: () => Promise<void>) => Promise<void>>()
    .mockRejectedValueOnce(new DOMException('not active', 'InvalidStateError'))
    .mockImplementation((_, task) => task())
  vi.stubGlobal('navigator', { locks: { request } })
  const { outbox, sent } = outboxWith([operation('edit', entry('1'))])
  await outbox.drain()
  expect(sent).toEqual([])
  await outbox.drain()
  expect(sent).toEqual(['edit'])
})

test('an order that is made while the entry that it moves is refused says what it waits for', async () => {
  const refusal = { code: 'datos-no-validos', reason: 'Revisa los campos marcados.' }
  const refused = operation('made', entry('1'), { verb: 'create', tries: 1, refusal })
  const { outbox, sent } = outboxWith([refused])
  const order = { on: 'order', section: 'proyect' } as const
  const added = outbox.add(operation('order', order, { values: { moved: '2 1' } }))
  await turns()
  await expect(added).resolves.toEqual({ state: 'queued', because: 'blocked' })
  expect(sent).toEqual([])
})
