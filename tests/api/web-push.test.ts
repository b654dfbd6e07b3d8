import { createPublicKey, verify } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import webPush from 'web-push'
import { expect, onTestFinished, test } from 'vitest'
import {
  contactNotification,
  testNotification,
  type PushMessage,
} from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { readConfig } from '#server/config.ts'
import { openPush } from '#server/notifications/push.ts'
import { createPost, type Post, type PostAnswer } from '#server/notifications/post.ts'
import { isPushEndpoint } from '#server/notifications/public-address.ts'
import { senderByKind } from '#server/notifications/sender.ts'
import { createWebPush } from '#server/notifications/web-push.ts'
import { engines, freshFolder, openFresh } from '#tests/support/database.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { decryptPush, readPush } from '#tests/doubles/decrypt-push.ts'
import { testCertificate } from '#tests/doubles/push/certificate.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'

const now = new Date('2031-03-01T10:00:00Z')
const keys = webPush.generateVAPIDKeys()
const vapid = { ...keys, subject: 'mailto:lucia@ejemplo.test' }

type Posting = Parameters<Post>[0]

/** A sender whose push service answers as told and keeps what it was sent. */
function openSender(answer: (() => Promise<PostAnswer>) | PostAnswer = created) {
  const posts: Posting[] = []
  const post: Post = async (posting) => {
    posts.push(posting)
    return typeof answer === 'function' ? answer() : answer
  }
  return { sender: createWebPush({ vapid, now: () => now, post }), posts }
}

const created: PostAnswer = { status: 201, retryAfter: null }

const onlyPost = (posts: readonly Posting[]): Posting => {
  expect(posts).toHaveLength(1)
  return posts[0] as Posting
}

const message = contactNotification([{ id: 'm1', name: 'Eva Pérez', message: 'Hola 👋' }], 3)

test('a notification arrives encrypted for its device alone', async () => {
  const { sender, posts } = openSender()
  const device = subscribe()
  expect(await sender.send(device.address, message)).toEqual({ state: 'sent' })
  const { body, headers } = onlyPost(posts)
  expect(readPush(Buffer.from(body), device)).toEqual(message)
  expect(Buffer.from(body).toString('latin1')).not.toContain('Eva')
  expect(() => decryptPush(Buffer.from(body), subscribe())).toThrow(/unable to authenticate/i)
  expect(headers).toMatchObject({
    'Content-Encoding': 'aes128gcm',
    TTL: 86_400,
    Urgency: 'high',
  })
})

test('it is signed with the site’s key for the push service it goes to', async () => {
  const { sender, posts } = openSender()
  await sender.send(subscribe('https://push.example.com/send/1').address, message)
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(onlyPost(posts).headers['Authorization'] ?? '') ?? []
  expect(key).toBe(keys.publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(signed).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: 'https://push.example.com',
    sub: vapid.subject,
  })
})

test.each([
  ['Sat, 01 Mar 2031 10:00:40 GMT', 403, { state: 'rejected' }],
  ['Thu, 02 Jan 2031 10:00:00 GMT', 403, { state: 'retry', why: pushTexts.wrongClock }],
  ['Mon, 03 Mar 2031 10:00:00 GMT', 401, { state: 'retry', why: pushTexts.wrongClock }],
  ['Mon, 03 Mar 2031 10:00:00 GMT', 400, { state: 'rejected' }],
])('a signature refused at %s by their clock with %i means %o', async (date, status, result) => {
  const { sender } = openSender({ status, retryAfter: null, date })
  expect(await sender.send(subscribe().address, message)).toMatchObject(result)
})

test('notifications with one tag share a topic, so that only the last waits for a sleeping device', async () => {
  const { sender, posts } = openSender()
  const { address } = subscribe()
  const tagged = (tag: string): PushMessage => ({ ...message, tag })
  for (const tag of ['uno', 'uno', 'dos']) await sender.send(address, tagged(tag))
  const topics = posts.map(({ headers }) => headers['Topic'] ?? '')
  expect(topics[0]).toBe(topics[1])
  expect(topics[0]).not.toBe(topics[2])
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/)
})

test('of those for several messages only the last waits, though each rings', async () => {
  const { sender, posts } = openSender()
  const { address } = subscribe()
  const several = (newest: string) =>
    contactNotification(
      ['m1', newest].map((id) => ({ id, name: 'Eva', message: 'Hola' })),
      3,
    )
  const sent = ['m2', 'm3'].map(several)
  for (const push of sent) await sender.send(address, push)
  expect(sent[0]?.tag).not.toBe(sent[1]?.tag)
  expect(new Set(posts.map(({ headers }) => headers['Topic'])).size).toBe(1)
})

