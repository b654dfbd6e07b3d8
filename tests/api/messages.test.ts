import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { calls, honeypotHeader, idempotencyHeader, replayedHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import {
  maxListedMessages,
  messageNotices,
  parseMessageList,
  parseUnread,
  folderFull,
  folderLimits,
  type MessagePage,
  type Folder,
} from '#contract/messages/messages.ts'
import { problems } from '#contract/problem.ts'
import { seenOf } from '#client/owner/inbox/messages.ts'
import { storeMessage } from '#server/messages/contact-message.ts'
import { countUnread, dropRobot, removeMessage } from '#server/messages/folders.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines } from '#tests/support/database.ts'
import { fillFolder } from '#tests/support/full-folder.ts'
import { watchQueries } from '#tests/support/watched-queries.ts'

const write = async (app: TestApp, name: string) => {
  const body = { name, email: `${name}@example.com`, message: `Hola, soy <b>${name}</b>.` }
  const headers = { 'x-forwarded-for': `203.0.113.${name.length}` }
  expect((await app.call('POST', calls.contact, { body, headers })).status).toBe(201)
  app.pass(minuteMs)
}

const open = (engine: 'sqlite' | 'postgres' = 'sqlite') =>
  openApp({ engine, env: { TRUST_PROXY: '1' } })

const read = async (app: TestApp, tray: Folder = 'inbox'): Promise<MessagePage> =>
  parseMessageList((await app.asOwner('GET', `${ownerCalls.messages}?tray=${tray}`)).json)
const names = ({ messages }: MessagePage) => messages.map(({ name }) => name)
const idOf = ({ messages }: MessagePage, name: string) =>
  messages.find((message) => message.name === name)?.id ?? ''
const update = (app: TestApp, id: string, body: object) =>
  app.asOwner('PUT', `${ownerCalls.messages}/update/${id}`, { body })

describe.each(engines)('on %s', (engine) => {
  test('the owner reads her messages, newest first, as they were written', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis', 'Marta']) await write(app, name)
    const list = await read(app)
    expect(names(list)).toEqual(['Marta', 'Luis', 'Eva'])
    expect([list.unread, list.total]).toEqual([3, 3])
    expect(list.messages[2]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      name: 'Eva',
      email: 'Eva@example.com',
      message: 'Hola, soy <b>Eva</b>.',
      receivedAt: '2031-03-01T10:00:00.000Z',
      arrival: expect.any(Number) as unknown,
      readAt: null,
      answeredAt: null,
      tray: 'inbox',
      spamReason: '',
    })
  })

  test('a message is read once, and can be unread again', async () => {
    const app = await open(engine)
    await write(app, 'Eva')
    const id = idOf(await read(app), 'Eva')
    const first = await update(app, id, { read: true })
    expect(membersOf(first)).toMatchObject({
      id,
      readAt: '2031-03-01T10:01:00.000Z',
      mensaje: messageNotices.marked,
    })
    app.pass(minuteMs)
    await update(app, id, { read: true })
    expect((await read(app)).messages[0]?.readAt).toBe('2031-03-01T10:01:00.000Z')
    expect((await read(app)).unread).toBe(0)
    expect(membersOf(await update(app, id, { read: false }))['readAt']).toBeNull()
    expect(parseUnread((await app.asOwner('GET', `${ownerCalls.messages}/unread`)).json)).toBe(1)
  })

  test('a message is marked as answered, which reads it and keeps its first moment, and the mark goes', async () => {
    const app = await open(engine)
    await write(app, 'Eva')
    const id = idOf(await read(app), 'Eva')
    expect(membersOf(await update(app, id, { answered: true }))).toMatchObject({
      answeredAt: '2031-03-01T10:01:00.000Z',
      readAt: '2031-03-01T10:01:00.000Z',
      mensaje: messageNotices.answered,
    })
    app.pass(minuteMs)
    await update(app, id, { answered: true })
    expect((await read(app)).messages[0]?.answeredAt).toBe('2031-03-01T10:01:00.000Z')
    const off = membersOf(await update(app, id, { answered: false }))
    expect(off).toMatchObject({ answeredAt: null, mensaje: messageNotices.unanswered })
    expect(off['readAt']).not.toBeNull()
  })

  test('a message moves to the spam folder and back, and only the inbox counts as unread', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis']) await write(app, name)
    const id = idOf(await read(app), 'Eva')
    const moved = await update(app, id, { tray: 'spam' })
    expect(membersOf(moved)).toMatchObject({ tray: 'spam', mensaje: messageNotices.toSpam })
    expect(names(await read(app))).toEqual(['Luis'])
    const spam = await read(app, 'spam')
    expect([names(spam), spam.unread, spam.total]).toEqual([['Eva'], 1, 1])
    expect(spam.messages[0]?.spamReason).toBe('haberlo movido tú')
    await update(app, id, { tray: 'inbox' })
    const back = await read(app)
    expect([names(back), back.messages[1]?.spamReason]).toEqual([['Luis', 'Eva'], ''])
  })

  test('all of the inbox is marked as read at once, and the spam folder is not', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis', 'Marta']) await write(app, name)
    await update(app, idOf(await read(app), 'Eva'), { tray: 'spam' })
    const answer = await app.asOwner('POST', `${ownerCalls.messages}/read`)
    expect([answer.status, answer.json]).toEqual([200, { mensaje: messageNotices.allRead }])
    expect((await read(app)).messages.map(({ readAt }) => readAt !== null)).toEqual([true, true])
    expect((await read(app, 'spam')).messages[0]?.readAt).toBeNull()
  })

  test('what arrived after the last message that she has seen is neither read nor deleted with the others', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis', 'Marta', 'Teresa']) await write(app, name)
    for (const name of ['Eva', 'Marta'])
      await update(app, idOf(await read(app), name), { tray: 'spam' })
    const receivedAt = (list: MessagePage, of: string) =>
      list.messages.find(({ name }) => name === of)?.receivedAt ?? ''
    const luis = receivedAt(await read(app), 'Luis')
    expect((await app.asOwner('POST', `${ownerCalls.messages}/read?until=${luis}`)).status).toBe(
      200,
    )
    const inbox = await read(app)
    expect(inbox.messages.map(({ readAt }) => readAt === null)).toEqual([true, false])
    expect(inbox.unread).toBe(1)
    const eva = receivedAt(await read(app, 'spam'), 'Eva')
    expect((await app.asOwner('DELETE', `${ownerCalls.messages}/spam?until=${eva}`)).status).toBe(
      200,
    )
    expect(names(await read(app, 'spam'))).toEqual(['Marta'])
  })

  test('nor is what comes after one that a clock which was ahead has dated', async () => {
    const app = await open(engine)
    const seen = (list: MessagePage) =>
      `?${new URLSearchParams(Object.entries(seenOf(list) ?? {}))}`
    const toSpam = async (name: string) =>
      update(app, idOf(await read(app), name), { tray: 'spam' })
    for (const name of ['Eva', 'Luis']) await write(app, name)
    app.pass(90 * dayMs)
    for (const name of ['Marta', 'Teresa']) await write(app, name)
    app.pass(-90 * dayMs)
    for (const name of ['Eva', 'Marta']) await toSpam(name)
    const [inbox, spam] = [await read(app), await read(app, 'spam')]
    expect([names(inbox), names(spam)]).toEqual([
      ['Teresa', 'Luis'],
      ['Marta', 'Eva'],
    ])
    for (const name of ['Ana', 'Paz']) await write(app, name)
    await toSpam('Paz')
    await app.asOwner('POST', `${ownerCalls.messages}/read${seen(inbox)}`)
    await app.asOwner('DELETE', `${ownerCalls.messages}/spam${seen(spam)}`)
    const unread = (await read(app)).messages.filter(({ readAt }) => readAt === null)
    expect(unread.map(({ name }) => name)).toEqual(['Ana'])
    expect(names(await read(app, 'spam'))).toEqual(['Paz'])
  })

  test('what she has seen of a server that told no arrivals is deleted, and nothing later', async () => {
    const app = await open(engine)
    const toSpam = async (name: string) =>
      update(app, idOf(await read(app), name), { tray: 'spam' })
    for (const name of ['Eva', 'Marta']) await write(app, name)
    for (const name of ['Eva', 'Marta']) await toSpam(name)
    const { messages: shown, ...counts } = await read(app, 'spam')
    const messages = shown.map((message) => ({ ...message, arrival: undefined }))
    const seen = seenOf(parseMessageList({ messages, ...counts }))
    await write(app, 'Luis')
    await toSpam('Luis')
    const query = new URLSearchParams(Object.entries(seen ?? {}))
    const emptied = await app.asOwner('DELETE', `${ownerCalls.messages}/spam?${query}`)
    expect(emptied.json).toEqual({ mensaje: messageNotices.spamEmptied })
    expect(names(await read(app, 'spam'))).toEqual(['Luis'])
  })

  test('a deleted message is gone, and deleting it again finds none', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis']) await write(app, name)
    const path = `${ownerCalls.messages}/delete/${idOf(await read(app), 'Eva')}`
    const headers = { [idempotencyHeader]: 'borrar-1' }
    const first = await app.asOwner('DELETE', path, { headers })
    expect([first.status, first.json]).toEqual([200, { mensaje: messageNotices.deleted }])
    const replayed = await app.asOwner('DELETE', path, { headers })
    expect([replayed.status, replayed.headers.get(replayedHeader)]).toEqual([200, 'true'])
    expect((await app.asOwner('DELETE', path)).status).toBe(404)
    expect(names(await read(app))).toEqual(['Luis'])
  })

  test('a message that is deleted in that moment is not said to be changed', async () => {
    const app = await open(engine)
    await write(app, 'Eva')
    const id = idOf(await read(app), 'Eva')
    const answer = await callDuring(
      app.db,
      (t) => removeMessage(t, id),
      () => update(app, id, { read: true }),
    )
    expect(refusal(answer)).toEqual({ status: 404, code: 'no-encontrado' })
  })

  test('the spam folder is emptied without touching the inbox', async () => {
    const app = await open(engine)
    for (const name of ['Eva', 'Luis']) await write(app, name)
    await update(app, idOf(await read(app), 'Eva'), { tray: 'spam' })
    expect((await app.asOwner('DELETE', `${ownerCalls.messages}/spam`)).status).toBe(200)
    expect(names(await read(app, 'spam'))).toEqual([])
    expect(names(await read(app))).toEqual(['Luis'])
  })

  test('a full folder takes no more and tells the sender so', async () => {
    const app = await open(engine)
    await fillFolder(app, folderLimits.inbox - 1)
    await write(app, 'Eva')
    const body = { name: 'Luis', email: 'luis@example.com', message: 'Hola' }
    const [waits, words]: [unknown[], unknown[]] = [[], []]
    for (let i = 0; i < 7; i++) {
      const refused = await app.call('POST', calls.contact, { body })
      expect(refusal(refused)).toEqual({ status: 429, code: 'demasiados-intentos' })
      words.push(membersOf(refused)['mensaje'])
      waits.push(refused.headers.get('retry-after'))
    }
    // Whoever goes on is stopped as any busy sender, before a folder is looked into.
    expect(waits).toEqual(['3600', '3600', '3600', '3600', '3600', '600', '600'])
    const tooMany = problems['demasiados-intentos'][2]
    expect(words).toEqual([...waits.slice(0, 5).map(() => folderFull), tooMany, tooMany])
    const list = await read(app)
    expect([list.messages.length, list.total]).toEqual([maxListedMessages, folderLimits.inbox])
    expect(list.messages[0]?.name).toBe('Eva')
  })

  test('what is older than one answer carries is read from the last message on', async () => {
    const app = await open(engine)
    await write(app, 'Eva')
    await fillFolder(app, maxListedMessages + 3)
    const readBefore = async (id: string) =>
      parseMessageList((await app.asOwner('GET', `${ownerCalls.messages}?before=${id}`)).json)
    const first = await read(app)
    const rest = await readBefore(first.messages.at(-1)?.id ?? '')
    const ids = [...first.messages, ...rest.messages].map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([rest.total, rest.total])
    expect((await readBefore(ids.at(-1) ?? '')).messages).toEqual([])
    expect((await app.asOwner('GET', `${ownerCalls.messages}?before=ninguno`)).status).toBe(404)
  })

  test('a spam folder full of robots still takes what may be a person’s', async () => {
    const app = await openApp({ engine, env: { LIMIT_CONTACT_TOTAL: '1/3600' } })
    await fillFolder(app, folderLimits.spam - 2, 'flood')
    await fillFolder(app, 1, 'repeated')
    await fillFolder(app, 1, 'honeypot,links')
    const send = (name: string, headers = {}) => {
      const body = { name, email: 'eva@example.com', message: `Hola, soy ${name}.` }
      return app.call('POST', calls.contact, { body, headers })
    }
    const robots = async () => {
      const query = app.db.selectFrom('contact_message').select('spam_reason')
      const rows = await query.where('spam_reason', '!=', 'flood').where('spam', '=', 1).execute()
      return rows.map(({ spam_reason: reason }) => reason)
    }
    expect((await send('Eva')).status).toBe(201)
    expect((await send('Robot', { [honeypotHeader]: 'x' })).status).toBe(429)
    expect((await send('Luis')).status).toBe(201)
    expect(await robots()).toEqual(['repeated'])
    expect((await send('Ana')).status).toBe(201)
    expect(await robots()).toEqual([])
    expect((await send('Paz')).status).toBe(429)
    expect((await read(app, 'spam')).total).toBe(folderLimits.spam)
  })

  test('of two robots that fill the spam folder at once one is turned away', async () => {
    const app = await open(engine)
    await fillFolder(app, folderLimits.spam - 1, 'repeated')
    const values = { name: 'Uno', email: 'uno@example.com', message: 'Hola' }
    const robot = {
      values,
      address: 'a',
      honeypot: 'x',
      pageAgeMs: undefined,
      markAgeMs: undefined,
    }
    const body = { ...values, name: 'Dos' }
    const answer = await callDuring(
      app.db,
      (t) => storeMessage(t, app.services, robot),
      () => app.call('POST', calls.contact, { body, headers: { [honeypotHeader]: 'x' } }),
    )
    expect(refusal(answer)).toEqual({ status: 429, code: 'demasiados-intentos' })
    expect((await read(app, 'spam')).total).toBe(folderLimits.spam)
  })
})

