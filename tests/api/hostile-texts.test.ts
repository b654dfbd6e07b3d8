/** @module-tag long */
import { describe, expect, test } from 'vitest'
import { accessCalls } from '#contract/access/access.ts'
import { calls } from '#contract/api.ts'
import { binCall } from '#contract/entries/bin.ts'
import { hiddenCall } from '#contract/entries/hidden.ts'
import { historyCall } from '#contract/entries/history.ts'
import { orderCall } from '#contract/entries/order.ts'
import { ownFields, ownPersonFields } from '#contract/entries/own-fields.ts'
import type { Fields } from '#contract/fields.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { resumeOf, type Resume } from '#contract/resume/resume.ts'
import { sections } from '#contract/sections/index.ts'
import { ownDefaults, ownKeys } from '#contract/settings/defaults.ts'
import { cleanText } from '#contract/text.ts'
import { readOwner } from '#server/access/owner.ts'
import { createApp } from '#server/api/app.ts'
import { listKeptResumes } from '#server/db/kept-resumes.ts'
import { readSite } from '#server/db/site-data.ts'
import type { Engine } from '#server/db/tables.ts'
import { transact } from '#server/db/transact.ts'
import { importResume } from '#server/resume/import-resume.ts'
import { openApp, type CallAnswer, type Json } from '#tests/support/app.ts'
import { engines, openFresh } from '#tests/support/database.ts'
import { exampleResumes } from '#tests/support/resumes.ts'
import { owner } from '#tests/support/site.ts'
import {
  addPasskey,
  strangersPosts,
  type PostedSite,
  type Sent,
} from '#tests/support/strangers-posts.ts'
import { placesIn, withText, type Path } from '#tests/support/text-places.ts'
import { subscribe } from '#tests/doubles/push-recorder.ts'
import { softAuthenticator } from '#tests/doubles/soft-authenticator.ts'

/*
 * What databases, parsers and templates take for something else than letters, in every place of every call that writes. The
 * same is sent to a site on each database: none may fail, both have to answer the same, and what they take they have to give
 * back.
 */

/** No text holds the first ones; the others are letters like any. */
const texts = [
  'a\u0000b',
  '\ud800',
  'a\ufffeb',
  '\uffff',
  '__proto__',
  `%_\\'"$&\${a}😀\u202e<b>;--`,
]
/** What JSON can say where a text is asked for. */
const values = ['1e999', '-1', 'null', '{"__proto__":{"a":1}}']
const documents = [
  '{"__proto__":{"a":1},"constructor":{"prototype":{}}}',
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"a":"\u0000"}',
  '{"\\ud800":"\\u0000"}',
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '['.repeat(30_000),
  '1e999',
]

const entryId = '01890000-0000-7000-8000-000000000000'
const origin = 'https://lucia.example'
const limits = ['LOGIN', 'ACCOUNT', 'CONTACT', 'CONTACT_TOTAL', 'READS', 'WRITES', 'POSTS']
const plenty = Object.fromEntries(
  [...limits, 'RENEWALS', 'RECOVER', 'DRAWINGS', 'UPLOADS'].map((name) => [
    `LIMIT_${name}`,
    '1000000/60',
  ]),
)
const env = { ...plenty, PUBLIC_URL: origin, SMTP_URL: 'smtp://127.0.0.1:9' }

/** A call that writes, and where what it stored is read. */
interface Write {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Json
  readonly readAt?: string
}

const device = subscribe('https://push.example.com/a').address

const filled = (fields: Fields): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => {
      if (kind === 'switch') return [name, '']
      return [name, kind === 'text' || kind === 'paragraph' ? 'Texto' : 'https://example.com/a']
    }),
  )

