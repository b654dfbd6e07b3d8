import { brotliDecompressSync } from 'node:zlib'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { v7 as newId } from 'uuid'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { resumePath } from '#contract/resume/resume.ts'
import { keepResume } from '#server/db/kept-resumes.ts'
import type { Engine } from '#server/db/tables.ts'
import { openApp } from '#tests/support/app.ts'
import { callDuring } from '#tests/support/call-during.ts'
import { engines } from '#tests/support/database.ts'
import { emptySiteData, startListener, startSite } from '#tests/support/listener.ts'
import { schemaErrors } from '#tests/support/resumes.ts'

const render = async () => ({ status: 200, app: '', state: '' })

test('the résumé of a running site is valid and follows its content by its entity tag', async () => {
  const app = await openApp()
  await app.asOwner('PUT', 'person/update/1', { body: { title: 'Carpintera' } })
  const { url } = await startSite(app.services, render)
  const first = await fetch(url + resumePath)
  const resume: unknown = await first.json()
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/json')
  expect(schemaErrors(resume)).toEqual([])
  expect(resume).toMatchObject({ basics: { label: 'Carpintera' } })
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(url + resumePath, { headers: { 'if-none-match': tag } })
  expect(again.status).toBe(304)
  await app.asOwner('PUT', 'person/update/1', { body: { title: 'Otra cosa' } })
  await expect
    .poll(async () => (await fetch(url + resumePath, { headers: { 'if-none-match': tag } })).status)
    .toBe(200)
  expect(await (await fetch(url + resumePath)).text()).toContain('Otra cosa')
})

test('its head alone is answered, and its body compressed', async () => {
  const { port, url } = await startListener({
    readSite: async () => emptySiteData({ name: 'Lucía' }),
  })
  const head = await fetch(url + resumePath, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toMatch(/"/)
  expect(await head.text()).toBe('')
  const headers = { 'accept-encoding': 'br' }
  const packed = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve) => {
    request({ port, host: '127.0.0.1', path: resumePath, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ encoding: answer.headers['content-encoding'], body: Buffer.concat(parts) }),
      )
    }).end()
  })
  expect(packed.encoding).toBe('br')
  expect(JSON.parse(brotliDecompressSync(packed.body).toString())).toMatchObject({
    basics: { name: 'Lucía' },
  })
})

test('what the site does not show is not in it', async () => {
  const entry = { id: '1', version: 1, fields: { name: 'Secreto' } }
  const shown = emptySiteData({ name: 'Lucía' }, { entries: { skill: [entry] } })
  const hidden = { ...shown, settings: { ...shown.settings, sections_hidden: 'skill' } }
  const open = await startListener({ readSite: async () => shown })
  expect(await (await fetch(open.url + resumePath)).text()).toContain('Secreto')
  const closed = await startListener({ readSite: async () => hidden })
  const text = await (await fetch(closed.url + resumePath)).text()
  expect(text).toContain('Lucía')
  expect(text).not.toContain('Secreto')
})

test('the pages that tell of the person name it', async () => {
  const { url } = await startListener({ readSite: async () => emptySiteData({ name: 'Lucía' }) })
  const link = `<link rel="alternate" type="application/json" href="${resumePath}">`
  for (const path of ['/about', '/cv'])
    expect(await (await fetch(url + path)).text()).toContain(link)
})

const keptId = '01890000-0000-7000-8000-00000000000a'
const entryId = '01890000-0000-7000-8000-00000000000b'
const item = { name: 'Uno', position: 'Jefa', location: 'Quito', startDate: '2019-03-07' }
const kept = {
  rest: { basics: { phone: '+598 99' }, volunteer: [{ organization: 'Dos' }] },
  items: [{ member: 'work', item, ids: [entryId] }],
}

