import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { accessCalls } from '#contract/access/access.ts'
import { calls } from '#contract/api.ts'
import { recoverCall } from '#contract/access/recover.ts'
import { ownerCalls } from '#contract/owner-calls.ts'

/** A request that costs the server work, the i-th of a flood. */
export interface Costly {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly type?: string
  readonly body?: string
  /** Sent as by a page of the site. */
  readonly isOfOurPage?: true
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const letter = (i: number) =>
  String.fromCodePoint(0x41 + (i % 26), 0x61 + (Math.floor(i / 26) % 26))

/** A form that comes back, because it names nobody to answer. */
export function refusedForm(i: number): Costly {
  return { method: 'POST', path: '/contact', type: form, body: `name=a&message=${i}` }
}

/** A message that is taken. */
export function takenMessage(i: number): Costly {
  const body = JSON.stringify({ name: 'Ana', email: 'a@b.co', message: `Hola, van ${i}.` })
  return { method: 'POST', path: `/api/${calls.contact}`, type: json, body }
}

const post = (path: string, body: object): Costly => ({
  method: 'POST',
  path: `/api/${path}`,
  type: json,
  body: JSON.stringify(body),
  isOfOurPage: true,
})

export const passkeyChallenge = post(accessCalls.passkeyChallenge, {})

/** Whatever else strangers may ask for, each as it is when nothing is known. */
const rest: readonly ((i: number) => Costly)[] = [
  () => post(accessCalls.passkeySignIn, { response: {} }),
  () => post(accessCalls.kept, {}),
  () => post(accessCalls.endLeft, { revocations: [crypto.randomUUID()] }),
  (i) => post(recoverCall, { userName: `nadie-${i}@ejemplo.test` }),
  (i) => post(ownerCalls.setupCheck, { token: String(i) }),
  () => ({ method: 'GET', path: '/contact' }),
  (i) => ({ method: 'POST', path: '/share', type: form, body: `text=${i}` }),
]

/** Ways to make a server work, with what each is answered at most: taken, refused by a limit, or by a full queue. */
export const workFloods: readonly {
  readonly name: string
  readonly make: (i: number) => Costly
  readonly answers: readonly number[]
}[] = [
  {
    name: 'forms that come back',
    make: refusedForm,
    answers: [422, 429, 503],
  },
  {
    name: 'forms of 60 kB',
    make: () => ({
      method: 'POST',
      path: '/contact',
      type: form,
      body: `name=${'+'.repeat(60_000)}`,
    }),
    answers: [422, 429, 503],
  },
  {
    name: 'messages of 60 kB',
    make: () => ({
      method: 'POST',
      path: `/api/${calls.contact}`,
      type: json,
      body: JSON.stringify({ name: ' '.repeat(60_000), email: 'a@b.co', message: 'a' }),
    }),
    answers: [422, 429, 503],
  },
  {
    name: 'messages that are taken',
    make: takenMessage,
    answers: [201, 429, 503],
  },
  {
    name: 'passkey challenges',
    make: () => passkeyChallenge,
    answers: [200, 429, 503],
  },
  {
    name: 'new drawings',
    make: (i) => ({ method: 'GET', path: `/api/${calls.typing}?lines=${letter(i)}` }),
    answers: [200, 429, 503],
  },
  {
    name: 'tries of passwords',
    make: (i) => ({
      method: 'POST',
      path: `/api/${ownerCalls.login}`,
      type: json,
      body: JSON.stringify({ userName: 'lucia@ejemplo.test', password: `la contraseña ${i}` }),
    }),
    answers: [401, 429, 503],
  },
  {
    name: 'whatever else strangers ask',
    make: (i) => rest[i % rest.length]?.(i) ?? refusedForm(i),
    answers: [200, 202, 204, 303, 401, 404, 405, 422, 429, 503],
  },
]

/** Where the requests of a flood come from: as sockets, or as the proxy in front of the site tells. */
export interface Origin {
  readonly addresses: number
  readonly isBehindProxy: boolean
}

/**
 * Connects so often and is answered on each; resolves to what sends a flood on all of them in one moment, answered in
 * its order, and what ends them.
 */
export async function openSenders(port: number, count: number, from: Origin) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity })
  const send = ({ method, path, type, body = '', isOfOurPage }: Costly, i: number) => {
    const host = 1 + (i % from.addresses)
    const headers = {
      // One that is not believed where no proxy of ours has written it.
      'x-forwarded-for': from.isBehindProxy ? `198.51.${host}.1` : `198.51.100.${i % 256}`,
      ...(type !== undefined && { 'content-type': type }),
      ...(isOfOurPage && { origin: `http://127.0.0.1:${port}` }),
      'content-length': Buffer.byteLength(body),
    }
    const localAddress = from.isBehindProxy ? '127.0.0.1' : `127.0.1.${host}`
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const sent = request({ host: '127.0.0.1', port, localAddress, agent, method, path, headers })
    sent.on('response', (answer) => {
      void text(answer).then(() => resolve(answer.statusCode ?? 0), reject)
    })
    sent.on('error', reject)
    sent.end(body)
    return promise
  }
  const sendAll = (flood: readonly Costly[]) => Promise.all(flood.map(send))
  // The system hands a server its new connections one by one, which would spread the flood.
  await sendAll(Array.from({ length: count }, () => ({ method: 'GET', path: '/about' })))
  return { sendAll, close: () => agent.destroy() }
}
