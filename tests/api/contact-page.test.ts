import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { expect, test } from 'vitest'
import { contactNotices, contactTexts, honeypotField } from '#contract/messages/contact.ts'
import { folderFull, folderLimits } from '#contract/messages/messages.ts'
import type { PostedForm } from '#contract/pages.ts'
import { problems } from '#contract/problem.ts'
import { errorPageTexts } from '#contract/texts/error-page.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { Render } from '#server/pages/document.ts'
import type { DiskRoom } from '#server/disk/space.ts'
import { openApp, type TestApp } from '#tests/support/app.ts'
import { fillFolder } from '#tests/support/full-folder.ts'
import { startSite } from '#tests/support/listener.ts'

const typed = { name: 'Ana <b>', email: 'ana@ejemplo.test', message: 'Hola,\r\n¿trabajamos?' }

/** Draws only what the contact form has to say. */
const render: Render = async ({ url, posted }) => ({
  status: 200,
  app: url === '/contact' ? 'contact page <form method="post" action="/contact">' : '',
  state: JSON.stringify(posted ?? null).replaceAll('<', String.raw`\u003c`),
})

async function openContact(
  env: Readonly<Record<string, string>> = {},
  { draw = render, room }: { readonly draw?: Render; readonly room?: DiskRoom } = {},
) {
  const app = await openApp({ env: { PUBLIC_URL: 'https://lucia.example', ...env } })
  const { url } = await startSite({ ...app.services, ...(room && { room }) }, draw)
  const post = (fields: Readonly<Record<string, string>>, headers: HeadersInit = {}) =>
    fetch(`${url}/contact`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    })
  return { app, url, post }
}

async function postedIn(answer: Response): Promise<PostedForm | null> {
  const html = await answer.text()
  expect(html).toContain('contact page')
  const state = /<script id="state" type="application\/json">(.*?)<\/script>/.exec(html)?.[1]
  return JSON.parse(state ?? '') as PostedForm | null
}

const messagesOf = ({ db }: TestApp) => db.selectFrom('contact_message').selectAll().execute()

