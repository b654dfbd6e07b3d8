import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { calls, idempotencyHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { freshFolder } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { freePort } from '#tests/support/free-port.ts'
import { unhurriedEnv } from '#tests/support/hurried.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { serverEntry } from '#tests/support/server-entries.ts'
import { openMoodyPushService, pushOrigin } from '#tests/doubles/moody-push-service.ts'
import { startS3 } from '#tests/doubles/s3/double.ts'
import { openSmtp } from '#tests/doubles/smtp-double.ts'
import { startServer, type ServerProcess } from '#tests/support/server-process.ts'
import { owner } from '#tests/support/site.ts'

/* Two processes of the product on one PostgreSQL and one data folder, behind a proxy that gives each the next request. */

// However busy the machine is, only what never comes fails.
vi.setConfig({ testTimeout: 400_000, expect: { poll: { timeout: 90_000 } } })

const callsServer = serverEntry('site-server')

/** Hands each request to the next of the servers. */
async function startProxy(servers: readonly ServerProcess[]): Promise<string> {
  let next = 0
  const proxy = createServer((req, res) => {
    const { hostname, port } = new URL(servers[next++ % servers.length]?.url ?? '')
    const { method, url: path, headers } = req
    const forwarded = { ...headers, 'x-forwarded-for': req.socket.remoteAddress ?? '' }
    const passed = request({ hostname, port, method, path, headers: forwarded }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    passed.on('error', () => res.destroy())
    req.pipe(passed)
  })
  const port = await freePort()
  await listenOnLoopback(proxy, port)
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${port}`
}

async function openPair(more: Readonly<Record<string, string>> = {}, shared = true) {
  const env = async () => ({
    DATA_DIR: await freshFolder(),
    DATABASE_URL: url,
    OWNER_EMAIL: owner.userName,
    OWNER_PASSWORD: owner.password,
    LIMIT_WRITES: '9999/1',
    TRUST_PROXY: '1',
    ...more,
  })
  const url = await createDatabase(inject('postgresUrl'))
  const first = await env()
  const servers = await Promise.all([
    startServer(first, callsServer),
    startServer(shared ? first : await env(), callsServer),
  ])
  for (const server of servers) onTestFinished(async () => void (await server.stop('SIGKILL')))
  const proxy = await startProxy(servers)
  const send = async (base: string, method: string, path: string, sent: Sent = {}) => {
    const { body, ...headers } = sent
    const isJson = !(body instanceof Uint8Array)
    const answer = await fetchInTime(`${base}/api/${path}`, {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    })
    const text = await answer.text()
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: answer.status, headers: answer.headers, json }
  }
  const through = (method: string, path: string, sent?: Sent) => send(proxy, method, path, sent)
  const { json } = await through('POST', ownerCalls.login, { body: owner })
  const authorization = `Bearer${(json as { token: string }).token}`
  const [a, b] = servers
  return { proxy, a, b, send, through, authorization }
}

type Pair = Awaited<ReturnType<typeof openPair>>
type Sent = { readonly body?: unknown } & Readonly<Record<string, unknown>>

describe.skipIf(inject('postgresUrl') === '')('two processes on one PostgreSQL', () => {
  async function sessionsHoldAtBoth({ a, b, send, authorization }: Pair) {
    const list = (url: string) => send(url, 'GET', ownerCalls.devices, { authorization })
    expect([(await list(a.url)).status, (await list(b.url)).status]).toEqual([200, 200])
    await send(a.url, 'POST', ownerCalls.logout, { authorization })
    expect([(await list(a.url)).status, (await list(b.url)).status]).toEqual([401, 401])
  }

  async function writesShowAtTheOther({ a, b, send, authorization }: Pair) {
    const page = async (url: string) => (await fetchInTime(`${url}/projects`)).text()
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? [a, b] : [b, a]
      await page(reader.url)
      const list = await send(reader.url, 'GET', project.key)
      const name = `Vuelta ${round}`
      const body = completeValues(project, { name })
      const written = await send(writer.url, 'POST', `${project.key}/create`, {
        body,
        authorization,
      })
      expect(written.status).toBe(201)
      const tag = list.headers.get('etag') ?? ''
      const fresh = await send(reader.url, 'GET', project.key, { 'if-none-match': tag })
      expect(fresh.status).toBe(200)
      expect(fresh.json).toContainEqual(expect.objectContaining({ name }))
      expect(await page(reader.url)).toContain(name)
      const setting = { age_text: String(30 + round) }
      await send(writer.url, 'PUT', calls.config, { body: setting, authorization })
      expect((await send(reader.url, 'GET', calls.config)).json).toMatchObject(setting)
    }
  }

  async function oneKeyIsOneEntry({ a, b, send, through, authorization }: Pair) {
    const before = ((await through('GET', project.key)).json as unknown[]).length
    for (let round = 0; round < 20; round++) {
      const sent = {
        body: completeValues(project, { name: `Una ${round}` }),
        authorization,
        [idempotencyHeader]: randomUUID(),
      }
      const both = await Promise.all(
        [a, b].map(({ url }) => send(url, 'POST', `${project.key}/create`, sent)),
      )
      expect(both.map(({ status }) => status)).toEqual([201, 201])
      expect(both[0]?.json).toEqual(both[1]?.json)
    }
    expect(((await through('GET', project.key)).json as unknown[]).length).toBe(before + 20)
  }

  test('failed sign-ins, messages and changes are counted together', async () => {
    const { through, authorization } = await openPair({
      LIMIT_LOGIN: '3/900',
      LIMIT_CONTACT: '3/900',
      LIMIT_WRITES: '4/900',
    })
    const statuses = async (n: number, call: () => Promise<{ status: number }>) => {
      const seen: number[] = []
      for (let i = 0; i < n; i++) seen.push((await call()).status)
      return seen
    }
    const wrong = { ...owner, password: 'otra que no es la suya' }
    expect(await statuses(4, () => through('POST', ownerCalls.login, { body: wrong }))).toEqual([
      401, 401, 401, 429,
    ])
    const message = { name: 'Eva', email: 'eva@example.com', message: 'Hola' }
    expect(await statuses(4, () => through('POST', calls.contact, { body: message }))).toEqual([
      201, 201, 201, 429,
    ])
    const change = () => through('PUT', calls.config, { body: { age_text: '31' }, authorization })
    expect(await statuses(5, change)).toEqual([200, 200, 200, 200, 429])
  })

  async function keysAndPicturesAreShared({ a, b, send, authorization }: Pair) {
    const offers = await Promise.all(
      [a, b].map(({ url }) => send(url, 'GET', ownerCalls.push, { authorization })),
    )
    expect(offers[0]?.json).toEqual(offers[1]?.json)
    const { buffer: body, mimeType } = await colourSquare('#369')
    const put = await send(
      a.url,
      'PUT',
      `${ownerCalls.image}/${project.images.type}?name=New/project_1`,
      {
        body: new Uint8Array(body),
        'content-type': mimeType,
        authorization,
      },
    )
    expect(put.status).toBe(201)
    const { url } = put.json as { readonly url: string }
    expect((await fetchInTime(b.url + url)).status).toBe(200)
  }

  test('what one does the other knows at once: content, pages, settings, keys, pictures, sessions', async () => {
    const pair = await openPair()
    await writesShowAtTheOther(pair)
    await oneKeyIsOneEntry(pair)
    await keysAndPicturesAreShared(pair)
    await sessionsHoldAtBoth(pair)
    for (const { stop } of [pair.a, pair.b]) expect(await stop()).toBe(0)
  })

  test('what is written down to be done is done once, whichever of them does it', async () => {
    const smtp = await openSmtp()
    onTestFinished(smtp.close)
    // Long enough for the other to look as well: a mail is on its way when it asks for work.
    smtp.thinksMs = 100
    const many = { LIMIT_CONTACT: '9999/1', LIMIT_CONTACT_TOTAL: '9999/1', LIMIT_POSTS: '9999/1' }
    // A lease that ended, or a mail server that was given up, would rightly bring a mail twice.
    const { a, b, send } = await openPair({ SMTP_URL: smtp.url, ...many, ...unhurriedEnv() })
    const messages = Array.from({ length: 40 }, (_, i) => `Escrito ${i} ${randomUUID()}`)
    const write = (base: string, message: string) =>
      send(base, 'POST', calls.contact, {
        body: { name: 'Eva', email: 'eva@example.com', message },
      })
    // A few at once: of forty the last waits its turn at the database for longer than a call may, where the machine is slow.
    for (let n = 0; n < messages.length; n += 4) {
      const some = messages.slice(n, n + 4)
      const answers = await Promise.all(
        some.map((message, i) => write(i % 2 === 0 ? a.url : b.url, message)),
      )
      expect(answers.map(({ status }) => status)).toEqual(some.map(() => 201))
    }
    const told = () =>
      smtp.mails.map(({ text }) => messages.find((message) => text.includes(message)))
    await expect.poll(() => new Set(told()).size).toBe(messages.length)
    // Both stop in order, so whatever one of them has begun is over.
    for (const { stop } of [a, b]) expect(await stop()).toBe(0)
    expect(told()).toHaveLength(messages.length)
  })

  test('a device is rung once for what both are told of, whichever of them rings it', async () => {
    const service = await openMoodyPushService()
    service.calmDown()
    // Long enough for the other to look as well.
    service.thinksMs = 100
    const many = { LIMIT_CONTACT: '9999/1', LIMIT_CONTACT_TOTAL: '9999/1', LIMIT_POSTS: '9999/1' }
    const [rerouted, unhurried] = [rerouteEnv({ [pushOrigin]: service.url }), unhurriedEnv()]
    const { a, b, send, through, authorization } = await openPair({
      NOTIFY_EVERY: '0',
      ...many,
      ...rerouted,
      ...unhurried,
      NODE_OPTIONS: `${rerouted['NODE_OPTIONS']} ${unhurried['NODE_OPTIONS']}`,
    })
    for (const label of ['Teléfono', 'Portátil']) {
      const device = { address: service.newDevice(), label }
      const added = await through('POST', ownerCalls.devices, { body: device, authorization })
      expect(added.status).toBe(201)
    }
    const total = 60
    const write = (base: string, n: number) =>
      send(base, 'POST', calls.contact, {
        body: { name: `Persona ${n}`, email: 'eva@example.com', message: `Escrito ${n}` },
      })
    for (let n = 0; n < total; n += 4) {
      const answers = await Promise.all(
        [0, 1, 2, 3].map((i) => write(i % 2 === 0 ? a.url : b.url, n + i)),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    }
    /** The rings of each device: none is read meanwhile, so the number of unread messages names one. */
    const rings = () =>
      [...service.got.values()].map((pushes) =>
        pushes.map(({ unread = 0 }) => unread).toSorted((x, y) => x - y),
      )
    await expect.poll(() => rings().map((of) => of.at(-1))).toEqual([total, total])
    // Both stop in order, so whatever one of them has begun is over.
    for (const { stop } of [a, b]) expect(await stop()).toBe(0)
    const [phone = [], laptop] = rings()
    expect(phone.length).toBeGreaterThan(1)
    expect(phone).toEqual([...new Set(phone)])
    expect(laptop).toEqual(phone)
  })

  test('pictures in a bucket are of both, whatever folder each has', async () => {
    const s3 = await startS3()
    const pair = await openPair(s3.env, false)
    await keysAndPicturesAreShared(pair)
    const [picture, ...others] = [...s3.objects.keys()].filter((key) => key !== 'media/listed-by')
    expect(others).toEqual([])
    expect(s3.asked.filter((each) => each === `GET ${picture}`)).toHaveLength(1)
  })

  test('a process without the shared folder says which pictures it lacks, and does not call them gone', async () => {
    const { a, b, send, authorization } = await openPair({}, false)
    const { buffer: body, mimeType } = await colourSquare('#369')
    const put = await send(
      a.url,
      'PUT',
      `${ownerCalls.image}/${project.images.type}?name=New/project_1`,
      {
        body: new Uint8Array(body),
        'content-type': mimeType,
        authorization,
      },
    )
    const { url } = put.json as { readonly url: string }
    const missing = await fetchInTime(b.url + url)
    expect([missing.status, missing.headers.get('retry-after')]).toEqual([503, '5'])
    expect(missing.headers.get('cache-control')).toBe('no-store')
    await expect.poll(() => b.logs()).toContain('"event":"picture-missing"')
    expect((await fetchInTime(b.url + url.replace(/[0-9a-f]{40}/, 'f'.repeat(40)))).status).toBe(
      404,
    )
  })
})
