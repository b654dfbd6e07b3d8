import { describe, expect, test } from 'vitest'
import { calls, formAgeHeader, honeypotHeader, idempotencyHeader } from '#contract/api.ts'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { contactNotices } from '#contract/messages/contact.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { formAgeOf, parseFormMark } from '#contract/messages/form-mark.ts'
import { sweepKeys } from '#server/db/idempotency-keys.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'

const message = { name: 'Eva Pérez', email: 'eva@example.com', message: 'Hola:\n\n¿Hablamos?' }

const send = (
  app: TestApp,
  body: object = message,
  headers: Readonly<Record<string, string>> = {},
) => app.call('POST', 'contact', { body, headers })

const stored = async ({ db }: TestApp) =>
  (await db.selectFrom('contact_message').selectAll().orderBy('id').execute()).map((row) => ({
    ...row,
  }))

describe.each(engines)('on %s', (engine) => {
  test('a message is stored as it was written', async () => {
    const app = await openApp({ engine })
    const answer = await send(app)
    expect([answer.status, answer.json]).toEqual([201, { mensaje: contactNotices.sent }])
    expect(await stored(app)).toEqual([
      {
        ...message,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        received_at: '2031-03-01T10:00:00.000Z',
        spam: 0,
        spam_reason: '',
        answered_at: null,
        read_at: null,
        rung: 0,
        digest: expect.stringMatching(/^[\w-]{43}$/) as unknown,
        arrival: expect.any(Number) as unknown,
      },
    ])
  })

  test('the same message sent again under its key is one message and one hit', async () => {
    const app = await openApp({ engine, env: { LIMIT_CONTACT: '2/600' } })
    const headers = { [idempotencyHeader]: 'message-1' }
    for (let i = 0; i < 4; i++) expect((await send(app, message, headers)).status).toBe(201)
    expect(await stored(app)).toHaveLength(1)
    expect((await send(app)).status).toBe(201)
    expect((await send(app)).status).toBe(429)
  })

  test('a message sent again after its key is forgotten is one message, and another text under it is another', async () => {
    const app = await openApp({ engine })
    const headers = { [idempotencyHeader]: '01c16473-7c07-7127-ac94-6eca04d40293' }
    expect((await send(app, message, headers)).status).toBe(201)
    app.pass(40 * dayMs)
    await sweepKeys(app.db, app.services.now())
    const again = await send(app, message, headers)
    expect([again.status, again.json]).toEqual([201, { mensaje: contactNotices.sent }])
    expect(await stored(app)).toHaveLength(1)
    app.pass(40 * dayMs)
    await sweepKeys(app.db, app.services.now())
    expect((await send(app, { ...message, message: 'Otra cosa' }, headers)).status).toBe(201)
    expect(await stored(app)).toHaveLength(2)
  })

  test.each([
    ['another address', { email: 'eva.perez@example.com' }],
    ['another link', { message: 'Hola: https://eva.example/nuevo\n\n¿Hablamos?' }],
    ['a question in place of a statement', { message: 'Hola:\n\nHablamos.' }],
  ])('a message sent again after its key is forgotten, with %s, is not lost', async (_, change) => {
    const app = await openApp({ engine })
    const headers = { [idempotencyHeader]: '01c16473-7c07-7127-ac94-6eca04d40293' }
    await send(app, message, headers)
    app.pass(40 * dayMs)
    await sweepKeys(app.db, app.services.now())
    expect((await send(app, { ...message, ...change }, headers)).status).toBe(201)
    expect(await stored(app)).toContainEqual(expect.objectContaining({ ...message, ...change }))
  })

  test('what a robot gives away goes to the spam folder with the same answer', async () => {
    const app = await openApp({ engine })
    const honest = await send(app, message, { [formAgeHeader]: '2000', [honeypotHeader]: '' })
    const trapped = await send(app, message, { [honeypotHeader]: 'https://spam.example' })
    const hasty = await send(app, message, { [formAgeHeader]: '1999' })
    for (const answer of [trapped, hasty]) {
      expect([answer.status, answer.json]).toEqual([honest.status, honest.json])
    }
    const reasons = (await stored(app)).map(({ spam, spam_reason }) => [spam, spam_reason])
    expect(reasons).toEqual([
      [0, ''],
      [1, 'honeypot,no-form'],
      [1, 'too-fast,no-form'],
    ])
  })

  test('a form’s mark shows that a form was open, and when it was given out', async () => {
    const app = await openApp({ engine })
    const given = await app.call('GET', `${calls.contact}/mark`)
    expect(given.headers.get('cache-control')).toBe('private, no-store')
    const mark = parseFormMark(given.json)
    const sell = (text: string, sent: string) =>
      send(
        app,
        { ...message, message: `${text} [url=https://x.example]x[/url]` },
        { [formAgeHeader]: sent },
      )
    await sell('Muy pronto:', formAgeOf(9000, mark))
    await send(app, message, { [formAgeHeader]: formAgeOf(9000, mark) })
    app.pass(1000)
    await sell('Con calma:', formAgeOf(9000, mark))
    await sell('Inventado:', formAgeOf(9000, `${mark}x`))
    expect((await stored(app)).map(({ spam_reason: reason }) => reason)).toEqual([
      'too-fast,markup',
      '',
      '',
      'no-form,markup',
    ])
  })

  test('a text that an earlier page kept is not too fast, however soon it is sent', async () => {
    const app = await openApp({ engine })
    await send(app, message, { [formAgeHeader]: formAgeOf(undefined, undefined) })
    await send(app, { ...message, message: 'Otra' }, { [formAgeHeader]: formAgeOf(9, undefined) })
    const reasons = (await stored(app)).map(({ spam_reason: reason }) => reason)
    expect(reasons).toEqual(['', 'too-fast,no-form'])
  })

  test('one sender is stopped after a few messages, until the window ends', async () => {
    const app = await openApp({ engine })
    for (let i = 0; i < 5; i++) expect((await send(app)).status).toBe(201)
    const refused = await send(app)
    expect(refusal(refused)).toEqual({ status: 429, code: 'demasiados-intentos' })
    expect(refused.headers.get('retry-after')).toBe('600')
    app.pass(10 * minuteMs)
    expect((await send(app)).status).toBe(201)
    expect(await stored(app)).toHaveLength(6)
  })

  test('beyond the budget of all senders messages are kept apart, not lost', async () => {
    const app = await openApp({ engine, env: { LIMIT_CONTACT_TOTAL: '2/3600' } })
    for (let i = 0; i < 3; i++) expect((await send(app)).status).toBe(201)
    expect((await stored(app)).map(({ spam_reason }) => spam_reason)).toEqual(['', '', 'flood'])
  })
})