test("an imported résumé comes out whole for its owner, and a visitor's has nothing of what was kept", async () => {
  const app = await openApp()
  const imported = { id: entryId, name: 'Uno', role: 'Jefa', duration: 'Marzo 2019 – actualidad' }
  const made = { body: { ...imported, imported: true } }
  expect((await app.asOwner('POST', 'experience/create', made)).status).toBe(201)
  const put = { body: { said: JSON.stringify(kept) } }
  expect((await app.asOwner('PUT', `${resumeCalls.kept}/${keptId}`, put)).status).toBe(200)
  const mine = await app.asOwner('GET', resumeCalls.resume)
  expect(mine.json).toEqual({ ...kept.rest, work: [item] })
  expect(mine.headers.get('cache-control')).toBe('private, no-store')
  const { url } = await startSite(app.services, render)
  const open = await (await fetch(url + resumePath)).text()
  expect(open).toContain('Jefa')
  expect(open).not.toMatch(/Quito|Dos|598/)
  await app.asOwner('DELETE', `${resumeCalls.kept}/${keptId}`)
  const after = await app.asOwner('GET', resumeCalls.resume)
  expect(JSON.stringify(after.json)).not.toMatch(/Quito|Dos|598/)
})

test('only what comes from a résumé may leave out what the form insists on, and never its name', async () => {
  const app = await openApp()
  const create = (body: object) => app.asOwner('POST', 'experience/create', { body })
  expect((await create({ name: 'Uno' })).status).toBe(422)
  expect((await create({ name: 'Uno', imported: true })).status).toBe(201)
  expect((await create({ description: 'Algo', imported: true })).status).toBe(422)
  const long = { name: 'a'.repeat(21), imported: true }
  expect((await app.asOwner('POST', 'proyect/create', { body: long })).status).toBe(422)
})

/** A site that takes one part more. */
async function openNearlyFull(engine?: Engine) {
  const app = await openApp({ ...(engine && { engine }) })
  const put = async (id: string, phone: string) => {
    const said = JSON.stringify({ rest: { basics: { phone } }, items: [] })
    return (await app.asOwner('PUT', `${resumeCalls.kept}/${id}`, { body: { said } })).status
  }
  const made_at = app.services.now().toISOString()
  const parts = Array.from({ length: 1999 }, () => ({ id: newId(), said: '{}', made_at }))
  await app.db.insertInto('kept_resume').values(parts).execute()
  return { app, put, made_at }
}

test.each(engines)('of two that are the last part at once one is taken, on %s', async (engine) => {
  const { app, put, made_at } = await openNearlyFull(engine)
  const first = { id: newId(), said: '{}', made_at }
  const status = await callDuring(
    app.db,
    (t) => keepResume(t, first),
    () => put(keptId, '1'),
  )
  expect(status).toBe(413)
})

test('where no further part is taken, one that is there can still be replaced', async () => {
  const { app, put } = await openNearlyFull()
  expect(await put(keptId, '1')).toBe(200)
  expect(await put(newId(), '2')).toBe(413)
  expect(await put(keptId, '3')).toBe(200)
  const { json } = await app.asOwner('GET', resumeCalls.resume)
  expect(json).toMatchObject({ basics: { phone: '3' } })
})

test.each([
  ['no JSON', 'hola'],
  ['something else', '{"rest": 1, "items": []}'],
  ['items without ids', '{"rest": {}, "items": [{"member": "work", "item": {}}]}'],
  ['brackets without end', `{"rest": {"a": ${'['.repeat(3000)}${']'.repeat(3000)}}, "items": []}`],
])('%s is not kept', async (_, said) => {
  const app = await openApp()
  const path = `${resumeCalls.kept}/${keptId}`
  expect((await app.asOwner('PUT', path, { body: { said } })).status).toBe(422)
  expect((await app.call('PUT', path, { body: { said: '{}' } })).status).toBe(401)
  expect((await app.call('GET', resumeCalls.resume)).status).toBe(401)
  expect(await app.db.selectFrom('kept_resume').selectAll().execute()).toEqual([])
})
