/** @module-tag long */
import { describe, expect, onTestFinished, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/durations.ts'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { recoverCall } from '#contract/access/recover.ts'
import { mailTexts } from '#contract/texts/mail.ts'
import { readConfig } from '#server/config.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { owner } from '#tests/support/site.ts'
import { openSmtp } from '#tests/doubles/smtp-double.ts'

const publicUrl = 'https://lucia.net'
const unheard = () => undefined
const letter = { name: 'Eva Pérez', email: 'eva@correo.net', message: 'Hola:\n\n.\n¿Hablamos?' }

async function openMailServer() {
  const smtp = await openSmtp()
  onTestFinished(smtp.close)
  return smtp
}

async function openMailing(
  engine: 'sqlite' | 'postgres',
  env: Readonly<Record<string, string>> = {},
) {
  const smtp = await openMailServer()
  const app = await openApp({
    engine,
    env: { SMTP_URL: smtp.url, PUBLIC_URL: publicUrl, ...env },
  })
  return { app, smtp }
}
const write = async (app: TestApp, values: object = {}) =>
  (await app.call('POST', calls.contact, { body: { ...letter, ...values } })).status
const ask = (app: TestApp, userName: string) =>
  app.call('POST', recoverCall, { body: { userName } })
const linkIn = (text: string) => /https:\/\/lucia\.net\/configurar#([\w-]+)/.exec(text)?.[1] ?? ''

describe.each(engines)('on %s', (engine) => {
  test('a message goes to the owner too, and an answer to it to whoever wrote', async () => {
    const { app, smtp } = await openMailing(engine)
    expect(await write(app)).toBe(201)
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(1)
    const [mail] = smtp.mails
    expect([mail?.from, mail?.to]).toEqual(['tintero@lucia.net', [owner.userName]])
    expect(mail?.headers['reply-to']).toContain('<eva@correo.net>')
    expect(mail?.headers['content-type']).toMatch(/^text\/plain/)
    expect(mail?.text.replaceAll('\r\n', '\n')).toContain(letter.message)
    expect(await app.db.selectFrom('job').select('kind').execute()).toEqual([])
  })

  test('a mail server that is away is tried again, and the message is there all the while', async () => {
    const { app, smtp } = await openMailing(engine)
    smtp.mood = '450 later'
    expect(await write(app)).toBe(201)
    await app.services.jobs.runDue()
    expect(await app.db.selectFrom('job').select(['kind', 'why']).execute()).toEqual([
      { kind: 'mail', why: mailTexts.unreachable },
    ])
    expect(app.events).toContainEqual({ event: 'mail-failed', code: 'EENVELOPE', status: 450 })
    smtp.mood = '250 ok'
    app.pass(minuteMs)
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(1)
  })

  test('messages wait for an account that its server does not take, and ask it no more often for being more', async () => {
    const { app, smtp } = await openMailing(engine)
    smtp.mood = '550 relay denied'
    const visitors = ['Eva', 'Luis', 'Ana']
    for (const name of visitors) expect(await write(app, { name, message: name })).toBe(201)
    await app.services.jobs.runDue()
    const failures = () => app.events.filter(({ event }) => event === 'mail-failed')
    expect(failures()).toEqual([{ event: 'mail-failed', code: 'EENVELOPE', status: 550 }])
    const first = smtp.calls
    for (let quarter = 1; quarter <= 12; quarter++) {
      app.pass(15 * minuteMs)
      await app.services.jobs.runDue()
      app.pass(minuteMs)
      await app.services.jobs.runDue()
      expect([smtp.calls - first, failures().length]).toEqual([quarter, quarter + 1])
    }
    smtp.mood = '250 ok'
    for (const wait of [15 * minuteMs, minuteMs]) {
      app.pass(wait)
      await app.services.jobs.runDue()
    }
    const sent = smtp.mails.map(({ text }) => text.trim().split(/\s/)[0])
    expect([sent.length, new Set(sent)]).toEqual([3, new Set(visitors)])
    expect(await app.db.selectFrom('job').select('kind').execute()).toEqual([])
  })

  test('what was written down while the clock was a year ahead goes when it is right again', async () => {
    const { app, smtp } = await openMailing(engine)
    const yearMs = 365 * 24 * hourMs
    app.pass(yearMs)
    await write(app)
    // Somebody had taken it, and died.
    const lease = new Date(app.services.now().getTime() + 15_000).toISOString()
    await app.db.updateTable('job').set({ lease_until: lease }).execute()
    app.pass(-yearMs)
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(1)
  })

  test('the first try after the site was off for a week is not the last', async () => {
    const { app, smtp } = await openMailing(engine)
    smtp.mood = '450 later'
    await write(app)
    await app.services.jobs.runDue()
    app.pass(7 * 24 * hourMs)
    await app.services.jobs.runDue()
    smtp.mood = '250 ok'
    app.pass(minuteMs)
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(1)
  })

  test('a mail server may be away for days, and not for weeks', async () => {
    const { app, smtp } = await openMailing(engine)
    smtp.mood = '450 later'
    await write(app)
    const pass = async (hours: number) => {
      for (let hour = 0; hour < hours; hour++) {
        app.pass(hourMs)
        await app.services.jobs.runDue()
      }
    }
    await pass(119)
    expect(await app.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'pending' }])
    await pass(3)
    expect(await app.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'dead' }])
  })

  test('a link for a new password goes to the owner alone, once, whoever is named', async () => {
    const { app, smtp } = await openMailing(engine, { LIMIT_RECOVER: '10/3600' })
    const answers = [
      await ask(app, owner.userName.toUpperCase()),
      await ask(app, 'otra@correo.net'),
      await ask(app, `${owner.userName}\r\nBcc: otra@correo.net`),
      await ask(app, ''),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([202, { mensaje: mailTexts.resetAsked }])
    }
    await app.services.jobs.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual([[owner.userName]])
    const token = linkIn(smtp.mails[0]?.text ?? '')
    const password = 'otra frase larga y propia'
    const reset = () => app.call('POST', ownerCalls.setup, { body: { token, password } })
    expect((await reset()).status).toBe(200)
    expect((await reset()).status).toBe(404)
    const { status } = await app.call('POST', ownerCalls.login, {
      body: { userName: owner.userName, password },
    })
    expect(status).toBe(200)
  })

  test('a link is tried three times, since whoever waits asks again', async () => {
    const { app, smtp } = await openMailing(engine)
    smtp.mood = '450 later'
    await ask(app, owner.userName)
    const states = []
    for (let tries = 1; tries <= 3; tries++) {
      await app.services.jobs.runDue()
      states.push(await app.db.selectFrom('job').select(['state', 'attempts']).execute())
      app.pass(hourMs)
    }
    expect(states).toEqual([
      [{ state: 'pending', attempts: 1 }],
      [{ state: 'pending', attempts: 2 }],
      [{ state: 'dead', attempts: 3 }],
    ])
  })

  test('links live side by side until one is used, and end with their time', async () => {
    const { app, smtp } = await openMailing(engine, { LIMIT_RECOVER: '10/3600' })
    const isOpen = async (token: string) =>
      (await app.call('POST', ownerCalls.setupCheck, { body: { token } })).status === 200
    const printed = await app.services.auth.issueLink('reset')
    for (const _ of [1, 2, 3]) {
      await ask(app, owner.userName)
      await app.services.jobs.runDue()
    }
    const [first = '', second = '', third = ''] = smtp.mails.map(({ text }) => linkIn(text))
    const stand = () => Promise.all([printed, first, second, third].map(isOpen))
    expect(await stand()).toEqual([true, true, true, true])
    const body = { token: second, password: 'otra frase larga y propia' }
    expect((await app.call('POST', ownerCalls.setup, { body })).status).toBe(200)
    expect(await stand()).toEqual([false, false, false, false])
    await ask(app, owner.userName)
    await app.services.jobs.runDue()
    const last = linkIn(smtp.mails[3]?.text ?? '')
    expect(await isOpen(last)).toBe(true)
    app.pass(31 * minuteMs)
    expect(await isOpen(last)).toBe(false)
  })

  test('asking is limited before anything is looked at', async () => {
    const { app, smtp } = await openMailing(engine)
    for (const _ of [1, 2, 3]) expect((await ask(app, 'x@y.net')).status).toBe(202)
    const fourth = await ask(app, owner.userName)
    expect(refusal(fourth)).toEqual({ status: 429, code: 'demasiados-intentos' })
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0)
    await app.services.jobs.runDue()
    expect(smtp.mails).toEqual([])
    app.pass(hourMs)
    expect((await ask(app, owner.userName)).status).toBe(202)
  })

  test('what strangers ask for takes nothing from the owner', async () => {
    const { app, smtp } = await openMailing(engine, { LIMIT_RECOVER: '100/3600' })
    for (let n = 0; n < 30; n++) expect((await ask(app, n % 2 ? '' : 'x@y.net')).status).toBe(202)
    expect((await ask(app, owner.userName)).status).toBe(202)
    await app.services.jobs.runDue()
    expect(smtp.mails.map(({ to }) => to)).toEqual([[owner.userName]])
  })

  test('she gets twenty links an hour at most, and nobody learns it', async () => {
    const { app, smtp } = await openMailing(engine, { LIMIT_RECOVER: '100/3600' })
    for (let n = 0; n < 22; n++) {
      const { status, json } = await ask(app, owner.userName)
      expect([status, json]).toEqual([202, { mensaje: mailTexts.resetAsked }])
    }
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(20)
    expect(await app.db.selectFrom('job').select('kind').execute()).toEqual([])
    app.pass(hourMs)
    await ask(app, owner.userName)
    await app.services.jobs.runDue()
    expect(smtp.mails).toHaveLength(21)
  })
})