const groups: Readonly<Record<string, readonly Write[]>> = {
  ...Object.fromEntries(
    sections.map((section) => {
      const { key } = section
      const body = filled(ownFields(section))
      return [
        key,
        [
          { method: 'POST', path: `${key}/create`, body: { ...body, id: '' } },
          {
            method: 'PUT',
            path: `${key}/update/${entryId}`,
            body,
            readAt: `${key}/detail/${entryId}`,
          },
          { method: 'PUT', path: `${key}/${orderCall}`, body: { order: [entryId], moved: [''] } },
        ],
      ] as const
    }),
  ),
  profile: [
    {
      method: 'PUT',
      path: `${calls.personUpdate}/1`,
      body: filled(ownPersonFields),
      readAt: `${calls.personDetail}/1`,
    },
    {
      method: 'PUT',
      path: `${resumeCalls.kept}/${entryId}`,
      body: { said: JSON.stringify({ rest: { a: 'b' }, items: [] }) },
    },
  ],
  settings: [
    { method: 'PUT', path: calls.config, body: { banner_text: 'Texto' }, readAt: calls.config },
    ...ownKeys.map((key): Write => {
      const path = `${calls.config}/${key}`
      return { method: 'PUT', path, body: { [key]: ownDefaults[key] }, readAt: path }
    }),
  ],
  messages: [
    {
      method: 'PUT',
      path: `${ownerCalls.messages}/update/${entryId}`,
      body: { read: true, answered: false, tray: 'inbox' },
    },
  ],
  devices: [{ method: 'POST', path: ownerCalls.devices, body: { address: device, label: 'a' } }],
  access: [
    {
      method: 'POST',
      path: ownerCalls.password,
      body: { currentPassword: owner.password, newPassword: owner.password },
    },
    {
      method: 'POST',
      path: accessCalls.userName,
      body: { currentPassword: owner.password, userName: owner.userName },
      readAt: accessCalls.own,
    },
    {
      method: 'POST',
      path: accessCalls.passkeyOptions,
      body: { currentPassword: owner.password },
    },
    { method: 'PUT', path: `${accessCalls.passkeys}/${entryId}`, body: { name: 'Llave' } },
    {
      method: 'POST',
      path: accessCalls.passkeys,
      body: { response: softAuthenticator().make({ challenge: 'a', origin, rpId: 'a' }) },
    },
  ],
}

/** These write nothing that they are told, or what they are told is no JSON. */
const wordless = [
  'POST messages/read',
  'POST devices/test/:id',
  'POST push/failed/retry/:id',
  'POST firebase/token',
  'POST auth/logout',
  'POST auth/logout/others',
  'POST auth/kept/start',
  'POST auth/kept/stop',
  'PUT image/:type',
  'POST backups',
  'POST backups/:name/link',
  ...sections.map(({ key }) => `PUT ${key}/restore/:id`),
]

/** What the owner can read of all that is stored. */
const reads = [
  ...sections.flatMap(({ key }) => [key, `${historyCall}/${key}/${entryId}`]),
  `${historyCall}/person/1`,
  hiddenCall,
  binCall,
  calls.person,
  calls.config,
  `${calls.config}/birth_date`,
  `${ownerCalls.messages}?tray=inbox`,
  `${ownerCalls.messages}?tray=spam`,
  ownerCalls.devices,
  resumeCalls.resume,
  accessCalls.own,
  accessCalls.passkeys,
  accessCalls.sessions,
]

/** What an answer says beside what is made anew for each: ids, secrets and the request's own name. */
function sayingOf(status: number, json: unknown): string {
  const { instance: _, ...said } = Object(json) as Json
  const text = JSON.stringify(Array.isArray(json) ? json : said)
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  return `${status} ${text.replaceAll(ids, 'id').replaceAll(/[\w-]{40,}/g, 'secret')}`
}

/** A site with one thing of every kind, each under the same id. */
async function openFull(engine: Engine): Promise<PostedSite> {
  const app = await openApp({ engine, env, everySection: true })
  const site = { app, url: origin, authenticator: softAuthenticator() }
  await addPasskey(site)
  await app.db.updateTable('passkey').set({ id: entryId }).execute()
  for (const section of sections) {
    const body = { ...filled(ownFields(section)), id: entryId }
    await app.asOwner('POST', `${section.key}/create`, { body })
  }
  const body = { name: 'Ana', email: 'ana@ejemplo.test', message: 'Hola' }
  await app.call('POST', calls.contact, { body, headers: { 'idempotency-key': entryId } })
  return site
}

