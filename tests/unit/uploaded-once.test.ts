import { queueTexts } from '#contract/texts/queue.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { siteData } from '#tests/support/site-data.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { createOutbox } from '#client/outbox/outbox.ts'
import { sendOperation } from '#client/outbox/send.ts'
import { memoryStore } from '#client/outbox/fallback-store.ts'
import { logIn } from '#client/session/session-change.ts'
import { ownAnswer, ownRefusal } from '#tests/support/answers.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const change: Operation = {
  id: 'op-1',
  subject: { on: 'person' },
  verb: 'update',
  values: { title: 'Poeta' },
  image: { field: 'image', name: 'yo.png' },
  label: '',
  madeAt: '2026-01-01T00:00:00.000Z',
  tries: 0,
}

/** A store of pictures that gives another address at every upload, and a server whose answers are these, or get lost. */
function server(answers: readonly (Response | undefined)[], onUpload = () => {}) {
  const bodies: unknown[] = []
  let uploads = 0
  const left = [...answers]
  class Upload extends EventTarget {
    readonly upload = new EventTarget()
    readonly status = 201
    responseText = ''
    open() {}
    setRequestHeader() {}
    getResponseHeader(name: string) {
      return ownAnswer({}).headers.get(name)
    }
    send() {
      onUpload()
      this.responseText = JSON.stringify({ url: `/media/${++uploads}.webp` })
      this.dispatchEvent(new Event('load'))
      this.dispatchEvent(new Event('loadend'))
    }
  }
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('XMLHttpRequest', Upload)
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    bodies.push(body)
    const answer = left.shift()
    if (!answer) throw new TypeError('the answer was lost')
    return answer
  })
  return { bodies, uploads: () => uploads }
}

function openOutbox() {
  const store = memoryStore()
  const outbox = createOutbox({
    store,
    send: sendOperation,
    whileSending: (run) => run(),
    isOwner: () => true,
    isOnline: () => true,
    onApplied: async () => {},
    onIdle: () => {},
    log: () => {},
  })
  return { outbox, store }
}

const yes = () => ownAnswer(siteData().person)
const picture = new Blob(['x'], { type: 'image/png' })

test('a picture is uploaded once, so that what is sent again is the same', async () => {
  const { bodies, uploads } = server([undefined, yes()])
  const { outbox, store } = openOutbox()
  await expect(outbox.add(change, { picture })).resolves.toEqual({
    state: 'queued',
    because: 'no-answer',
  })
  await vi.advanceTimersByTimeAsync(1_000)
  const body = JSON.stringify({ title: 'Poeta', image: '/media/1.webp' })
  expect(bodies).toEqual([body, body])
  expect(uploads()).toBe(1)
  expect(await store.read()).toEqual([])
  expect(await store.picture(change.id)).toBeUndefined()
})

test('a change whose picture is up already is still its form’s when it is refused', async () => {
  const no = ownRefusal('datos-no-validos')
  server([ownRefusal('no-disponible'), no, yes()])
  const { outbox } = openOutbox()
  const settled = outbox.add(change, { picture })
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(settled).resolves.toMatchObject({ state: 'refused' })
})

test('another picture chosen after a refusal is uploaded in place of the first', async () => {
  const no = ownRefusal('prohibido')
  const { bodies, uploads } = server([undefined, no, yes(), yes()])
  const { outbox } = openOutbox()
  await outbox.add(change, { picture })
  await vi.advanceTimersByTimeAsync(1_000)
  const again = { ...change, id: 'op-2', values: {} }
  await outbox.add(again, { picture: new Blob(['y'], { type: 'image/png' }) })
  expect(bodies.at(-1)).toBe(JSON.stringify({ title: 'Poeta', image: '/media/2.webp' }))
  expect(uploads()).toBe(2)
})

test('a picture that the server has no more goes up again, and the change with it', async () => {
  const lost = ownRefusal('imagen-perdida')
  const { bodies, uploads } = server([undefined, lost, undefined, yes()])
  const { outbox, store } = openOutbox()
  await outbox.add(change, { picture })
  await vi.advanceTimersByTimeAsync(60_000)
  const sent = (n: number) => JSON.stringify({ title: 'Poeta', image: `/media/${n}.webp` })
  expect(bodies).toEqual([sent(1), sent(1), sent(2), sent(2)])
  expect(uploads()).toBe(2)
  expect(await store.read()).toEqual([])
})

test('a change whose picture neither the server nor the device has waits for another one', async () => {
  const lost = ownRefusal('imagen-perdida')
  server([lost])
  const again = { ...change, image: { field: 'image', name: 'yo.png', address: '/a.webp' } }
  const sending = { picture: undefined, onProgress: () => {}, keepAddress: async () => {} }
  await expect(sendOperation(again, sending)).resolves.toMatchObject({
    is: 'refused',
    refusal: { code: 'imagen-perdida' },
  })
})

test('a change whose picture is gone says so instead of going without it', async () => {
  const { bodies } = server([yes()])
  const { outbox, store } = openOutbox()
  await expect(outbox.add(change)).resolves.toMatchObject({
    state: 'refused',
    refusal: { reason: queueTexts.pictureLost },
  })
  expect(bodies).toEqual([])
  expect(await store.read()).toEqual([])
})

test('a change whose picture went up while another account signed in does not go out under that one', async () => {
  const signIn = (account: string) =>
    logIn({
      token: `token-${account}`,
      userName: `${account}@example.com`,
      authorities: [],
      account,
    })
  const { bodies } = server([yes()], () => signIn('eva'))
  signIn('ana')
  const owner = { account: 'ana', userName: 'ana@example.com' }
  const keepAddress = async () => {}
  const sending = { picture, onProgress: () => {}, keepAddress }
  await expect(sendOperation({ ...change, owner }, sending)).resolves.toMatchObject({ is: 'later' })
  expect(bodies).toEqual([])
  signIn('ana')
  const again = { ...change, owner, image: { field: 'image', name: 'yo.png', address: '/a.webp' } }
  await expect(sendOperation(again, sending)).resolves.toMatchObject({ is: 'applied' })
})
