import { expect, test } from 'vitest'
import { fold } from '#client/outbox/fold.ts'
import type { Account, Operation } from '#client/outbox/operation.ts'
import { settle } from '#client/outbox/queue-rules.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import type { Answer } from '#client/outbox/ports.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'

/* A queue belongs to the account that made it. */

const ana: Account = { account: 'a', userName: 'ana@example.com' }
const eva: Account = { account: 'e', userName: 'eva@example.com' }
const subject = { on: 'entry', section: 'proyect', id: '1' } as const

let count = 0
function operation(change: Partial<Operation> = {}): Operation {
  const id = `op-${++count}`
  const made = { id, subject, verb: 'update', values: { name: id }, label: id, tries: 0 } as const
  return { ...made, madeAt: new Date().toISOString(), ...change }
}
const message = () => operation({ subject: { on: 'message', id: 'm' }, verb: 'create' })

function outboxWith(
  queued: readonly Operation[],
  account: Account | undefined,
  answer: Answer | Promise<Answer> = { is: 'applied' },
) {
  const sent: string[] = []
  const signedIn = { as: account }
  const store = memoryStore(queued)
  const outbox = createOutbox({
    store,
    send: async ({ id }) => {
      sent.push(id)
      return answer
    },
    whileSending: (run) => run(),
    isOwner: () => signedIn.as !== undefined,
    account: () => signedIn.as,
    isOnline: () => true,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, sent, signedIn, store }
}

test('what another account left is not sent, is told apart, and goes when its owner is back', async () => {
  const hers = operation({ owner: ana })
  const { outbox, sent, signedIn, store } = outboxWith([hers], eva)
  await outbox.start()
  await outbox.drain({ force: true })
  expect(sent).toEqual([])
  expect(outbox.getState()).toMatchObject({ operations: [], others: [{ id: hers.id }] })
  signedIn.as = ana
  outbox.followAccount()
  expect(outbox.getState()).toMatchObject({ operations: [{ id: hers.id }], others: [] })
  await outbox.drain({ force: true })
  expect(sent).toEqual([hers.id])
  expect(await store.read()).toEqual([])
})

test('a new owner’s change of the same thing is neither merged into it nor held by it', async () => {
  const refusal = { code: 'datos-no-validos', reason: 'No.' }
  const hers = operation({ owner: ana, tries: 1, refusal })
  const { outbox, sent, store } = outboxWith([hers], eva)
  const own = operation({ owner: eva, seen: [] })
  await expect(outbox.add(own)).resolves.toEqual({ state: 'saved' })
  expect(sent).toEqual([own.id])
  expect(await store.read()).toEqual([hers])
})

test('the versions of one account’s changes are not those of another’s', () => {
  const first = operation({ owner: ana, version: 1 })
  const second = operation({ owner: eva, version: 1 })
  expect(settle([first, second], first, 2)).toEqual([second])
  expect(fold([first], second).operations).toEqual([first, second])
})

test('a message of a visitor belongs to nobody and goes whoever is signed in', async () => {
  const queue = [operation({ owner: ana }), message()]
  const { outbox, sent } = outboxWith(queue, eva)
  await outbox.drain({ force: true })
  expect(sent).toEqual([queue[1]?.id])
  const visitors = outboxWith([operation({ owner: ana }), message()], undefined)
  await visitors.outbox.drain({ force: true })
  expect(visitors.sent).toHaveLength(1)
})

test('what an earlier version kept without an owner is once the one’s who signs in first', async () => {
  const old = operation()
  const { outbox, sent, signedIn, store } = outboxWith([old, message()], undefined)
  await outbox.start()
  await expect.poll(() => store.read()).toHaveLength(1)
  const held = operation({ owner: eva, subject: { on: 'person' } })
  await store.update((kept) => ({ operations: [...kept, held], result: undefined }))
  signedIn.as = ana
  outbox.followAccount()
  await outbox.drain({ force: true })
  expect(sent).toContain(old.id)
  expect(sent).not.toContain(held.id)
})

test('another name of the same account is the same owner', async () => {
  const made = operation({ owner: ana })
  const { outbox, sent } = outboxWith([made], { ...ana, userName: 'ana.nueva@example.com' })
  await outbox.drain({ force: true })
  expect(sent).toEqual([made.id])
})

test('only the changes of the account that was meant are discarded, with their pictures', async () => {
  const image = { field: 'image', name: 'a.png' }
  const queue = [operation({ owner: ana, image }), operation({ owner: eva, tries: 1 }), message()]
  const { outbox, signedIn, store } = outboxWith(queue, undefined)
  const kept = { [queue[0]?.id ?? '']: new Blob(['x']) }
  await store.update((operations) => ({ operations, pictures: kept, result: undefined }))
  signedIn.as = eva
  await outbox.discardOf('a')
  expect((await store.read()).map(({ id }) => id)).toEqual([queue[1]?.id, queue[2]?.id])
  expect(await store.picture(queue[0]?.id ?? '')).toBeUndefined()
})

test('what is refused once another account has signed in waits for its owner, since her form is gone', async () => {
  const refusal = { code: 'datos-no-validos', reason: 'No.' }
  const answer = Promise.withResolvers<Answer>()
  const { outbox, signedIn, store } = outboxWith([], ana, answer.promise)
  const hers = operation({ owner: ana })
  const settled = outbox.add(hers)
  await expect.poll(() => store.read()).toMatchObject([{ tries: 1 }])
  signedIn.as = eva
  outbox.followAccount()
  answer.resolve({ is: 'refused', refusal })
  await expect(settled).resolves.toMatchObject({ state: 'queued' })
  expect(await store.read()).toMatchObject([{ id: hers.id, refusal }])
})