test('what is counted and chosen among all messages is read from indexes alone', async () => {
  const { db, services } = await open()
  const { watched, asked } = watchQueries(db)
  const values = { name: 'Eva', email: 'eva@example.com', message: 'Hola' }
  const sender = { address: 'a', honeypot: '', pageAgeMs: undefined, markAgeMs: undefined }
  await storeMessage(watched, services, { values, ...sender })
  await countUnread(watched)
  await dropRobot(watched)
  const onMessages = asked.filter(({ sql }) => /(?:from|update) "contact_message"/.test(sql))
  expect(onMessages).toHaveLength(4)
  for (const { sql: text, parameters } of onMessages) {
    const plan = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
    )
    const looks = plan.rows.filter(({ detail }) => detail.includes('contact_message'))
    expect(looks).not.toEqual([])
    for (const { detail } of looks) expect(detail).toMatch(/ USING COVERING INDEX |\(id=\?\)$/)
  }
})

const everyCall = [
  ['GET', ownerCalls.messages],
  ['GET', `${ownerCalls.messages}?tray=spam`],
  ['GET', `${ownerCalls.messages}/unread`],
  ['PUT', `${ownerCalls.messages}/update/1`],
  ['POST', `${ownerCalls.messages}/read`],
  ['DELETE', `${ownerCalls.messages}/delete/1`],
  ['DELETE', `${ownerCalls.messages}/spam`],
  ['GET', ownerCalls.push],
  ['GET', ownerCalls.devices],
  ['POST', ownerCalls.devices],
  ['DELETE', `${ownerCalls.devices}/1`],
  ['POST', `${ownerCalls.devices}/test/1`],
  ['GET', `${ownerCalls.push}/failed`],
  ['POST', `${ownerCalls.push}/failed/retry/1`],
  ['DELETE', `${ownerCalls.push}/failed/1`],
] as const

