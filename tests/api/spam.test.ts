/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { calls, formAgeHeader, honeypotHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { parseMessageList, type Folder } from '#contract/messages/messages.ts'
import { normalizedText, spamSigns, type Signs } from '#server/messages/spam.ts'
import { membersOf, openApp, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'

const read = async (app: TestApp, tray: Folder) =>
  parseMessageList((await app.asOwner('GET', `${ownerCalls.messages}?tray=${tray}`)).json)

interface Sender {
  readonly address: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const post = async (app: TestApp, { address, message, headers }: Sender) =>
  app.call('POST', calls.contact, {
    body: { name: 'Eva', email: 'eva@example.com', message },
    headers: { 'x-forwarded-for': address, ...headers },
  })

const addressOf = (n: number) => `203.0.${Math.floor(n / 250)}.${n % 250}`

describe.each(engines)('on %s', (engine) => {
  test(
    'a flood leaves the inbox readable, rings once and loses nothing',
    { timeout: 120_000 },
    async () => {
      const app = await openApp({ engine, env: { TRUST_PROXY: '1' } })
      const body = { address: subscribe().address, label: 'Teléfono' }
      await app.asOwner('POST', ownerCalls.devices, { body })
      let [stored, refused] = [0, 0]
      for (let n = 0; n < 1300; n++) {
        const message = `Oferta número ${n} para usted, ${'x'.repeat(n % 7)}`
        const { status } = await post(app, { address: addressOf(n % 500), message })
        if (status === 201) stored++
        else refused++
        if (n % 50 === 0) await app.services.jobs.runDue()
        app.pass(2_700)
      }
      await app.services.jobs.runDue()
      const [inbox, spam] = [await read(app, 'inbox'), await read(app, 'spam')]
      expect([inbox.total, inbox.unread]).toEqual([60, 60])
      expect([stored + refused, inbox.total + spam.total]).toEqual([1300, stored])
      expect(app.pushes.sent).toHaveLength(1)
    },
  )

  test('copies of one text fill the spam folder and leave the inbox to others', async () => {
    const app = await openApp({ engine, env: { TRUST_PROXY: '1', LIMIT_CONTACT_TOTAL: '5/3600' } })
    for (let n = 0; n < 30; n++) {
      const message = `¡Gane dinero ya!${' '.repeat(n % 3)} Pulse aquí: https://x.example/${n}`
      expect((await post(app, { address: addressOf(n), message })).status).toBe(201)
    }
    const own = await post(app, { address: '198.51.100.1', message: 'Vi su trabajo. ¿Hablamos?' })
    expect(own.status).toBe(201)
    const [inbox, spam] = [await read(app, 'inbox'), await read(app, 'spam')]
    expect(inbox.messages[0]?.message).toBe('Vi su trabajo. ¿Hablamos?')
    expect([inbox.total, spam.total]).toEqual([3, 28])
    expect(spam.messages[0]?.spamReason).toMatch(/^repetir un texto que ya había llegado/)
  })

  test('what lies in the spam folder rings nobody', async () => {
    const app = await openApp({ engine })
    await app.asOwner('POST', ownerCalls.devices, {
      body: { address: subscribe().address, label: 'T' },
    })
    for (const headers of [{ [honeypotHeader]: 'x' }, { [formAgeHeader]: '10' }]) {
      await post(app, { address: '', message: 'Hola', headers })
    }
    await app.services.jobs.runDue()
    expect(app.pushes.sent).toEqual([])
    const { unread } = await read(app, 'spam')
    expect(unread).toBe(0)
  })
})

test('a robot hears the very answer that a person hears', async () => {
  const app = await openApp()
  const person = await post(app, { address: '', message: 'Hola' })
  const headers = { [honeypotHeader]: 'x' }
  const robot = await post(app, { address: '', message: 'Hola', headers })
  expect([robot.status, membersOf(robot)]).toEqual([person.status, membersOf(person)])
  expect([...robot.headers.keys()]).toEqual([...person.headers.keys()])
})

const plain: Signs = {
  name: 'Eva Pérez',
  message: 'Hola, vi su trabajo y me gustaría hablar de un proyecto.',
  honeypot: '',
  pageAgeMs: 20_000,
  markAgeMs: 15_000,
  repeats: 0,
}
const links = (n: number) => Array.from({ length: n }, (_, i) => `https://x.example/${i}`).join(' ')

test.each<[string, Partial<Signs>, readonly string[]]>([
  ['an ordinary message', {}, []],
  ['one sent by a program that tells no age', { pageAgeMs: undefined, markAgeMs: undefined }, []],
  ['one that was pasted and sent at once', { markAgeMs: 400 }, []],
  ['the same words sent twice', { repeats: 1 }, []],
  ['a short greeting that many send', { message: 'Hola, ¿qué tal?', repeats: 9 }, []],
  ['three links with some words', { message: `Mis trabajos, por si sirven: ${links(3)}` }, []],
  ['a name like a web address', { name: 'estudio.com' }, []],
  ['a filled trap', { honeypot: 'x' }, ['honeypot']],
  ['a form filled at once', { pageAgeMs: 1999 }, ['too-fast']],
  ['the same words a third time', { repeats: 2 }, ['repeated']],
  ['nothing but links', { message: links(5) }, ['links']],
  ['a heap of links', { message: `Vea todo esto: ${links(9)}` }, ['links']],
  [
    'link code under a web address',
    { message: '[url=x]y[/url]', name: 'www.x.ru' },
    ['markup', 'link-name'],
  ],
  [
    'link code without a form',
    { message: '<a href="x">y</a>', markAgeMs: undefined },
    ['no-form', 'markup'],
  ],
])('%s', (_, signs, reasons) => {
  expect(spamSigns({ ...plain, ...signs })).toEqual(reasons)
})

test('spacing, punctuation, case and addresses hide no repetition', () => {
  const one = normalizedText('¡Gane DINERO ya!  https://x.example/1')
  expect(normalizedText('gane  dinero, ya https://y.example/2')).toBe(one)
  expect(normalizedText('Gane dinero hoy')).not.toBe(one)
})