test('nothing that a visitor writes becomes a header or another recipient', async () => {
  const { app, smtp } = await openMailing('sqlite')
  const hostile = [
    { name: 'Eva\r\nBcc: otra@correo.net' },
    { name: 'Eva\nBcc: otra@correo.net' },
    { name: '"Eva" <otra@correo.net>, x' },
    { email: 'eva@correo.net,otra@correo.net' },
    { email: 'eva@correo.net>\r\nBcc:otra@correo.net' },
    { message: 'Hola\r\n.\r\nMAIL FROM:<x@y.net>\r\n' },
  ]
  for (const values of hostile) {
    await write(app, values)
    app.pass(minuteMs * 11)
  }
  await app.services.jobs.runDue()
  expect(smtp.mails.length).toBeGreaterThan(0)
  for (const { to, headers } of smtp.mails) {
    expect(to).toEqual([owner.userName])
    expect(headers).not.toHaveProperty('bcc')
    expect(headers).not.toHaveProperty('cc')
    expect(headers['to']).toBe(owner.userName)
    expect(headers['reply-to']).not.toMatch(/<otra@correo\.net>,|,\s*otra@correo\.net/)
  }
})

test('spam is not mailed, nor what she has deleted before', async () => {
  const { app, smtp } = await openMailing('sqlite')
  await app.call('POST', calls.contact, { body: letter, headers: { 'x-form-extra': 'robot' } })
  await write(app, { name: 'Luis', message: 'Otra cosa' })
  await app.db.deleteFrom('contact_message').where('name', '=', 'Luis').execute()
  await app.services.jobs.runDue()
  expect(smtp.mails).toEqual([])
})

