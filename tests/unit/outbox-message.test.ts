import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { messageLifeMs } from '#contract/durations.ts'
import {
  keepMessageDraft,
  messageDraft,
  openMessageDraft,
  settleMessageDraft,
} from '#client/drafts/message-draft.ts'
import { isTooOld, type Operation } from '#client/outbox/operation.ts'
import { markExpired } from '#client/outbox/queue-rules.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import type { Answer } from '#client/outbox/ports.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import type { OutboxStore } from '#client/outbox/store.ts'
import { keepingDevice } from '#tests/support/page-storage.ts'

const madeAt = '2026-01-01T00:00:00.000Z'
const made = Date.parse(madeAt)
const fields = { name: 'Ana', email: 'ana@example.com', message: 'Hola' }
const refusal = { code: 'prohibido', reason: 'Cerrado.' }

function message(change: Partial<Operation> = {}): Operation {
  return {
    id: 'm-1',
    subject: { on: 'message', id: 'm-1' },
    verb: 'create',
    values: fields,
    label: 'Ana',
    madeAt: new Date().toISOString(),
    tries: 0,
    ...change,
  }
}
const ownerEdit = (change: Partial<Operation> = {}) =>
  message({ id: 'o-1', subject: { on: 'person' }, verb: 'update', ...change })

/** A visitor's outbox whose server gives the answers in turn, then says yes to everything. */
function visitorsOutbox(
  queued: readonly Operation[] = [],
  answers: readonly (Answer | Promise<Answer>)[] = [],
  store: OutboxStore = memoryStore(queued),
) {
  const sent: string[] = []
  const stopped: string[] = []
  const left = [...answers]
  const outbox = createOutbox({
    store,
    send: async ({ id }) => {
      sent.push(id)
      return left.shift() ?? { is: 'applied' }
    },
    whileSending: (run) => run(),
    isOwner: () => false,
    isOnline: () => true,
    onApplied: async () => {},
    onStopped: ({ id }) => void stopped.push(id),
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, sent, stopped, store }
}

test('a message is tried for seven days and not a moment longer', () => {
  const queue = [message({ madeAt })]
  expect(markExpired(queue, made + messageLifeMs)).toBe(queue)
  const [old] = markExpired(queue, made + messageLifeMs + 1)
  expect(old).toMatchObject({ id: 'm-1', values: fields })
  expect(old && isTooOld(old)).toBe(true)
})

test('the owner’s changes never get too old, and a refused message keeps its reason', () => {
  const queue = [ownerEdit({ madeAt }), message({ madeAt, refusal })]
  expect(markExpired(queue, made + 2 * messageLifeMs)).toBe(queue)
})

test('a message that got too old is told once, not sent, and holds nothing else back', async () => {
  const young = message({ id: 'm-2', subject: { on: 'message', id: 'm-2' } })
  const { outbox, sent, stopped, store } = visitorsOutbox([message({ madeAt }), young])
  await outbox.drain({ force: true })
  await outbox.drain({ force: true })
  expect(sent).toEqual(['m-2'])
  expect(stopped).toEqual(['m-1'])
  expect(await store.read()).toMatchObject([{ id: 'm-1', values: fields }])
})

test('a message that got too old goes under its own key when the visitor sends it again', async () => {
  const { outbox, sent, store } = visitorsOutbox([message({ madeAt })])
  await outbox.drain({ force: true })
  await outbox.retry('m-1', { madeAt: new Date().toISOString() })
  await expect.poll(() => store.read()).toEqual([])
  expect(sent).toEqual(['m-1'])
})

test('a message refused while nobody waits is told; one whose form is open is the form’s', async () => {
  const no: Answer = { is: 'refused', refusal }
  const late = visitorsOutbox([message()], [no])
  await late.outbox.drain({ force: true })
  expect(late.stopped).toEqual(['m-1'])
  expect(await late.store.read()).toMatchObject([{ id: 'm-1', refusal }])
  const open = visitorsOutbox([], [no])
  await expect(open.outbox.add(message())).resolves.toEqual({ state: 'refused', refusal })
  expect(open.stopped).toEqual([])
  expect(await open.store.read()).toEqual([])
})

test('a message discarded on its way and refused then is told to nobody', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<Answer>()
  const { outbox, sent, stopped, store } = visitorsOutbox([message()], [answer])
  const sending = outbox.drain({ force: true })
  await expect.poll(() => sent).toEqual(['m-1'])
  await expect(outbox.discard('m-1')).resolves.toBe(true)
  resolve({ is: 'refused', refusal })
  await sending
  expect(stopped).toEqual([])
  expect(await store.read()).toEqual([])
})

