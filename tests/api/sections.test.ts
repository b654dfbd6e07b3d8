import { describe, expect, test } from 'vitest'
import { v7 as newId } from 'uuid'
import { imageFieldOf } from '#contract/fields.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { sections } from '#contract/sections/index.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const emoji = (n: number) => '👩'.repeat(n)
const unknownId = '01890000-0000-7000-8000-000000000000'
const capitals = 'ABCD0000-0000-7000-8000-000000000000'
const invalid = { status: 422, code: 'datos-no-validos' }

/** What a path may hold where an id belongs. */
const badIds = [
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  '٣',
  '%D9%A3',
  '9'.repeat(16),
  'x'.repeat(5000),
  '..%2F1',
  'a%2Fb',
  '%00',
  `${unknownId}%00`,
  '%E0%A4%A',
  "1'--",
  capitals,
  unknownId,
  '1',
]

const badNames = [
  7,
  null,
  ['a'],
  { a: 1 },
  '',
  ' \t\u00a0\u200b ',
  'a\u0000b',
  'a\u001bb',
  'a\ud83d',
  'a\u2028b',
  'x'.repeat(10_001),
]

describe.each(engines)('on %s', (engine) => {
  describe.each(sections)('$key', (section) => {
    const { key } = section
    const notices = noticesOf(section)
    const create = async (app: TestApp, name: string) =>
      membersOf(
        await app.asOwner('POST', `${key}/create`, { body: completeValues(section, { name }) }),
      )

    test('a created entry is answered, found and listed', async () => {
      const { asOwner, call } = await openApp({ engine, everySection: true })
      const created = await asOwner('POST', `${key}/create`, { body: completeValues(section) })
      const { id, mensaje, ...entry } = membersOf(created)
      expect(created.status).toBe(201)
      expect(mensaje).toBe(notices.created)
      expect(entry).toEqual({ ...completeValues(section), version: 1 })
      expect(created.headers.get('location')).toBe(`/api/${key}/detail/${String(id)}`)
      expect(created.headers.get('etag')).toBe('"v1"')
      expect((await call('GET', `${key}/detail/${String(id)}`)).json).toEqual({ id, ...entry })
      expect((await call('GET', key)).json).toEqual([{ id, ...entry }])
    })

    test('a change merges the fields it names', async () => {
      const app = await openApp({ engine, everySection: true })
      const { id } = await create(app, 'Antes')
      const changed = await app.asOwner('PUT', `${key}/update/${String(id)}`, {
        body: { name: 'Después' },
      })
      const entry = { id, ...completeValues(section, { name: 'Después' }), version: 2 }
      expect(changed.status).toBe(200)
      expect(changed.json).toEqual({ ...entry, mensaje: notices.updated })
      expect(changed.headers.get('etag')).toBe('"v2"')
      expect((await app.call('GET', key)).json).toEqual([entry])
    })

    test('a deleted entry is gone from list and detail, and cannot be deleted twice', async () => {
      const app = await openApp({ engine, everySection: true })
      const { id } = await create(app, 'Sobra')
      const kept = await create(app, 'Queda')
      const deleted = await app.asOwner('DELETE', `${key}/delete/${String(id)}`)
      expect([deleted.status, deleted.json]).toEqual([200, { mensaje: notices.deleted }])
      expect((await app.call('GET', key)).json).toMatchObject([{ id: kept['id'] }])
      expect((await app.call('GET', `${key}/detail/${String(id)}`)).status).toBe(404)
      expect((await app.asOwner('DELETE', `${key}/delete/${String(id)}`)).status).toBe(404)
    })

    test('an empty draft is refused with one message per required field', async () => {
      const { asOwner, call } = await openApp({ engine, everySection: true })
      const required = Object.keys(section.fields).filter((name) => section.fields[name]?.required)
      expect(refusal(await asOwner('POST', `${key}/create`, { body: {} }))).toEqual({
        status: 422,
        code: 'datos-no-validos',
        fields: required.map((name) => `/${name}`),
      })
      expect((await call('GET', key)).json).toEqual([])
    })

    test('nothing is found, changed or deleted under an id no entry has', async () => {
      const app = await openApp({ engine, everySection: true })
      await create(app, 'Queda')
      const before = (await app.call('GET', key)).json
      for (const id of badIds) {
        const answers = [
          await app.call('GET', `${key}/detail/${id}`),
          await app.asOwner('PUT', `${key}/update/${id}`, { body: { name: 'Nuevo' } }),
          await app.asOwner('DELETE', `${key}/delete/${id}`),
        ]
        expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 404, 404, 404])
      }
      expect((await app.call('GET', key)).json).toEqual(before)
    })

    test('a change at an old version is answered with the current entry and changes nothing', async () => {
      const app = await openApp({ engine, everySection: true })
      const { id } = await create(app, 'Primera')
      const path = `${key}/update/${String(id)}`
      await app.asOwner('PUT', path, { body: { name: 'De otro' }, headers: { 'if-match': '"v1"' } })
      const current = { id, ...completeValues(section, { name: 'De otro' }), version: 2 }
      const headers = { 'if-match': '"v1"' }
      for (const refused of [
        await app.asOwner('PUT', path, { body: { name: 'Mía' }, headers }),
        await app.asOwner('DELETE', `${key}/delete/${String(id)}`, { headers }),
      ]) {
        expect(refused.status).toBe(412)
        expect(refused.json).toMatchObject({ code: 'version-cambiada', current })
        expect(refused.headers.get('etag')).toBe('"v2"')
      }
      expect((await app.call('GET', key)).json).toEqual([current])
    })
  })
})