const { refused, otherKey, busy, failing, unreachable, privateAddress, unusable, noSender } =
  pushTexts

test.each([
  [200, null, { state: 'sent' }],
  [404, null, { state: 'gone' }],
  [410, null, { state: 'gone' }],
  [429, null, { state: 'retry', why: busy }],
  [429, '7', { state: 'retry', why: busy, afterMs: 7000 }],
  [
    503,
    'Sat, 01 Mar 2031 10:02:00 GMT',
    { state: 'retry', why: fill(failing, { status: 503 }), afterMs: 120_000 },
  ],
  [503, '999999999', { state: 'retry', afterMs: 86_400_000 }],
  [500, 'luego', { state: 'retry', why: fill(failing, { status: 500 }) }],
  [302, null, { state: 'rejected' }],
  [403, null, { state: 'rejected', why: fill(otherKey, { status: 403 }) }],
  [413, null, { state: 'rejected', why: fill(refused, { status: 413 }) }],
])('the answer %i with %o means %o', async (status, retryAfter, result) => {
  const { sender } = openSender({ status, retryAfter })
  expect(await sender.send(subscribe().address, message)).toMatchObject(result)
})

test('a connection that breaks is worth another try', async () => {
  const { sender } = openSender(() => Promise.reject(new Error('socket hang up')))
  const result = await sender.send(subscribe().address, message)
  expect(result).toEqual({ state: 'retry', why: unreachable })
})

const otherProtocol =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'

/** A push service on this machine that counts who connects, and a way to post to it by the name `localhost`. */
async function openService(answer = 201, headers: Readonly<Record<string, string>> = {}) {
  const { cert, key } = testCertificate()
  const got: { path: string; body: Buffer }[] = []
  let connections = 0
  const take = async (req: IncomingMessage, res: ServerResponse) => {
    got.push({ path: req.url ?? '', body: Buffer.concat(await req.toArray()) })
    if (answer === 101) req.socket.write(otherProtocol)
    else res.writeHead(answer, headers).end('nobody reads this')
  }
  const server = createServer({ cert, key }, (req, res) => void take(req, res))
  server.on('connection', () => connections++)
  const port = await listenOnLoopback(server)
  onTestFinished(() => void server.close())
  const endpoint = `https://localhost:${port}/send/1`
  return { endpoint, got, ca: cert, connections: () => connections }
}

test('nothing connects to a name that leads into a network of its own', async () => {
  for (const address of ['10.1.2.3', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
    const { endpoint, ca, connections } = await openService()
    const resolve = async () => ['93.184.215.14', address]
    const sender = createWebPush({ vapid, now: () => now, post: createPost({ resolve, ca }) })
    const result = await sender.send(subscribe(endpoint).address, message)
    expect([address, result]).toEqual([address, { state: 'rejected', why: privateAddress }])
    expect(connections()).toBe(0)
  }
})

test('nor to an address of such a network', async () => {
  const { endpoint, ca, connections } = await openService()
  const sender = createWebPush({ vapid, now: () => now, post: createPost({ ca }) })
  const { address } = subscribe(endpoint.replace('localhost', '127.0.0.1'))
  expect(await sender.send(address, message)).toEqual({ state: 'rejected', why: privateAddress })
  expect(connections()).toBe(0)
})

test('the address looked up is the address connected to', async () => {
  // The name leads to this machine by the time of the connection; the one look before said otherwise.
  const { endpoint, ca, connections } = await openService()
  const looks: string[] = []
  const resolve = async (host: string) => {
    looks.push(host)
    return ['2606:2800:21f:cb07:6820:80da:af6b:8b2c']
  }
  const post = createPost({ resolve, ca, withinMs: 500 })
  const sender = createWebPush({ vapid, now: () => now, post })
  await sender.send(subscribe(endpoint).address, message)
  expect(looks).toEqual(['localhost'])
  expect(connections()).toBe(0)
})

test('a name that nobody looks up in time is tried again, and holds up nothing', async () => {
  const post = createPost({ resolve: () => new Promise(() => undefined), withinMs: 200 })
  const sender = createWebPush({ vapid, now: () => now, post })
  const sent = sender.send(subscribe('https://push.example.com/1').address, message)
  const waited = setTimeout(5000, 'still waiting')
  expect(await Promise.race([sent, waited])).toEqual({ state: 'retry', why: unreachable })
})

test('a post arrives whole, its answer is told, and a redirect not followed', async () => {
  const resolve = async () => ['127.0.0.1']
  const isAllowed = () => true
  const date = 'Sat, 01 Mar 2031 10:00:00 GMT'
  const told = { location: '/other', 'retry-after': '7', date }
  const { endpoint, got, ca } = await openService(302, told)
  const post = createPost({ resolve, isAllowed, ca })
  const body = Buffer.alloc(4000, 'x')
  expect(await post({ endpoint, headers: { TTL: '1' }, body })).toEqual({
    status: 302,
    retryAfter: '7',
    date,
  })
  expect(got).toEqual([{ path: '/send/1', body }])
})

test('a push service that goes on in another protocol has not answered', async () => {
  const { endpoint, got, ca } = await openService(101)
  const post = createPost({ resolve: async () => ['127.0.0.1'], isAllowed: () => true, ca })
  const sender = createWebPush({ vapid, now: () => now, post })
  const result = await sender.send(subscribe(endpoint).address, message)
  expect(result).toEqual({ state: 'retry', why: unreachable })
  expect(got).toHaveLength(1)
})

test('a subscription whose keys are no keys is rejected, not thrown', async () => {
  const { sender, posts } = openSender()
  const subscription = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'x', auth: 'y' } }
  const result = await sender.send({ kind: 'webpush', subscription }, message)
  expect(result).toEqual({ state: 'rejected', why: unusable })
  expect(posts).toEqual([])
})

