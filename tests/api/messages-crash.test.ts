import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { calls, idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { parseMessageList, type MessagePage } from '#contract/messages/messages.ts'
import type { PushMessage } from '#contract/notifications/push.ts'
import type { DbTarget } from '#server/db/open.ts'
import { engines, freshFolder, freshTarget } from '#tests/support/database.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { openMoodyPushService, pushOrigin } from '#tests/doubles/moody-push-service.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { startServer, type ServerProcess } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'

const kills = 20
/** Over several deaths of the server, in milliseconds. */
const answeredWithinMs = 90_000
const messageCount = 200
const deviceCount = 2

// Twenty starts of a server; only what hangs fails by it.
vi.setConfig({ testTimeout: 300_000 })

/** A server that is killed again and again, always on the same data. */
async function openMortal(target: DbTarget, routes: Readonly<Record<string, string>>) {
  const dataDir = await freshFolder()
  const env = {
    ...rerouteEnv(routes),
    DATA_DIR: dataDir,
    ...(target.engine === 'postgres' && { DATABASE_URL: target.url }),
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
    NOTIFY_EVERY: '0',
    LIMIT_CONTACT: '100000/1',
    LIMIT_POSTS: '100000/1',
    LIMIT_CONTACT_TOTAL: '100000/1',
  }
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startServer({ ...env, ...more }, serverEntry('calls-server'))
  let server: ServerProcess = await start()
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const { url } = server
  return {
    call: async (method: string, path: string, { body, ...headers }: Sent) =>
      fetchInTime(`${url}/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async killAndStart() {
      await server.stop('SIGKILL')
      server = await start({ PORT: new URL(url).port })
    },
  }
}

type Sent = { readonly body?: unknown } & Readonly<Record<string, unknown>>
type Mortal = Awaited<ReturnType<typeof openMortal>>

/** Sends a message as a browser's queue does: with its key, until it is answered. */
async function sendUntilAnswered(site: Mortal, n: number): Promise<void> {
  const key = randomUUID()
  const body = { name: `Persona ${n}`, email: 'a@example.com', message: `Escrito ${n} ${key}` }
  const until = Date.now() + answeredWithinMs
  for (;;) {
    const answer = await site
      .call('POST', calls.contact, { body, [idempotencyHeader]: key })
      .catch(() => undefined)
    if (answer?.status === 201) return
    if (Date.now() > until) throw new Error(`Message ${n} is not taken: ${answer?.status}`)
    await wait(20)
  }
}

/**
 * The rings that a device got: nothing is read meanwhile, so that the number of unread messages names one; doubles count
 * once. The last one of all counts every message.
 */
const ringsOf = (pushes: readonly PushMessage[]) =>
  [...new Set(pushes.map(({ unread = 0 }) => unread))].toSorted((a, b) => a - b)

describe.each(engines)('on %s', (engine) => {
  test('killed 20 times during 200 messages, with 429s and cut connections, the server loses none', async () => {
    const service = await openMoodyPushService()
    const site = await openMortal(await freshTarget(engine), { [pushOrigin]: service.url })
    const login = await site.call('POST', ownerCalls.login, { body: owner })
    const { token } = (await login.json()) as { readonly token: string }
    const authorization = `Bearer${token}`
    for (let i = 0; i < deviceCount; i++) {
      const body = { address: service.newDevice(), label: `Dispositivo ${i}` }
      expect((await site.call('POST', ownerCalls.devices, { body, authorization })).status).toBe(
        201,
      )
    }
    let answered = 0
    const messagesAKill = messageCount / (kills + 1)
    const due = Array.from({ length: kills }, () => Promise.withResolvers<void>())
    const sendShare = async (lane: number) => {
      for (let n = lane; n < messageCount; n += 4) {
        await sendUntilAnswered(site, n)
        answered++
        for (const kill of due.slice(0, Math.floor(answered / messagesAKill))) kill.resolve()
      }
    }
    const sending = Promise.all([0, 1, 2, 3].map(sendShare))
    for (const kill of due) {
      await Promise.race([kill.promise, sending])
      // Somewhere in what the others do meanwhile.
      await wait(randomInt(10))
      await site.killAndStart()
    }
    await sending
    const read = async (): Promise<MessagePage> =>
      parseMessageList(
        await (await site.call('GET', ownerCalls.messages, { authorization })).json(),
      )
    const { messages, total } = await read()
    expect(total).toBe(messageCount)
    expect(new Set(messages.map(({ name }) => name)).size).toBe(messageCount)
    service.calmDown()
    const rings = () => [...service.got.values()].map(ringsOf)
    await expect
      .poll(() => rings().map((numbers) => numbers.at(-1)), { timeout: 60_000, interval: 500 })
      .toEqual(Array<number>(deviceCount).fill(messageCount))
    await expect
      .poll(() => new Set(rings().map(String)).size, { timeout: 60_000, interval: 500 })
      .toBe(1)
    const failed = await site.call('GET', `${ownerCalls.push}/failed`, { authorization })
    expect(await failed.json()).toEqual([])
    expect(Math.min(...Object.values(service.moods))).toBeGreaterThan(0)
  })
})