test('a visitor’s page sends the messages and leaves the owner’s changes alone', async () => {
  const { outbox, sent, store } = visitorsOutbox([ownerEdit(), message()])
  await outbox.drain({ force: true })
  expect(sent).toEqual(['m-1'])
  expect(await store.read()).toMatchObject([{ id: 'o-1', tries: 0 }])
})

test('sending stops, and says so, when something is in the way', async () => {
  const { outbox, sent, store } = visitorsOutbox([message()], [{ is: 'later', isTrouble: false }])
  await outbox.drain({ force: true })
  expect(sent).toEqual(['m-1'])
  expect(await store.read()).toHaveLength(1)
  await outbox.drain({ force: true })
  expect(await store.read()).toEqual([])
})

test('whoever waits for a message that is taken back hears that it was not sent', async () => {
  const { outbox, store } = visitorsOutbox([], [{ is: 'later', isTrouble: true }])
  const settled = outbox.add(message())
  await expect.poll(() => outbox.getState().nextTryAt).toBeDefined()
  await outbox.takeBack('m-1')
  await expect(settled).resolves.toEqual({ state: 'queued', because: 'trouble' })
  expect(await store.read()).toEqual([])
})

test('a message that is taken back in any moment was not sent, or is not taken back', async () => {
  const outcomes = new Set<boolean>()
  let isOut = false
  for (let moment = 0; !isOut; moment++) {
    const { outbox, sent, store } = visitorsOutbox([], [], slowStore())
    void outbox.add(message())
    await turns(moment)
    const { operations, sending } = outbox.getState()
    isOut = sending !== undefined
    if (isOut || operations.length === 0) continue
    const isBack = await outbox.takeBack('m-1', operations[0]?.tries)
    await expect.poll(() => store.read()).toEqual([])
    expect(sent, `after ${moment} turns`).toEqual(isBack ? [] : ['m-1'])
    outcomes.add(isBack)
  }
  expect([...outcomes]).toEqual([true, false])
})

/** A device, which has done what it was told some turns before it says so. */
function slowStore(): OutboxStore {
  const store = memoryStore()
  return {
    ...store,
    update: async (change) => {
      const result = await store.update(change)
      await turns(5)
      return result
    },
  }
}

async function turns(n: number): Promise<void> {
  for (let turn = 0; turn < n; turn++) await Promise.resolve()
}

describe('a typed text', () => {
  beforeEach(() => keepingDevice())
  afterEach(() => vi.unstubAllGlobals())

  test('is kept until nothing is left of it', async () => {
    await keepMessageDraft({ fields })
    expect(await openMessageDraft()).toEqual({ id: undefined, fields })
    await keepMessageDraft({ id: 'm-1', fields: { name: '', email: '', message: '' } })
    expect(await openMessageDraft()).toBeUndefined()
  })

  test('is forgotten when its message has arrived', async () => {
    await keepMessageDraft({ id: 'm-1', fields })
    await settleMessageDraft('m-2', fields)
    expect((await openMessageDraft())?.id).toBe('m-1')
    await settleMessageDraft('m-1', fields)
    expect(messageDraft()).toBeUndefined()
    expect(await openMessageDraft()).toBeUndefined()
  })

  test('that was changed since its message arrived stays, as another message', async () => {
    const changed = { ...fields, message: 'Hola otra vez' }
    await keepMessageDraft({ id: 'm-1', fields: changed })
    await settleMessageDraft('m-1', fields)
    expect(await openMessageDraft()).toEqual({ id: undefined, fields: changed })
    await keepMessageDraft({ fields: {} })
    expect(await openMessageDraft()).toBeUndefined()
  })

  test('that comes while the kept one is read is the newer', async () => {
    await keepMessageDraft({ fields })
    const opening = openMessageDraft()
    await keepMessageDraft({ fields: { ...fields, message: 'Nuevo' } })
    expect((await opening)?.fields['message']).toBe('Nuevo')
  })
})
