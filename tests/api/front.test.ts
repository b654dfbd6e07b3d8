import { expect, test } from 'vitest'
import { startFront } from '#tests/support/front.ts'
import { sendRaw } from '#tests/support/raw-http.ts'

const neverAnswer = () => undefined
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

test.each(['TRACE', 'CONNECT'])('%s is refused', async (method) => {
  const { port } = await startFront()
  const answer = await sendRaw(port, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  expect(statusOf(answer)).toBe(405)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
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
  const { port } = await startFront()
  const answer = await sendRaw(port, `${request}Connection: close\r\n\r\n`)
  expect(statusOf(answer)).toBe(400)
  expect(answer).toContain('X-Content-Type-Options: nosniff')
  expect(answer).toContain('Content-Security-Policy: ')
})

test('headers over the limit are refused', async () => {
  const { port } = await startFront()
  const answer = await sendRaw(
    port,
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
  )
  expect(statusOf(answer)).toBe(431)
})

test('a request whose headers never end is answered and closed', async () => {
  const limits = { headersMs: 50, requestMs: 3_600_000, checkEveryMs: 20 }
  const { port } = await startFront({ limits })
  expect(statusOf(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Half: '))).toBe(408)
})

test('a request whose body never ends is answered and closed', async () => {
  const limits = { headersMs: 50, requestMs: 60, checkEveryMs: 20 }
  const { port } = await startFront({ app: neverAnswer, limits })
  const head = 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'
  expect(statusOf(await sendRaw(port, `${head}half`))).toBe(408)
})

test('pages answer only reading methods', async () => {
  const { url } = await startFront()
  const refused = await fetch(`${url}/about`, { method: 'PUT', body: '{}' })
  expect(refused.status).toBe(405)
  expect(refused.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  const options = await fetch(`${url}/about`, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

test('HEAD answers as GET does, without the body', async () => {
  const { port, url } = await startFront()
  const got = await fetch(`${url}/about`, { headers: { 'accept-encoding': 'identity' } })
  const answer = await sendRaw(port, 'HEAD /about HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [head = '', body] = answer.split('\r\n\r\n')
  expect(head).toContain(`ETag: ${got.headers.get('etag')}`)
  expect(head).toContain(`Content-Length: ${(await got.bytes()).length}`)
  expect(body).toBe('')
})

test('method overrides are ignored', async () => {
  const { url } = await startFront()
  const headers = { 'x-http-method-override': 'DELETE' }
  const answer = await fetch(`${url}/about?_method=DELETE`, { headers })
  expect(answer.status).toBe(200)
})

test('calls, pictures and the plain contact form reach the app, nothing else does', async () => {
  const { url } = await startFront({ app: (req, res) => res.end(`app ${req.url}`) })
  const read = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).text()
  expect(await read('/api/person?x=1')).toBe('app /api/person?x=1')
  expect(await read('/media/a.webp')).toBe('app /media/a.webp')
  expect(await read('/contact', { method: 'POST', body: 'a=b' })).toBe('app /contact')
  expect(await read('/apis')).not.toContain('app ')
  expect(await read('/contact')).not.toContain('app ')
})

test('a call keeps its encoded spelling', async () => {
  const { url } = await startFront({ app: (req, res) => res.end(req.url) })
  expect(await (await fetch(`${url}/api/skill/detail/a%2Fb`)).text()).toBe(
    '/api/skill/detail/a%2Fb',
  )
})

test('calls beyond what the server can carry are refused, the owner keeps a reserve', async () => {
  const waiting: (() => void)[] = []
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const { url } = await startFront({
    app: (_, res) => {
      waiting.push(() => res.end('done'))
      if (waiting.length === 256) isFull()
      if (waiting.length > 256) res.end('reserve')
    },
  })
  const calls = Array.from({ length: 256 }, () => fetch(`${url}/api/person`))
  await full
  const refused = await fetch(`${url}/api/person`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ code: 'no-disponible', status: 503 })
  const owner = await fetch(`${url}/api/person`, { headers: { authorization: 'Bearerx' } })
  expect(await owner.text()).toBe('reserve')
  for (const end of waiting) end()
  await Promise.all(calls)
  expect((await fetch(`${url}/api/person`)).status).toBe(200)
})