describe.each(sections)('$key', (section) => {
  const { key } = section

  test('keeps the id its maker chose, and never gives it to a second entry', async () => {
    const { asOwner, call } = await openApp({ everySection: true })
    const id = newId()
    const first = await asOwner('POST', `${key}/create`, {
      body: { ...completeValues(section), id },
    })
    expect(first.json).toMatchObject({ id, version: 1 })
    const again = await asOwner('POST', `${key}/create`, {
      body: { ...completeValues(section, { name: 'Otra' }), id },
    })
    expect(refusal(again)).toEqual({ status: 409, code: 'ya-existe' })
    // From it the caller knows whether that entry is the one it meant.
    expect(again.json).toMatchObject({ current: { id, version: 1, ...completeValues(section) } })
    expect((await call('GET', key)).json).toMatchObject([
      { id, name: completeValues(section)['name'] },
    ])
  })

  test('refuses to create under an id that is no UUID in small letters', async () => {
    const { asOwner, call } = await openApp({ everySection: true })
    for (const id of ['7', 'x', '../1', `${unknownId} `, capitals, 7, {}]) {
      const refused = await asOwner('POST', `${key}/create`, {
        body: { ...completeValues(section), id },
      })
      expect([id, refusal(refused)]).toEqual([id, { ...invalid, fields: ['/id'] }])
    }
    expect((await call('GET', key)).json).toEqual([])
  })

  test('is not sent again to who holds it', async () => {
    const { asOwner, call } = await openApp({ everySection: true })
    const { id } = membersOf(
      await asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    for (const path of [key, `${key}/detail/${String(id)}`]) {
      const tag = (await call('GET', path)).headers.get('etag') ?? ''
      const held = await call('GET', path, { headers: { 'if-none-match': `"other", ${tag}` } })
      expect([held.status, held.json, held.headers.get('etag')]).toEqual([304, undefined, tag])
      const name = `Tras ${path}`.slice(0, 20)
      await asOwner('PUT', `${key}/update/${String(id)}`, { body: { name } })
      const changed = await call('GET', path, { headers: { 'if-none-match': tag } })
      expect(changed.status).toBe(200)
      expect(JSON.stringify(changed.json)).toContain(name)
      expect(changed.headers.get('etag')).not.toBe(tag)
      expect(changed.headers.get('cache-control')).toBe('public, no-cache')
    }
  })

  test('is answered to HEAD as to GET, without the body', async () => {
    const { call } = await openApp({ everySection: true })
    const [head, get] = [await call('HEAD', key), await call('GET', key)]
    expect([head.status, head.json]).toEqual([200, undefined])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  })

  test('is read with a bad token as without one', async () => {
    const { call } = await openApp({ everySection: true })
    const headers = { authorization: `Bearer${'x'.repeat(43)}` }
    expect((await call('GET', key, { headers })).status).toBe(200)
  })

  test('stores only its own fields', async () => {
    const { asOwner, call } = await openApp({ everySection: true })
    const { id } = membersOf(
      await asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const raw = `{"name":"Nuevo","id":"${unknownId}","version":99,"position":99,"__proto__":{"x":1},"constructor":{"x":1}}`
    const changed = await asOwner('PUT', `${key}/update/${String(id)}`, { raw })
    expect(changed.json).toMatchObject({ id, version: 2, name: 'Nuevo' })
    expect((await call('GET', key)).json).toEqual([
      { id, ...completeValues(section, { name: 'Nuevo' }), version: 2 },
    ])
  })

  test('refuses a name that is no text, nothing to see, unreadable or too long', async () => {
    const { asOwner } = await openApp({ everySection: true })
    const { id } = membersOf(
      await asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const refused = { ...invalid, fields: ['/name'] }
    for (const name of badNames) {
      const body = { ...completeValues(section), name }
      const created = await asOwner('POST', `${key}/create`, { body })
      const changed = await asOwner('PUT', `${key}/update/${String(id)}`, { body: { name } })
      expect([name, refusal(created), refusal(changed)]).toEqual([name, refused, refused])
    }
  })

  test('keeps markup, bidi marks and combining letters as the letters they are', async () => {
    const { asOwner } = await openApp({ everySection: true })
    const { id } = membersOf(
      await asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const kept = async (name: string) =>
      membersOf(await asOwner('PUT', `${key}/update/${String(id)}`, { body: { name } }))['name']
    expect(await kept('<script>alert(1)</script>')).toBe('<script>alert(1)</script>')
    expect(await kept('abc\u202edef')).toBe('abc\u202edef')
    expect(await kept('  Jose\u0301  ')).toBe('José')
    expect(await kept('Dos\r\nlíneas')).toBe('Dos líneas')
  })
})

test('the limits of a project count code points, and its name is only limited while new', async () => {
  const { asOwner } = await openApp({ everySection: true })
  const [project] = sections
  if (!project) throw new Error('no sections')
  const send = (fields: Readonly<Record<string, string>>) =>
    asOwner('POST', 'proyect/create', { body: completeValues(project, fields) })
  const fitting = { name: emoji(20), description: emoji(90), duration: emoji(20) }
  const created = await send(fitting)
  expect(created.status).toBe(201)
  const over = { name: emoji(21), description: emoji(91), duration: emoji(21) }
  expect(refusal(await send(over))['fields']).toEqual(['/name', '/description', '/duration'])
  const update = `proyect/update/${String(membersOf(created)['id'])}`
  expect(refusal(await asOwner('PUT', update, { body: over }))['fields']).toEqual([
    '/description',
    '/duration',
  ])
  expect((await asOwner('PUT', update, { body: { name: emoji(21) } })).status).toBe(200)
})

test.each(['v1', '"1"', '"v0"', '"v1.5"', 'nonsense'])(
  'an If-Match of %s names no version there is',
  async (tag) => {
    const { asOwner } = await openApp({ everySection: true })
    const [section] = sections
    if (!section) throw new Error('no sections')
    const { id } = membersOf(
      await asOwner('POST', `${section.key}/create`, { body: completeValues(section) }),
    )
    const path = `${section.key}/update/${String(id)}`
    expect((await asOwner('PUT', path, { body: {}, headers: { 'if-match': tag } })).status).toBe(
      412,
    )
    expect((await asOwner('PUT', path, { body: {}, headers: { 'if-match': '*' } })).status).toBe(
      200,
    )
    expect(
      (await asOwner('PUT', path, { body: {}, headers: { 'if-match': 'W/"v2"' } })).status,
    ).toBe(200)
  },
)

test.each(sections.filter(({ images }) => images))(
  'the picture of $key is a file of the site or a web address',
  async (section) => {
    const app = await openApp({ everySection: true })
    const name = imageFieldOf(section.fields) ?? ''
    const values = completeValues(section)
    const create = (picture: string) =>
      app.asOwner('POST', `${section.key}/create`, { body: { ...values, [name]: picture } })
    expect((await create('https://ejemplo.test/a.png')).status).toBe(201)
    const refused = await create('javascript:alert(1)')
    expect(refusal(refused)).toEqual({
      status: 422,
      code: 'datos-no-validos',
      fields: [`/${name}`],
    })
  },
)