test('a message sent without JavaScript is stored, and a page says so', async () => {
  const { app, url, post } = await openContact()
  const answer = await post(typed, { origin: 'https://lucia.example' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact?enviado=1'])
  expect(await messagesOf(app)).toMatchObject([
    { name: 'Ana <b>', email: 'ana@ejemplo.test', message: 'Hola,\n¿trabajamos?', spam: 0 },
  ])
  const sent = await postedIn(await fetch(`${url}/contact?enviado=1`))
  expect(sent).toMatchObject({ outcome: 'sent', notice: contactNotices.sent, values: {} })
  expect(await postedIn(await fetch(`${url}/contact`))).toBeNull()
})

test('a faulty form comes back with what was typed and what is wrong', async () => {
  const { app, post } = await openContact()
  const answer = await post({ ...typed, email: 'ana', message: '  ' })
  expect(answer.status).toBe(422)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self' 'sha256-")
  expect(await postedIn(answer)).toEqual({
    outcome: 'invalid',
    values: { ...typed, email: 'ana', message: '  ' },
    errors: { email: fieldErrors.email, message: fieldErrors.required },
    notice: problems['datos-no-validos'][2],
  })
  expect(await messagesOf(app)).toEqual([])
})

test('what a robot filled goes to the spam folder with the same answer', async () => {
  const { app, post } = await openContact()
  const answer = await post({ ...typed, [honeypotField]: 'https://spam.example' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/contact?enviado=1'])
  expect(await messagesOf(app)).toMatchObject([{ spam: 1, spam_reason: 'honeypot,no-form' }])
})

test.each([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://lucia.example' }],
  [{ origin: 'https://evil.example' }],
  [{ origin: 'null' }],
])("a form on another site's page is refused: %o", async (headers) => {
  const { app, post } = await openContact()
  expect((await post(typed, headers)).status).toBe(403)
  expect(await messagesOf(app)).toEqual([])
})

test('the form is taken from whatever address its own page was opened at', async () => {
  const { url, post } = await openContact()
  expect((await post(typed, { origin: url })).status).toBe(303)
  expect((await post(typed, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
})

test('a sender who is too busy keeps the text and learns when to come back', async () => {
  const { app, post } = await openContact({ LIMIT_CONTACT: '1/600' })
  await post(typed)
  const answer = await post(typed)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '600'])
  expect(await postedIn(answer)).toMatchObject({
    outcome: 'failed',
    values: typed,
    notice: problems['demasiados-intentos'][2],
  })
  expect(await messagesOf(app)).toHaveLength(1)
})

test.each([
  ['inbox', {}],
  ['spam', { [honeypotField]: 'https://spam.example' }],
] as const)('a full folder, %s, is called full, and the text stays', async (folder, signs) => {
  const { app, post } = await openContact()
  await fillFolder(app, folderLimits[folder], folder === 'spam' ? 'repeated' : '')
  const answer = await post({ ...typed, ...signs })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3600'])
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await postedIn(answer)).toEqual({
    outcome: 'failed',
    values: typed,
    errors: {},
    notice: folderFull,
  })
  expect(await messagesOf(app)).toHaveLength(folderLimits[folder])
})

const hostile = {
  name: '"><script>alert(1)</script>',
  email: "o'brien & sons@",
  message: '\r\n</textarea><b>Hola</b> &lt; &amp; ¿trabajamos?\r\n',
}

/** What a browser would send again of the form in a page: to where, and with which words. */
async function formIn(answer: Response) {
  const elements = elementsIn(parse(await answer.text()))
  const [form] = elements.filter(({ tagName }) => tagName === 'form')
  const words = elements.flatMap((element) => {
    const [name, value = textIn(element)] = [
      attribute(element, 'name'),
      attribute(element, 'value'),
    ]
    const isField = element.tagName === 'input' || element.tagName === 'textarea'
    return isField && name !== undefined ? [[name, value.replaceAll('\n', '\r\n')]] : []
  })
  return { action: form && attribute(form, 'action'), values: Object.fromEntries(words) as unknown }
}

type Element = DefaultTreeAdapterTypes.Element

function elementsIn(node: DefaultTreeAdapterTypes.Node): readonly Element[] {
  const below = 'childNodes' in node ? node.childNodes.flatMap(elementsIn) : []
  return 'tagName' in node ? [node, ...below] : below
}

const attribute = ({ attrs }: Element, wanted: string) =>
  attrs.find(({ name }) => name === wanted)?.value

const textIn = ({ childNodes }: Element) =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('')

test('a form that finds too many before it is told so, with its words in a form that goes again', async () => {
  const gate = Promise.withResolvers<undefined>()
  const forms = { drawn: 0 }
  const draw: Render = async (request) => {
    if (request.posted) forms.drawn++
    await gate.promise
    return render(request)
  }
  const { app, url } = await openContact({}, { draw })
  const mark = `?desde=${app.services.formAge.mark()}`
  const post = (fields: Readonly<Record<string, string>>) =>
    fetch(`${url}/contact${mark}`, { method: 'POST', body: new URLSearchParams(fields) })
  const first = post(hostile)
  await expect.poll(() => forms.drawn).toBe(1)
  // As many as may wait, and one more: of one address the last gives way.
  const rest = Array.from({ length: 21 }, () => post(hostile))
  const answer = await Promise.race(rest)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
  const html = await answer.clone().text()
  expect(html).toContain(problems['no-disponible'][2])
  expect(html).not.toContain('<script>')
  expect(await formIn(answer)).toEqual({ action: `/contact${mark}`, values: hostile })
  gate.resolve(undefined)
  const statuses = (await Promise.all([first, ...rest])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 503)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([422, 503]))
})

test.each([
  [
    507,
    problems['sin-espacio'][2],
    { room: { isScarce: () => true, toFree: () => 1, holdBack: () => {} } },
  ],
  [500, contactNotices.failed, { draw: () => Promise.reject(new Error('no page')) }],
] as const)('words come back with %i, too: «%s»', async (status, notice, trouble) => {
  const { post } = await openContact({}, trouble)
  const answer = await post(hostile)
  expect(answer.status).toBe(status)
  expect(await answer.clone().text()).toContain(notice)
  expect(await formIn(answer)).toEqual({ action: '/contact', values: hostile })
})

test('a closed form says that it is closed', async () => {
  const { app, post } = await openContact()
  await app.asOwner('PUT', 'config', { body: { contact_enabled: 'false' } })
  const answer = await post(typed)
  expect(answer.status).toBe(403)
  expect(await postedIn(answer)).toMatchObject({
    outcome: 'failed',
    notice: defaultSettings.contact_disabled_text,
  })
})

test('a message that cannot be stored is not called sent', async () => {
  const { app, post } = await openContact()
  await app.db.schema.dropTable('contact_message').execute()
  const answer = await post(typed)
  expect(answer.status).toBe(500)
  expect(await postedIn(answer)).toMatchObject({
    outcome: 'failed',
    values: typed,
    notice: contactNotices.failed,
  })
})

test('only a form of ordinary size is read', async () => {
  const { app, url, post } = await openContact()
  const json = await fetch(`${url}/contact`, {
    method: 'POST',
    body: JSON.stringify(typed),
    headers: { 'content-type': 'application/json' },
  })
  expect(json.status).toBe(415)
  expect((await post({ ...typed, message: 'x'.repeat(70_000) })).status).toBe(413)
  expect(await messagesOf(app)).toEqual([])
})

test.each([
  ['demasiados-intentos', { limit: '1/60' }],
  ['demasiado-grande', { fields: { ...hostile, message: `<b>${'x'.repeat(70_000)}` } }],
  ['tipo-no-admitido', { headers: { 'content-type': 'text/plain' } }],
  ['prohibido', { headers: { origin: 'https://evil.example' } }],
] as const)(
  'a form that is refused unread, «%s», is told why and where its words are',
  async (code, { limit = '9/60', fields = hostile, headers = {} }: Unread) => {
    const { app, post } = await openContact({ LIMIT_POSTS: limit })
    await post(typed)
    const answer = await post(fields, headers)
    expect(answer.status).toBe(problems[code][0])
    expect(answer.headers.get('retry-after')).toBe(code === 'demasiados-intentos' ? '60' : null)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    const html = await answer.text()
    expect(html).toContain(`<h1>${contactTexts.title}</h1>`)
    expect(html).toContain(problems[code][2])
    expect(html).toContain(errorPageTexts.formStays)
    expect(html).not.toMatch(/<script|<b>|<form|sons/)
    expect(html).not.toContain(errorPageTexts.logged)
    expect(await messagesOf(app)).toHaveLength(1)
  },
)

interface Unread {
  readonly limit?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly headers?: HeadersInit
}

test('who sends too much, slowly, is heard to the end and then told so', async () => {
  const { url } = await openContact()
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const answered = text(socket)
  const [piece, pieces] = ['x'.repeat(10_000), 12]
  socket.write(
    `POST /contact HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${piece.length * pieces}\r\n\r\n`,
  )
  for (let i = 0; i < pieces; i++) {
    expect(socket.bytesRead).toBe(0)
    socket.write(piece)
    await delay(60)
  }
  expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
})

/** Where the form of a page is sent to. */
const formAddress = async (answer: Response) =>
  /action="([^"]*)"/.exec(await answer.text())?.[1] ?? 'none'

test('the form’s address tells how old it is, and a robot that is too fast gives itself away', async () => {
  const { app, url } = await openContact()
  const read = () => fetch(`${url}/contact`)
  const send = (address: string, message: string) =>
    fetch(url + address, {
      method: 'POST',
      body: new URLSearchParams({ ...typed, message }),
      redirect: 'manual',
    })
  const [hasty, patient] = [await formAddress(await read()), await formAddress(await read())]
  app.pass(1999)
  expect((await send(hasty, 'Uno')).status).toBe(303)
  app.pass(1)
  expect((await send(patient, 'Dos')).status).toBe(303)
  const anHourAgo = Date.parse('2031-03-01T09:00:00Z').toString(36)
  const forged = hasty.replace(/=[^.]*/, `=${anHourAgo}`)
  expect((await send(forged, 'Mejoro su sitio: <a href="https://x.example">x</a>')).status).toBe(
    303,
  )
  app.pass(8 * 24 * 3_600_000)
  expect((await send(patient, 'Vea mi trabajo en [url=https://x.example]x[/url]')).status).toBe(303)
  const reasons = (await messagesOf(app)).map(({ spam_reason: reason }) => reason)
  expect(reasons.toSorted()).toEqual(['', 'no-form,markup', 'no-form,markup', 'too-fast'])
})

test('a reader gets a mark of her moment, and a form that comes back keeps its first', async () => {
  const { app, url, post } = await openContact()
  const first = await formAddress(await fetch(`${url}/contact`))
  app.pass(1000)
  const second = await formAddress(await fetch(`${url}/contact`))
  expect(first).toMatch(/^\/contact\?desde=[\w.-]+$/)
  expect(second).not.toBe(first)
  const again = await fetch(url + first, {
    method: 'POST',
    body: new URLSearchParams({ ...typed, email: 'ana' }),
  })
  expect([again.status, await formAddress(again)]).toEqual([422, first])
  expect(await formAddress(await post({ ...typed, email: 'ana' }))).toBe('/contact')
})

test('readers of one moment get one page, and its mark is never a second older than theirs', async () => {
  const { app, url } = await openContact()
  const markIn = async () => {
    const html = await (await fetch(`${url}/contact`)).text()
    return /desde=([^"]+)/.exec(html)?.[1] ?? ''
  }
  const first = await markIn()
  app.pass(999)
  expect(await markIn()).toBe(first)
  app.pass(1)
  const second = await markIn()
  expect(second).not.toBe(first)
  expect(app.services.formAge.read(second)).toBe(0)
})