test('without a mail server nothing is written down, offered or taken', async () => {
  const app = await openApp()
  expect(await write(app)).toBe(201)
  const kinds = await app.db.selectFrom('job').select('kind').execute()
  expect(kinds).toEqual([{ kind: 'ring' }])
  expect(membersOf(await app.call('GET', recoverCall))).toEqual({ byMail: false })
  expect((await ask(app, owner.userName)).status).toBe(404)
})

test.each(['', 'u:clave@'])(
  'nothing leaves in the clear for another machine, by %o',
  async (user) => {
    const smtp = await openMailServer()
    const mail = { to: 'c@d.net', subject: 'Hola', text: 'Hola' }
    const send = (host: string) => {
      const url = smtp.url.replace('127.0.0.1', `${user}${host}`)
      return createMailer({ url, from: { name: 'Tintero', address: 'a@b.net' } }, unheard)(mail)
    }
    // Leads here as well, but only the number of this machine itself says so.
    expect(await send('0.0.0.0')).toBe('later')
    expect([smtp.passwords, smtp.mails.length]).toEqual([0, 0])
    expect(await send('127.0.0.1')).toBe('sent')
    expect([smtp.passwords, smtp.mails.length]).toEqual([user === '' ? 0 : 1, 1])
  },
)

test('a mail server that takes its time with a mail gets it once', async () => {
  const smtp = await openMailServer()
  smtp.thinksMs = 6_000
  const mail = { to: 'c@d.net', subject: 'Hola', text: 'Hola' }
  const account = { url: smtp.url, from: { name: 'Tintero', address: 'a@b.net' } }
  expect(await createMailer(account, unheard)(mail)).toBe('sent')
  expect(smtp.mails).toHaveLength(1)
})