test('an address of a kind nobody sends to is rejected', async () => {
  const fcm = { kind: 'fcm', fid: 'c0123456789' } as const
  const nobody = senderByKind({ webpush: openSender().sender })
  expect(await nobody.send(fcm, message)).toEqual({ state: 'rejected', why: noSender })
})

test('the longest notification fits into one push', async () => {
  const { sender, posts } = openSender()
  const device = subscribe()
  const wide = '👩🏽‍💻'.repeat(30)
  const longest = contactNotification(
    [{ id: 'x'.repeat(36), name: wide.repeat(2), message: wide.repeat(50) }],
    9999,
  )
  expect(await sender.send(device.address, longest)).toEqual({ state: 'sent' })
  expect(onlyPost(posts).body.length).toBeLessThanOrEqual(4096)
  expect(readPush(Buffer.from(onlyPost(posts).body), device)).toEqual(longest)
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['https://93.184.215.14/x', true],
  ['http://fcm.googleapis.com/x', false],
  ['https://user@push.example.com/x', false],
  ['https://localhost/x', false],
  ['https://intranet/x', false],
  ['https://printer.local/x', false],
  ['https://127.0.0.1/x', false],
  ['https://2130706433/x', false],
  ['https://192.168.0.10/x', false],
  ['https://[::1]/x', false],
  ['https://[::ffff:10.0.0.1]/x', false],
  ['https://[::ffff:93.184.215.14]/x', true],
  ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/x', true],
  ['https://[::10.0.0.1]/x', false],
  ['https://[::93.184.215.14]/x', false],
  ['https://[2002:7f00:1::]/x', false],
  ['https://[fe80::1]/x', false],
  ['https://[fec0::1]/x', false],
  ['https://[64:ff9b::5db8:d70e]/x', false],
  ['https://[64:ff9b:1::1]/x', false],
  ['https://[2001::1]/x', false],
  ['https://[2001:db8::1]/x', false],
  ['https://[100::1]/x', false],
  ['https://[5f00::1]/x', false],
  ['https://[4000::1]/x', false],
  ['https://192.88.99.1/x', false],
  ['https://198.51.100.7/x', false],
  ['https://203.0.113.7/x', false],
  ['https://240.0.0.1/x', false],
  ['https://router.lan/x', false],
  ['https://router.lan./x', false],
  ['https://a.b.internal/x', false],
  ['https://nas.home.arpa/x', false],
  ['https://nas.home/x', false],
  ['https://wiki.corp/x', false],
  ['https://x.localdomain/x', false],
  ['https://service.onion/x', false],
  ['https://./x', false],
  ['https://lan/x', false],
  ['https://push.lan.example.com/x', true],
  ['no es una dirección', false],
])('whether a push service may stand at %s: %s', (endpoint, expected) => {
  expect(isPushEndpoint(endpoint)).toBe(expected)
})

const configOf = (env: Readonly<Record<string, string>>) => readConfig(env)

