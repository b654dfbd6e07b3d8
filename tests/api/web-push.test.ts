import { createPublicKey, verify } from 'node:crypto'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import webPush from 'web-push'
import { expect, test } from 'vitest'
import { contactNotification, testNotification, type PushMessage } from '#contract/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts-push.ts'
import { readConfig } from '#server/config.ts'
import { openPush } from '#server/push/push.ts'
import { isPushEndpoint } from '#server/push/public-address.ts'
import { senderByKind } from '#server/push/sender.ts'
import { createWebPush } from '#server/push/web-push.ts'
import { freshFolder } from '#tests/support/database.ts'
import { decryptPush, readPush } from '#tests/support/decrypt-push.ts'
import { subscribe } from '#tests/support/push-recorder.ts'

const now = new Date('2031-03-01T10:00:00Z')
const keys = webPush.generateVAPIDKeys()
const vapid = { ...keys, subject: 'mailto:lucia@ejemplo.test' }

interface Posted {
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
  readonly redirect: RequestRedirect | undefined
}

/** A sender whose push service answers as told and keeps what it was sent. */
function openSender(answer: () => Response | Promise<Response>, addresses = ['93.184.215.14']) {
  const posts: Posted[] = []
  const sender = createWebPush({
    vapid,
    now: () => now,
    resolve: async () => addresses,
    fetch: async (input, init = {}) => {
      const request = new Request(input, init)
      const body = Buffer.from(await request.arrayBuffer())
      posts.push({ url: request.url, headers: request.headers, body, redirect: init.redirect })
      return answer()
    },
  })
  return { sender, posts }
}

const onlyPost = (posts: readonly Posted[]): Posted => {
  expect(posts).toHaveLength(1)
  return posts[0] as Posted
}

const created = () => new Response(null, { status: 201 })
const message = contactNotification([{ id: 'm1', name: 'Eva Pérez', message: 'Hola 👋' }], 3)

test('a notification arrives encrypted for its device alone', async () => {
  const { sender, posts } = openSender(created)
  const device = subscribe()
  expect(await sender.send(device.address, message)).toEqual({ state: 'sent' })
  const { body, headers, redirect } = onlyPost(posts)
  expect(readPush(body, device)).toEqual(message)
  expect(body.toString('latin1')).not.toContain('Eva')
  expect(() => decryptPush(body, subscribe())).toThrow(/unable to authenticate/i)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    urgency: 'high',
  })
  expect(redirect).toBe('manual')
})