test('a faulty message is refused, costs nothing and is not stored', async () => {
  const app = await openApp({ env: { LIMIT_CONTACT: '1/600' } })
  const faulty = { name: ' ', email: 'nadie', message: 'x'.repeat(10_001) }
  for (let i = 0; i < 3; i++) {
    expect(refusal(await send(app, faulty))).toEqual({
      status: 422,
      code: 'datos-no-validos',
      fields: ['/name', '/email', '/message'],
    })
  }
  expect(await stored(app)).toEqual([])
  expect((await send(app)).status).toBe(201)
})

test('a name or address cannot bring in another mail header', async () => {
  const app = await openApp()
  await send(app, { ...message, name: 'Eva\r\nBcc: todos@example.com' })
  expect((await stored(app)).map(({ name }) => name)).toEqual(['Eva Bcc: todos@example.com'])
  const refused = await send(app, { ...message, email: 'eva@example.com\nBcc: todos@example.com' })
  expect(refusal(refused)['fields']).toEqual(['/email'])
})

test('a closed form takes no message and says so', async () => {
  const app = await openApp()
  await app.asOwner('PUT', 'config', { body: { contact_enabled: 'false' } })
  const refused = await send(app)
  expect(refused.status).toBe(403)
  expect(membersOf(refused)['mensaje']).toBe(defaultSettings.contact_disabled_text)
  expect(await stored(app)).toEqual([])
})

test('messages are not readable through the calls', async () => {
  const app = await openApp()
  await send(app)
  for (const call of [app.call, app.asOwner])
    expect((await call('GET', 'contact')).status).toBe(405)
})