/** A site on each database, and what was wrong with the answers that they gave to the same. */
async function openEach() {
  const [first, ...others] = await Promise.all(engines.map(openFull))
  if (!first) throw new Error('no database')
  const sites = [first, ...others]
  const wrong: string[] = []
  const ask = async (what: string, call: (site: PostedSite) => Promise<CallAnswer>) => {
    for (const { app } of sites) app.pass(1)
    const answers = await Promise.all(sites.map(call))
    const said = answers.map(({ status, json }) => sayingOf(status, json))
    const isFault = answers.some(({ status }) => status >= 500)
    if (isFault || new Set(said).size > 1) wrong.push([what, ...said].join('\n'))
    return answers[0] as CallAnswer
  }
  const read = (path: string) => ask(path, ({ app }) => app.asOwner('GET', path))
  const readAll = async () => {
    for (const path of reads) await read(path)
  }
  return { first, sites, wrong, ask, read, readAll }
}

type Sites = Awaited<ReturnType<typeof openEach>>

function leavesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => leavesIn(member, [...path, name]))
}

/** The body as JSON in which what stands at the path is spelled otherwise. */
function spelledAt(body: Json, path: Path, spelling: string): string {
  const mark = 'aquí'
  const marked = JSON.stringify(withText(body, path, mark))
  return marked.replace(JSON.stringify(mark), () => spelling)
}

/** The text at the path of a JSON answer. */
const valueAt = ({ json }: CallAnswer, path: Path) =>
  path.reduce<unknown>((value, name) => (Object(value) as Json)[name], json)

test('every call that takes JSON is in a list', async () => {
  const { services } = await openApp()
  const routes = createApp(services).routes.filter(({ method }) => /^P(?:OS|U)T$/.test(method))
  const written = Object.values(groups).flat()
  const listed = [
    ...written.map(({ method, path }) => `${method} ${path.replace(/\/(?:1|[\d-]{36})$/, '/:id')}`),
    `PUT ${calls.config}/:key`,
    ...[...strangersPosts.keys()].map((name) => name.replace('/api/', '')),
    ...wordless,
  ]
  const named = routes.map(({ method, path }) => `${method} ${path.replace('/api/', '')}`)
  expect(named.filter((name) => !listed.includes(name))).toEqual([])
})

/** Sends everything hostile in every place of a call, and reads what was taken. */
async function attack({ sites, wrong, ask, read }: Sites, write: Write): Promise<void> {
  const { method, path, body, readAt } = write
  const owners = await Promise.all(sites.map(({ app }) => readOwner(app.db)))
  const send = async (raw: string) => {
    const what = `${method} ${path} ${raw.slice(0, 200)}`
    const headers = { origin }
    const answer = await ask(what, ({ app }) => app.asOwner(method, path, { raw, headers }))
    if (!path.startsWith('auth/')) return answer
    // Whatever became of her credentials, the next call finds them as they were.
    for (const [i, { app }] of sites.entries()) {
      await app.db
        .updateTable('owner')
        .set({ ...owners[i] })
        .execute()
    }
    return answer
  }
  const sendText = async (place: Path, text: string) => {
    const { status } = await send(spelledAt(body, place, JSON.stringify(text)))
    if (status >= 300 || readAt === undefined) return
    const stored = valueAt(await read(readAt), place)
    if (stored !== cleanText(text)) wrong.push(`${readAt} ${place.join('.')} ${String(stored)}`)
  }
  for (const place of leavesIn(body)) {
    for (const text of texts) await sendText(place, text)
    for (const value of values) await send(spelledAt(body, place, value))
  }
  for (const document of documents) await send(document)
}

