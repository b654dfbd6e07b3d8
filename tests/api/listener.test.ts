import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { calls, ownHeader } from '#contract/api.ts'
import { maxImageBytes } from '#contract/limits.ts'
import { contactNotices } from '#contract/messages/contact.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { problems } from '#contract/problem.ts'
import { errorPageTexts } from '#contract/texts/error-page.ts'
import { requestIdHeader } from '#server/edge/request-ids.ts'
import { serverLimits } from '#server/edge/server-limits.ts'
import { startListener } from '#tests/support/listener.ts'
import { sendRaw } from '#tests/support/raw-http.ts'

const neverAnswer = () => undefined
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

test.each([
  ['TRACE', '/', 'GET, HEAD, OPTIONS'],
  ['TRACE', '/contact', 'GET, HEAD, POST, OPTIONS'],
  ['CONNECT', '/', ''],
  ['CONNECT', 'a:443', ''],
])('%s %s is refused with what is allowed there: %s', async (method, target, allow) => {
  const { port } = await startListener()
  const request = `${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  const answer = await sendRaw(port, request)
  expect(statusOf(answer)).toBe(405)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(answer).toContain(`\r\nAllow: ${allow}\r\n`)
})

test.each([
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n'],
  ['an absolute address', 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n'],
  [
    'both lengths',
    'POST /contact HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  ],
  [
    'an odd transfer coding',
    'POST /contact HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, x\r\n',
  ],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n'],
  ['a bare line feed', 'GET / HTTP/1.1\nHost: a\r\n'],
])('a request with %s is refused with the security headers', async (_, request) => {
  const { port } = await startListener()
  const answer = await sendRaw(port, `${request}Connection: close\r\n\r\n`)
  expect(statusOf(answer)).toBe(400)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(answer).toContain('Content-Security-Policy: ')
})

test('headers over the limit are refused', async () => {
  const { port } = await startListener()
  const answer = await sendRaw(
    port,
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
  )
  expect(statusOf(answer)).toBe(431)
})

test('a request whose headers never end is answered and closed', async () => {
  const limits = { headersMs: 50, requestMs: 3_600_000, checkEveryMs: 20 }
  const { port } = await startListener({ limits })
  expect(statusOf(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Half: '))).toBe(408)
})

test('a request whose body never ends is answered and closed', async () => {
  const limits = { headersMs: 50, requestMs: 60, checkEveryMs: 20 }
  const { port } = await startListener({ app: neverAnswer, limits })
  const head = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'
  expect(statusOf(await sendRaw(port, `${head}half`))).toBe(408)
})

const crumbs = (count: number, size: number) =>
  `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`.repeat(count)
const inPieces = (path: string) =>
  `${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`

test.each(['PUT /about', 'GET /', 'POST /login', 'POST /api/contact', 'PUT /api/image'])(
  'a connection whose body comes in crumbs is closed: %s',
  { timeout: 5000 }, // a slow body has fifteen seconds
  async (path) => {
    const { port } = await startListener({ app: (req) => void req.resume() })
    await expect(sendRaw(port, inPieces(path) + crumbs(5000, 1))).resolves.toBeDefined()
  },
)

test.each(['PUT /about', 'GET /', 'POST /login', 'POST /share'])(
  'a connection whose body goes on beyond any that is read is closed: %s',
  async (path) => {
    const { port } = await startListener()
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    const heard = (event: 'close' | 'drain') =>
      new Promise<void>((resolve) => void socket.once(event, resolve))
    const closed = heard('close')
    socket.resume()
    socket.write(inPieces(path))
    const piece = crumbs(1, maxImageBytes / 10)
    for (let sent = 0; sent < 80 && !socket.destroyed; sent++) {
      if (!socket.write(piece)) await Promise.race([heard('drain'), closed])
    }
    expect(socket.destroyed).toBe(true)
  },
)

test('bodies in ordinary pieces are taken, also one after the other on a connection', async () => {
  const { port } = await startListener({
    app: (req, res) => {
      let bytes = 0
      req.on('data', (piece: Buffer) => (bytes += piece.length))
      req.on('end', () => {
        res.setHeader('connection', bytes === 200 ? 'keep-alive' : 'close')
        res.end(`took ${bytes}.`)
      })
    },
  })
  const body = (count: number, size: number) => `${crumbs(count, size)}0\r\n\r\n`
  const small = inPieces('POST /api/contact') + body(200, 1)
  const large = inPieces('PUT /api/image') + body(2000, 1024)
  const answers = await sendRaw(port, small + small + large)
  expect(answers.match(/took \d+/g)).toEqual(['took 200', 'took 200', 'took 2048000'])
})

test('what a closed connection has left in pieces costs nobody time', async () => {
  const { port } = await startListener()
  const cost = async (body: string) => {
    const before = process.cpuUsage()
    const request = inPieces('PUT /about') + body
    await Promise.all(Array.from({ length: 100 }, () => sendRaw(port, request)))
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  // Of some samples the least counts, because whatever comes in between only adds to one.
  const least = async (body: string) =>
    Math.min(await cost(body), await cost(body), await cost(body))
  const refused = `${'x'.repeat(60_000)}\r\n` // where a piece's length should stand
  await cost(refused)
  const base = await least(refused)
  expect(await least(crumbs(10_000, 1))).toBeLessThan(4 * base)
})

test('pages answer only reading methods', async () => {
  const { url } = await startListener()
  const refused = await fetch(`${url}/about`, { method: 'PUT', body: '{}' })
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  const options = await fetch(`${url}/about`, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

test('HEAD answers as GET does, without the body', async () => {
  const { port, url } = await startListener()
  const got = await fetch(`${url}/about`, { headers: { 'accept-encoding': 'identity' } })
  const answer = await sendRaw(port, 'HEAD /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [head = '', body] = answer.split('\r\n\r\n')
  expect(head).toContain(`ETag: ${got.headers.get('etag')}`)
  expect(head).toContain(`Content-Length: ${(await got.bytes()).length}`)
  expect(body).toBe('')
})

test('method overrides are ignored', async () => {
  const { url } = await startListener()
  const headers = { 'x-http-method-override': 'DELETE' }
  const answer = await fetch(`${url}/about?_method=DELETE`, { headers })
  expect(answer.status).toBe(200)
})

test('calls, pictures and the plain contact form reach the app, nothing else does', async () => {
  const { url } = await startListener({ app: (req, res) => res.end(`app ${req.url}`) })
  const read = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).text()
  expect(await read('/api/person?x=1')).toBe('app /api/person?x=1')
  expect(await read('/media/a.webp')).toBe('app /media/a.webp')
  expect(await read('/contact', { method: 'POST', body: 'a=b' })).toBe('app /contact')
  expect(await read('/apis')).not.toContain('app ')
  expect(await read('/contact')).not.toContain('app ')
})

test('a call keeps its encoded spelling', async () => {
  const { url } = await startListener({ app: (req, res) => res.end(req.url) })
  expect(await (await fetch(`${url}/api/skill/detail/a%2Fb`)).text()).toBe(
    '/api/skill/detail/a%2Fb',
  )
})

test('calls beyond what the server can carry are refused, a session that was found keeps a reserve', async () => {
  const waiting: (() => void)[] = []
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const events: string[] = []
  const { url } = await startListener({
    trustProxy: 1,
    isOwners: async (authorization) => authorization === 'Bearerher',
    log: (event) => void events.push(event),
    app: (_, res) => {
      waiting.push(() => res.end('done'))
      if (waiting.length === 256) isFull()
      if (waiting.length > 256) res.end('reserve')
    },
  })
  const get = (headers: Readonly<Record<string, string>>, path: string = calls.person) =>
    fetch(`${url}/api/${path}`, { headers })
  const from = (i: number) => ({ 'x-forwarded-for': `10.0.0.${i % 8}` })
  const held = Array.from({ length: 256 }, (_, i) => get(from(i)))
  await full
  const refused = await get(from(9))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(refused.headers.get(ownHeader)).toBe('1')
  expect(await refused.json()).toMatchObject({ code: 'no-disponible', status: 503 })
  expect((await get({ ...from(9), authorization: 'Bearerx' })).status).toBe(503)
  const owner = await get({ ...from(1), authorization: 'Bearerher' })
  expect(await owner.text()).toBe('reserve')
  expect(events).toContain('overloaded')
  // The process answers, and no new start would help: only its readiness is refused with the rest.
  expect((await get(from(9), ownerCalls.health)).status).toBe(200)
  expect((await get(from(9), ownerCalls.ready)).status).toBe(503)
  for (const end of waiting) end()
  await Promise.all(held)
  expect((await get(from(9))).status).toBe(200)
})

test('one address holds only a part of the calls', async () => {
  const waiting: (() => void)[] = []
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const { url } = await startListener({
    trustProxy: 1,
    app: (_, res) => {
      waiting.push(() => res.end('done'))
      if (waiting.length === 100) isFull()
      if (waiting.length > 100) res.end('another')
    },
  })
  const get = (address: string) =>
    fetch(`${url}/api/person`, { headers: { 'x-forwarded-for': address } })
  const held = Array.from({ length: 100 }, () => get('10.0.0.1'))
  await full
  expect((await get('10.0.0.1')).status).toBe(503)
  expect(await (await get('10.0.0.2')).text()).toBe('another')
  for (const end of waiting) end()
  await Promise.all(held)
})

/** Sends a call, goes once it was looked into, and resolves when the server has seen that. */
async function callAndGo(port: number, head: string, lookedInto: Promise<void>): Promise<void> {
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const watch = (begun: unknown) =>
    void (begun as { response: ServerResponse }).response.once('close', resolve)
  subscribe('http.server.request.start', watch)
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/person HTTP/1.1\r\nHost: a\r\n${head}\r\n`)
  await lookedInto
  unsubscribe('http.server.request.start', watch)
  socket.destroy()
  await gone
}

test('whoever is gone by the time that her session is found takes no place', async () => {
  const asked = Promise.withResolvers<void>()
  const found = Promise.withResolvers<boolean>()
  const { port, url } = await startListener({
    limits: { calls: 0, ownerCalls: 1 },
    isOwners: async () => {
      asked.resolve()
      return found.promise
    },
  })
  await callAndGo(port, 'Authorization: Bearerher\r\n', asked.promise)
  found.resolve(true)
  await setImmediate()
  const headers = { authorization: 'Bearerher' }
  expect((await fetch(`${url}/api/person`, { headers })).status).toBe(200)
})

test('whoever is gone by the time that a kept answer turns out to be old takes no place', async () => {
  const asked = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<undefined>()
  const { port, url } = await startListener({
    limits: { calls: 1 },
    reads: {
      find: () => {
        asked.resolve()
        return looked.promise
      },
      note: () => undefined,
      keep: (_, next) => next(),
    },
  })
  await callAndGo(port, '', asked.promise)
  looked.resolve(undefined)
  await setImmediate()
  expect((await fetch(`${url}/api/person`)).status).toBe(200)
})

/** What a server that waits for a hundred milliseconds answers a form that comes drop by drop. */
async function answerToDrops(path: string): Promise<string> {
  const limits = { bodyMs: 100, checkEveryMs: 20 }
  const { port } = await startListener({ app: neverAnswer, limits })
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n`)
  const drip = setInterval(() => socket.write('x'), 20)
  const answer = Buffer.concat(await socket.on('error', () => undefined).toArray()).toString()
  clearInterval(drip)
  expect(statusOf(answer)).toBe(408)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  return answer
}

test('a body that comes drop by drop is answered and closed', async () => {
  expect(await answerToDrops('/api/contact')).toContain("default-src 'none'; frame-ancestors")
})

test('the contact form that comes drop by drop is answered with a page', async () => {
  const [head = '', page = ''] = (await answerToDrops('/contact?desde=x')).split('\r\n\r\n')
  expect(head).toContain('Content-Type: text/html; charset=utf-8')
  expect(head).toContain("form-action 'self'")
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(page)}`)
  expect(page).toContain(contactNotices.failed)
  expect(page).toContain(errorPageTexts.formStays)
})