test.each(everyCall)('%s %s is for the owner alone and is never kept', async (method, path) => {
  const app = await openApp()
  const withBody = method === 'PUT' || path === ownerCalls.devices
  const options = withBody && method !== 'GET' ? { body: {} } : {}
  const refused = await app.call(method, path, options)
  expect(refusal(refused)).toEqual({ status: 401, code: 'sesion-requerida' })
  const answered = await app.asOwner(method, path, options)
  expect(answered.status).not.toBe(401)
  expect(answered.headers.get('cache-control')).toBe('private, no-store')
})

test('what is no folder and no flag is refused', async () => {
  const app = await openApp()
  expect((await app.asOwner('GET', `${ownerCalls.messages}?tray=papelera`)).status).toBe(400)
  for (const until of ['', 'ayer', '2026', '2026-11-14T09:05:00+02:00'].map(encodeURIComponent)) {
    const path = `${ownerCalls.messages}/spam?until=${until}`
    expect((await app.asOwner('DELETE', path)).status).toBe(400)
  }
  for (const arrival of ['', 'ayer', '-1', '1.5', '1'.repeat(10)]) {
    const path = `${ownerCalls.messages}/spam?arrival=${arrival}`
    expect((await app.asOwner('DELETE', path)).status).toBe(400)
  }
  const refused = await update(app, '1', { read: 'sí', tray: 'papelera' })
  expect(refusal(refused)).toEqual({
    status: 422,
    code: 'datos-no-validos',
    fields: ['/read', '/tray'],
  })
  expect((await update(app, '1', { read: true })).status).toBe(404)
})
