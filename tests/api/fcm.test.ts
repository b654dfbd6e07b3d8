import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { contactNotification, parsePushMessage } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { parseServiceAccount } from '#server/firebase/service-account.ts'
import { createFcm } from '#server/notifications/fcm.ts'
import { accountFile } from '#tests/doubles/google/account.ts'
import { createGoogleDouble, type GoogleDouble } from '#tests/doubles/google/double.ts'
import { googleError } from '#tests/doubles/google/state.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'

const message = contactNotification([{ id: 'm1', name: 'Eva Pérez', message: 'Hola 👋' }], 3)
const fid = 'c0123456789abcdefghijk'
const device = { kind: 'fcm', fid } as const

/** A sender at Google's double, where one device is registered, with a clock that moves by hand. */
function openSender() {
  const google = createGoogleDouble()
  const registration = { endpoint: 'https://push.example/1', auth: 'a', p256dh: 'b' }
  google.state.registrations.set(fid, registration)
  let time = Date.parse('2031-03-01T10:00:00Z')
  const account = parseServiceAccount(JSON.stringify(accountFile))
  const sender = createFcm({ account, now: () => new Date(time), fetch: google.fetch })
  return { google, sender, pass: (ms: number) => void (time += ms) }
}

const callsTo = ({ state }: GoogleDouble, host: string) =>
  state.calls.filter((call) => call.host === `${host}.googleapis.com`).length

/** Has the next send answered with this instead. */
function answerNext({ state }: GoogleDouble, answer: () => Response): void {
  state.failures.push({ when: ({ host }) => host === 'fcm.googleapis.com', answer })
}

test('a notification reaches the device as data that the worker can read', async () => {
  const { google, sender } = openSender()
  expect(await sender.send(device, message)).toEqual({ state: 'sent' })
  const [sent] = google.state.sent
  expect(parsePushMessage(sent?.data)).toEqual(message)
  expect(sent).not.toHaveProperty('notification')
  expect(sent?.webpush?.headers).toMatchObject({ TTL: '86400', Urgency: 'high' })
  expect(sent?.webpush?.headers?.['Topic']).toMatch(/^[\w-]{1,32}$/)
})

test('one access token serves an hour of notifications, also those sent together', async () => {
  const { google, sender, pass } = openSender()
  await Promise.all([sender.send(device, message), sender.send(device, message)])
  pass(3_500_000)
  await sender.send(device, message)
  expect([callsTo(google, 'oauth2'), google.state.sent.length]).toEqual([1, 3])
  pass(60_000)
  await sender.send(device, message)
  expect(callsTo(google, 'oauth2')).toBe(2)
})

test('a token withdrawn before its time is replaced once, unnoticed', async () => {
  const { google, sender } = openSender()
  await sender.send(device, message)
  google.state.accessTokens.clear()
  expect(await sender.send(device, message)).toEqual({ state: 'sent' })
  for (let i = 0; i < 2; i++) answerNext(google, () => new Response(null, { status: 401 }))
  const refused = { state: 'rejected', why: pushTexts.badAccount }
  expect(await sender.send(device, message)).toEqual(refused)
  expect(google.state.failures).toEqual([])
})

test('a device that Firebase does not know any more is gone', async () => {
  const { google, sender } = openSender()
  google.state.registrations.clear()
  expect(await sender.send(device, message)).toEqual({ state: 'gone' })
})

test.each([
  ['of a project that is not there', () => googleError(404, 'NOT_FOUND')],
  ['of a page in between', () => new Response('<h1>Not Found</h1>', { status: 404 })],
])('a 404 %s takes no device away', async (_, answer) => {
  const { google, sender } = openSender()
  answerNext(google, answer)
  const why = fill(pushTexts.refused, { status: 404 })
  expect(await sender.send(device, message)).toEqual({ state: 'rejected', why })
})

test.each([
  [429, {}, { state: 'retry', afterMs: 60_000, why: pushTexts.busy }],
  [429, { 'retry-after': '7' }, { state: 'retry', afterMs: 7000, why: pushTexts.busy }],
  [503, {}, { state: 'retry', why: fill(pushTexts.failing, { status: 503 }) }],
  [400, {}, { state: 'rejected', why: fill(pushTexts.refused, { status: 400 }) }],
  [403, {}, { state: 'rejected', why: fill(pushTexts.refused, { status: 403 }) }],
] as const)('an answer of %i %j is %j', async (status, headers, result) => {
  const { google, sender } = openSender()
  answerNext(google, () => new Response('{}', { status, headers }))
  expect(await sender.send(device, message)).toEqual(result)
})

test('no answer is worth another try, at either host', async () => {
  const { google, sender } = openSender()
  const retry = { state: 'retry', why: pushTexts.unreachable }
  for (const host of ['oauth2.googleapis.com', 'fcm.googleapis.com']) {
    const answer = () => {
      throw new TypeError('connection reset')
    }
    google.state.failures.push({ when: (call) => call.host === host, answer })
    expect(await sender.send(device, message)).toEqual(retry)
  }
  expect(await sender.send(device, message)).toEqual({ state: 'sent' })
})

test('one try ends within its time, however many answers it waits for', async () => {
  const google = createGoogleDouble()
  google.state.failures.push({
    when: ({ host }) => host === 'fcm.googleapis.com',
    answer: () => new Response(null, { status: 401 }),
  })
  const slow: typeof fetch = async (...asked) => {
    await wait(300)
    return google.fetch(...asked)
  }
  const account = parseServiceAccount(JSON.stringify(accountFile))
  const sender = createFcm({ account, now: () => new Date(), fetch: slow, withinMs: 700 })
  const late = { state: 'retry', why: pushTexts.unreachable }
  expect(await sender.send(device, message)).toEqual(late)
})

test('an account that Google does not take is named, not tried for ever', async () => {
  const { google, sender } = openSender()
  const answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  google.state.failures.push({ when: ({ host }) => host === 'oauth2.googleapis.com', answer })
  const refused = { state: 'rejected', why: pushTexts.badAccount }
  expect(await sender.send(device, message)).toEqual(refused)
})

test.each([
  ['Sat, 01 Mar 2031 10:00:40 GMT', { state: 'rejected', why: pushTexts.badAccount }],
  ['Sat, 01 Mar 2031 11:00:00 GMT', { state: 'retry', why: pushTexts.wrongClock }],
])('an account that is refused at %s by Google’s clock is %j', async (date, result) => {
  const { google, sender } = openSender()
  const answer = () => Response.json({ error: 'invalid_grant' }, { status: 400, headers: { date } })
  google.state.failures.push({ when: ({ host }) => host === 'oauth2.googleapis.com', answer })
  expect(await sender.send(device, message)).toEqual(result)
  expect(await sender.send(device, message)).toEqual({ state: 'sent' })
})

test('a browser of the other kind is left to the other sender', async () => {
  const { sender } = openSender()
  expect(await sender.send(subscribe().address, message)).toMatchObject({ state: 'rejected' })
})