test('the contact form that finds no place is told so on a page', async () => {
  const { url } = await startListener({ app: neverAnswer, limits: { calls: 0 } })
  const body = new URLSearchParams({ name: 'Ana' })
  const refused = await fetch(`${url}/contact`, { method: 'POST', body })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(refused.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(refused.headers.get(requestIdHeader)).toBeTruthy()
  const page = await refused.text()
  expect(page).toContain(problems['no-disponible'][2])
  expect(page).toContain(errorPageTexts.formStays)
})

const asking = ' HTTP/1.1\r\nHost: a\r\n'

test('a connection that asks on without waiting for its answers is closed', async () => {
  const most = serverLimits.pipelinedRequests
  let asked = 0
  const answers: (() => void)[] = []
  const { port, url } = await startListener({
    app: (_, res) => {
      asked += 1
      answers.push(() => res.end('app'))
      if (asked === most || asked > 2 * most) for (const answer of answers.splice(0)) answer()
    },
  })
  const call = `GET /api/person${asking}`
  const inTime = await sendRaw(
    port,
    `${`${call}\r\n`.repeat(most - 1)}${call}Connection: close\r\n\r\n`,
  )
  expect(inTime.match(/HTTP\/1\.1 200/g)).toHaveLength(most)
  expect(await sendRaw(port, `${call}\r\n`.repeat(500))).toBe('')
  expect(asked).toBe(2 * most)
  expect((await fetch(`${url}/api/person`)).status).toBe(200)
})

test.each([
  ['calls', `GET /api/person${asking}\r\n`],
  // Node lets the answer out before it looks at what comes behind a body.
  ['calls with bodies', `POST /api/contact${asking}Content-Length: 2\r\n\r\n{}`],
  ['pages', `GET /about${asking}\r\n`],
  ['pages with bodies', `GET /about${asking}Content-Length: 2\r\n\r\n{}`],
  ['refusals with bodies', `PUT /about${asking}Content-Length: 2\r\n\r\n{}`],
])(
  'of %s that come at once a connection has only so many, however soon each is answered',
  async (_, request) => {
    const { port } = await startListener()
    const sent = countRequests()
    await sendRaw(port, request.repeat(500))
    expect(sent()).toBe(serverLimits.pipelinedRequests + 1)
  },
)

test('a connection that has asked all that it may and asks on is closed', async () => {
  const { port } = await startListener({ app: neverAnswer, limits: { requestsPerConnection: 5 } })
  const sent = countRequests()
  await sendRaw(port, `GET /api/person${asking}\r\n`.repeat(500))
  expect(sent()).toBe(serverLimits.pipelinedRequests + 1)
})

/** Begins to count the requests that Node has made of what it was sent, whoever answers them. */
function countRequests(): () => number {
  let count = 0
  const add = () => void (count += 1)
  subscribe('http.server.request.start', add)
  onTestFinished(() => void unsubscribe('http.server.request.start', add))
  return () => count
}

test('what is no request is not refused in the middle of an answer', async () => {
  const { promise: begun, resolve: isBegun } = Promise.withResolvers<void>()
  const { port } = await startListener({
    app: (_, res) => {
      res.writeHead(200, { 'content-length': '400' })
      res.write('a'.repeat(10), () => isBegun())
    },
  })
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/person${asking}\r\n`)
  await begun
  socket.write('no request\r\n\r\n')
  const answer = Buffer.concat(await socket.on('error', () => undefined).toArray()).toString()
  expect(answer.split('\r\n\r\n')).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 200/),
    'a'.repeat(10),
  ])
})

test('whatever a request expects it is answered as any other', async () => {
  const { port } = await startListener()
  const head = 'GET /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
  const answer = await sendRaw(port, `${head}Expect: 200-ok\r\n\r\n`)
  expect(statusOf(answer)).toBe(200)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
})

test.each([
  ['read', { stalledMs: 100, answerMs: 3_600_000 }],
  ['read to its end', { stalledMs: 3_600_000, answerMs: 100 }],
])('an answer that nobody has %s in time is given up', async (_, times) => {
  const { promise: closed, resolve } = Promise.withResolvers<boolean>()
  const { port } = await startListener({
    limits: { ...times, checkEveryMs: 20 },
    app: (_req, res) => {
      res.once('close', () => resolve(res.writableFinished))
      res.end(Buffer.alloc(20_000_000))
    },
  })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause().on('error', () => undefined)
  socket.write('GET /api/person HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await closed).toBe(false)
})

test.each([
  [{}, 303],
  [{ 'sec-fetch-site': 'none' }, 303],
  [{ 'sec-fetch-site': 'same-origin' }, 303],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'https://lucia.example' }, 303],
  [{ origin: 'http://a' }, 303],
  [{ origin: 'null' }, 303],
  [{ origin: 'https://otra.example' }, 403],
  [{ 'content-length': '12000000' }, 413],
])('what is shared with %o is answered %i', async (headers, status) => {
  const { port } = await startListener()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await sendRaw(
    port,
    `POST /share HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join('')}\r\n`,
  )
  expect(statusOf(answer)).toBe(status)
})

test.each([
  [{}, 303, ['/login?sin-enviar=1']],
  [{ 'sec-fetch-site': 'same-origin' }, 303, ['/login?sin-enviar=1']],
  [{ 'sec-fetch-site': 'cross-site' }, 403, []],
  [{ 'content-length': '70000' }, 413, []],
])('a login form that is posted with %o is answered %i, unread', async (headers, status, next) => {
  const logged: unknown[] = []
  const { port } = await startListener({
    app: neverAnswer,
    log: (...line) => void logged.push(line),
  })
  const body = 'userName=ana%40example.com&password=secreta'
  const all = { 'content-length': String(body.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await sendRaw(
    port,
    `POST /login HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join('')}\r\n${body}`,
  )
  expect(statusOf(answer)).toBe(status)
  expect(answer).not.toContain('secreta')
  expect(logged).toEqual([])
  expect([...answer.matchAll(/^Location: (.*)\r$/gm)].map(([, to]) => to)).toEqual(next)
})