test('it is signed with the site’s key for the push service it goes to', async () => {
  const { sender, posts } = openSender(created)
  await sender.send(subscribe('https://push.example.com/send/1').address, message)
  const [, token = '', key = ''] =
    /^vapid t=([^,]+), k=(.+)$/.exec(onlyPost(posts).headers.get('authorization') ?? '') ?? []
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

test('notifications with one tag share a topic, so that only the last waits for a sleeping device', async () => {
  const { sender, posts } = openSender(created)
  const { address } = subscribe()
  const tagged = (tag: string): PushMessage => ({ ...message, tag })
  for (const tag of ['uno', 'uno', 'dos']) await sender.send(address, tagged(tag))
  const topics = posts.map(({ headers }) => headers.get('topic') ?? '')
  expect(topics[0]).toBe(topics[1])
  expect(topics[0]).not.toBe(topics[2])
  for (const topic of topics) expect(topic).toMatch(/^[\w-]{32}$/)
})

test('of those for several messages only the last waits, though each rings', async () => {
  const { sender, posts } = openSender(created)
  const { address } = subscribe()
  const several = (newest: string) =>
    contactNotification(
      ['m1', newest].map((id) => ({ id, name: 'Eva', message: 'Hola' })),
      3,
    )
  const sent = ['m2', 'm3'].map(several)
  for (const push of sent) await sender.send(address, push)
  expect(sent[0]?.tag).not.toBe(sent[1]?.tag)
  expect(new Set(posts.map(({ headers }) => headers.get('topic'))).size).toBe(1)
})

const { refused, otherKey, busy, failing, unreachable, privateAddress, unusable, noSender } =
  pushTexts

test.each([
  [200, {}, { state: 'sent' }],
  [404, {}, { state: 'gone' }],
  [410, {}, { state: 'gone' }],
  [429, {}, { state: 'retry', why: busy }],
  [429, { 'retry-after': '7' }, { state: 'retry', why: busy, afterMs: 7000 }],
  [
    503,
    { 'retry-after': 'Sat, 01 Mar 2031 10:02:00 GMT' },
    { state: 'retry', why: fill(failing, { status: 503 }), afterMs: 120_000 },
  ],
  [503, { 'retry-after': '999999999' }, { state: 'retry', afterMs: 86_400_000 }],
  [500, { 'retry-after': 'luego' }, { state: 'retry', why: fill(failing, { status: 500 }) }],
  [302, { location: 'https://otro.example' }, { state: 'rejected' }],
  [403, {}, { state: 'rejected', why: fill(otherKey, { status: 403 }) }],
  [413, {}, { state: 'rejected', why: fill(refused, { status: 413 }) }],
])('the answer %i with %o means %o', async (status, headers, result) => {
  const { sender } = openSender(() => new Response(null, { status, headers }))
  expect(await sender.send(subscribe().address, message)).toMatchObject(result)
})

test('a connection that breaks is worth another try', async () => {
  const { sender } = openSender(() => Promise.reject(new TypeError('fetch failed')))
  const result = await sender.send(subscribe().address, message)
  expect(result).toEqual({ state: 'retry', why: unreachable })
})

test('nothing is sent to a name that leads into a private network', async () => {
  for (const address of ['10.1.2.3', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
    const { sender, posts } = openSender(created, ['93.184.215.14', address])
    const result = await sender.send(subscribe().address, message)
    expect([address, result]).toEqual([address, { state: 'rejected', why: privateAddress }])
    expect(posts).toEqual([])
  }
})

test('a subscription whose keys are no keys is rejected, not thrown', async () => {
  const { sender, posts } = openSender(created)
  const subscription = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'x', auth: 'y' } }
  const result = await sender.send({ kind: 'webpush', subscription }, message)
  expect(result).toEqual({ state: 'rejected', why: unusable })
  expect(posts).toEqual([])
})

test('an address of a kind nobody sends to is rejected', async () => {
  const fcm = { kind: 'fcm', fid: 'c0123456789' } as const
  const nobody = senderByKind({ webpush: openSender(created).sender })
  expect(await nobody.send(fcm, message)).toEqual({ state: 'rejected', why: noSender })
})

test('the longest notification fits into one push', async () => {
  const { sender, posts } = openSender(created)
  const device = subscribe()
  const wide = '👩🏽‍💻'.repeat(30)
  const longest = contactNotification(
    [{ id: 'x'.repeat(36), name: wide.repeat(2), message: wide.repeat(50) }],
    9999,
  )
  expect(await sender.send(device.address, longest)).toEqual({ state: 'sent' })
  expect(onlyPost(posts).body.length).toBeLessThanOrEqual(4096)
  expect(readPush(onlyPost(posts).body, device)).toEqual(longest)
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
  ['no es una dirección', false],
])('whether a push service may stand at %s: %s', (endpoint, expected) => {
  expect(isPushEndpoint(endpoint)).toBe(expected)
})

const configOf = (env: Readonly<Record<string, string>>) => readConfig(env)

test('the keys are made once, for the server’s user alone, and kept', async () => {
  const dataDir = join(await freshFolder(), 'data')
  const config = configOf({ DATA_DIR: dataDir })
  const [first, second] = await Promise.all([
    openPush(config, () => now),
    openPush(config, () => now),
  ])
  expect(second.offer).toEqual(first.offer)
  expect(Buffer.from(first.offer.publicKey, 'base64url')).toHaveLength(65)
  expect((await openPush(config, () => now)).offer).toEqual(first.offer)
  expect(await readdir(dataDir)).toEqual(['vapid.json'])
  expect((await stat(join(dataDir, 'vapid.json'))).mode & 0o777).toBe(0o600)
})

test('the operator’s own keys come before kept ones', async () => {
  const dataDir = await freshFolder()
  const env = { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: keys.privateKey }
  const { offer } = await openPush(configOf({ DATA_DIR: dataDir, ...env }), () => now)
  expect(offer.publicKey).toBe(keys.publicKey)
  expect(await readdir(dataDir)).toEqual([])
})

test('kept keys that are broken stop the start and stay as they are', async () => {
  const dataDir = await freshFolder()
  const file = join(dataDir, 'vapid.json')
  const other = webPush.generateVAPIDKeys()
  const mixed = JSON.stringify({ ...keys, privateKey: other.privateKey })
  for (const text of ['', '{"publicKey":"x"}', mixed]) {
    await writeFile(file, text)
    await chmod(file, 0o600)
    await expect(openPush(configOf({ DATA_DIR: dataDir }), () => now)).rejects.toThrow(
      /vapid\.json holds no pair of VAPID keys/,
    )
    expect(await readFile(file, 'utf8')).toBe(text)
  }
})

test.each([
  [{ VAPID_SUBJECT: 'lucia' }, /VAPID_SUBJECT must be mailto:… or https:\/\/…/],
  [{ VAPID_SUBJECT: 'http://ejemplo.test' }, /VAPID_SUBJECT must be/],
  [{ VAPID_PUBLIC_KEY: keys.publicKey }, /VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY go together/],
  [
    { VAPID_PUBLIC_KEY: keys.publicKey, VAPID_PRIVATE_KEY: 'aaaa' },
    /VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are no pair/,
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