test.each(Object.entries(groups))(
  'nothing that is written of %s fails, differs or cannot be read back',
  async (_, writes) => {
    const all = await openEach()
    for (const write of writes) await attack(all, write)
    await all.readAll()
    expect(all.wrong).toEqual([])
  },
)

test.each([...strangersPosts])('%s of strangers neither fails nor differs', async (name, make) => {
  const { first, wrong, ask, readAll } = await openEach()
  const path = name.replace('POST /api/', '')
  type Change = (sent: Sent) => { readonly headers: Sent['headers']; readonly raw: string }
  const post = (what: string, change: Change) =>
    ask(`${name} ${what}`, async (site) => site.app.call('POST', path, change(await make(site))))
  const sample = await make(first)
  for (const place of placesIn(name, sample)) {
    for (const text of texts) {
      await post(`${place.name} ${JSON.stringify(text)}`, (sent) => {
        const { headers, body } = place.put(sent, text)
        return { headers, raw: JSON.stringify(body) }
      })
    }
  }
  for (const place of leavesIn(sample.body)) {
    for (const value of values) {
      await post(`${place.join('.')} ${value}`, ({ headers, body }) => ({
        headers,
        raw: spelledAt(body, place, value),
      }))
    }
  }
  for (const raw of documents) await post(raw.slice(0, 200), ({ headers }) => ({ headers, raw }))
  await readAll()
  expect(wrong).toEqual([])
})

describe.each(texts)('a résumé full of %j', (text) => {
  const [, resume = {}] = exampleResumes.find(([name]) => name.includes('senior')) ?? []
  const spoil = (_: string, value: unknown) => (typeof value === 'string' ? value + text : value)
  const hostile = JSON.parse(JSON.stringify(resume, spoil)) as Resume

  test('comes out of each database as it came in', async () => {
    const said: string[] = []
    for (const engine of engines) {
      const { db } = await openFresh(engine)
      await transact(db, (x) => importResume(x, hostile, new Date('2031-03-02T10:00:00Z')))
      const site = await readSite(db)
      const kept = await listKeptResumes(db)
      expect(resumeOf(site, { publicUrl: origin, kept })).toEqual(hostile)
      said.push(sayingOf(200, [site, kept]))
    }
    expect(new Set(said).size).toBe(1)
  })

  test('is kept by the site and given out again', async () => {
    const { wrong, ask, readAll } = await openEach()
    const body = { said: JSON.stringify({ rest: { basics: hostile['basics'] }, items: [] }) }
    const path = `${resumeCalls.kept}/${entryId}`
    await ask(path, ({ app }) => app.asOwner('PUT', path, { body }))
    await readAll()
    expect(wrong).toEqual([])
  })
})

test('no address that is asked for fails or differs', async () => {
  const { first, wrong, ask } = await openEach()
  const routes = createApp(first.app.services).routes.filter(({ method }) => method !== 'ALL')
  const named = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  const spelled = [
    ...texts.map((text) => encodeURIComponent(text.toWellFormed())),
    '%ff',
    '%ed%a0%80',
    '%',
    '9'.repeat(400),
    `${entryId}%20`,
  ]
  const send = (method: string, address: string) =>
    ask(`${method} ${address}`, ({ app }) => {
      const hasBody = method === 'POST' || method === 'PUT'
      return app.asOwner(method, address, hasBody ? { body: {} } : {})
    })
  for (const { method, path } of named.values()) {
    if (!path.includes(':')) continue
    for (const text of spelled) {
      await send(
        method,
        path.replace('/api/', '').replaceAll(/:\w+/g, () => text),
      )
    }
  }
  for (const query of ['before', 'tray', 'until', 'kind']) {
    for (const text of spelled) {
      await send('GET', `${ownerCalls.messages}?${query}=${text}`)
      await send('POST', `${ownerCalls.messages}/read?${query}=${text}`)
      await send('GET', `${ownerCalls.push}?${query}=${text}`)
    }
  }
  expect(wrong).toEqual([])
})