test.each(engines)('the keys are made once, in the %s database, and kept', async (engine) => {
  const { db } = await openFresh(engine)
  const dataDir = join(await freshFolder(), 'data')
  const config = configOf({ DATA_DIR: dataDir })
  const [first, second] = await Promise.all([
    openPush(db, config, () => now),
    openPush(db, config, () => now),
  ])
  expect(second.offer).toEqual(first.offer)
  expect(Buffer.from(first.offer.publicKey, 'base64url')).toHaveLength(65)
  // Another process has another folder, and the same keys.
  const elsewhere = configOf({ DATA_DIR: await freshFolder() })
  expect((await openPush(db, elsewhere, () => now)).offer).toEqual(first.offer)
  await expect(readdir(dataDir)).rejects.toThrow(/ENOENT/)
})

test('keys that an earlier version kept in a file are taken over', async () => {
  const dataDir = await freshFolder()
  await writeFile(join(dataDir, 'vapid.json'), JSON.stringify(keys))
  const { db } = await openFresh('sqlite')
  const open = (folder: string) => openPush(db, configOf({ DATA_DIR: folder }), () => now)
  expect((await open(dataDir)).offer.publicKey).toBe(keys.publicKey)
  expect((await open(await freshFolder())).offer.publicKey).toBe(keys.publicKey)
})

test('the operator’s own keys come before kept ones', async () => {
  const dataDir = await freshFolder()
  const { db } = await openFresh('sqlite')
  const env = { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey }
  const { offer } = await openPush(db, configOf({ DATA_DIR: dataDir, ...env }), () => now)
  expect(offer.publicKey).toBe(keys.publicKey)
  expect(await readdir(dataDir)).toEqual([])
})

test('kept keys that are broken stop the start and stay as they are', async () => {
  const dataDir = await freshFolder()
  const file = join(dataDir, 'vapid.json')
  const other = webPush.generateVAPIDKeys()
  const mixed = JSON.stringify({ ...keys, privateKey: other.privateKey })
  const { db } = await openFresh('sqlite')
  for (const text of ['', '{"publicKey":"x"}', mixed]) {
    await writeFile(file, text)
    await expect(openPush(db, configOf({ DATA_DIR: dataDir }), () => now)).rejects.toThrow(
      /vapid\.json no hay un par de claves VAPID/,
    )
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})

test.each([
  [{ VAPID_SUBJECT: 'lucia' }, /VAPID_SUBJECT debe ser mailto:… o https:\/\/…/],
  [{ VAPID_SUBJECT: 'http://ejemplo.test' }, /VAPID_SUBJECT debe ser/],
  [{ VAPID_PUBLIC_KEY: keys.publicKey }, /VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY van juntas/],
  [
    { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: 'aaaa' },
    /VAPID_PUBLIC_KEY y VAPID_PRIVATE_KEY no son un par/,
  ],
])('a start with %o is refused with the reason', (env, reason) => {
  expect(() => readConfig(env)).toThrow(reason)
})

test('push services are given the site’s address to write to, else the owner’s', () => {
  const subject = (env: Readonly<Record<string, string>>) => readConfig(env).push.subject
  expect(subject({ PUBLIC_URL: 'https://lucia.ejemplo' })).toBe('https://lucia.ejemplo')
  const owner = { OWNER_EMAIL: 'lucia@ejemplo.test', OWNER_PASSWORD: 'una frase larga y propia' }
  expect(subject(owner)).toBe('mailto:lucia@ejemplo.test')
  expect(subject({ ...owner, VAPID_SUBJECT: 'mailto:a@b.es' })).toBe('mailto:a@b.es')
})

test('one new message is told with its first 120 characters, several with their number', () => {
  const long = { id: 'm1', name: 'Eva', message: `${'á'.repeat(119)}\n👋más` }
  expect(contactNotification([long], 1)).toMatchObject({
    title: 'Mensaje de Eva',
    body: `${'á'.repeat(119)} …`,
    url: '/inbox?mensaje=m1',
    unread: 1,
  })
  const whole = { id: 'm2', name: 'Luis', message: '👋'.repeat(120) }
  expect(contactNotification([whole], 1).body).toBe('👋'.repeat(120))
  expect(contactNotification([long, whole], 5)).toMatchObject({
    title: '5 mensajes sin leer',
    url: '/inbox',
    tag: 'messages-m2',
    unread: 5,
  })
  expect(testNotification('1').tag).not.toBe(testNotification('2').tag)
})