test('a refusal of a mail is the last word on it', async () => {
  const smtp = await openMailServer()
  const from = { name: 'Tintero', address: 'a@b.net' }
  const mail = { to: 'c@d.net', subject: 'Hola', text: 'Hola' }
  smtp.refusals['.'] = '550 no'
  expect(await createMailer({ url: smtp.url, from }, unheard)(mail)).toBe('refused')
  smtp.refusals['.'] = '450 later'
  expect(await createMailer({ url: smtp.url, from }, unheard)(mail)).toBe('later')
  delete smtp.refusals['.']
  expect(await createMailer({ url: smtp.url, from }, unheard)(mail)).toBe('sent')
})

test.each([
  ['a wrong password', 'AUTH', '535 5.7.8 no', 'barred'],
  ['a way of signing in that is not taken', 'AUTH', '534 5.7.9 no', 'barred'],
  ['a sign-in that cannot be checked now', 'AUTH', '454 4.7.0 later', 'later'],
  ['a sign-in that is missing', 'MAIL', '530 5.7.0 no', 'barred'],
  ['a sender that is not the account', 'MAIL', '550 5.7.1 no', 'barred'],
  ['a server that closes', 'MAIL', '421 later', 'later'],
  ['a recipient that the account may not write to', 'RCPT', '554 5.7.1 no', 'barred'],
  ['a full mailbox', 'RCPT', '552 5.2.2 no', 'barred'],
  ['a server that takes no mail now', 'DATA', '451 later', 'later'],
] as const)('%s is not the fault of the mail', async (_, command, says, state) => {
  const smtp = await openMailServer()
  if (command === 'RCPT') smtp.mood = says
  else smtp.refusals[command] = says
  const url = smtp.url.replace('//', '//u:clave@')
  const from = { name: 'Tintero', address: 'a@b.net' }
  const send = createMailer({ url, from }, unheard)
  expect(await send({ to: 'c@d.net', subject: 'Hola', text: 'Hola' })).toBe(state)
})

test.each([
  'http://correo.net',
  'smtp://correo.net/x',
  'smtp://u@correo.net',
  'smtp://u:%ZZ@correo.net',
])('%s is no mail server', (url) => {
  expect(() => readConfig({ SMTP_URL: url })).toThrow(/SMTP_URL debe ser/)
})

test('mail leaves in the name that is set, of the account, or of the site', () => {
  const from = (env: Readonly<Record<string, string>>) =>
    readConfig({ PUBLIC_URL: publicUrl, ...env }).smtp?.from.address
  const account = 'smtps://u%40correo.net:c%3Alave@correo.net:465'
  expect(from({ SMTP_URL: 'smtp://correo.net' })).toBe('tintero@lucia.net')
  expect(from({ SMTP_URL: account })).toBe('u@correo.net')
  expect(from({ SMTP_URL: account, SMTP_FROM: 'hola@lucia.net' })).toBe('hola@lucia.net')
  expect(() => from({ SMTP_FROM: 'hola@lucia.net' })).toThrow(/SMTP_FROM necesita SMTP_URL/)
})
