import { describe, expect, test } from 'vitest'
import { idempotencyHeader, replayedHeader } from '#contract/api.ts'
import { dayMs, keyLifeMs } from '#contract/durations.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { sweepKeys } from '#server/db/idempotency-keys.ts'
import { createApp } from '#server/api/app.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { engines, freshTarget } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const [section] = sections as readonly [Section, ...Section[]]
const { key } = section
const keyed = (name: string, more = {}) => ({ [idempotencyHeader]: name, ...more })
const namesOf = async ({ call }: TestApp) =>
  ((await call('GET', key)).json as { name: string }[]).map(({ name }) => name)

describe.each(engines)('on %s', (engine) => {
  test('a create repeated under its key is answered the same and done once', async () => {
    const app = await openApp({ engine })
    const create = () =>
      app.asOwner('POST', `${key}/create`, { body: completeValues(section), headers: keyed('a') })
    const [first, again] = [await create(), await create()]
    expect([again.status, again.json]).toEqual([201, first.json])
    for (const name of ['etag', 'location', 'content-type', 'cache-control']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
    }
    expect(again.headers.get('etag')).toBe('"v1"')
    expect([first, again].map(({ headers }) => headers.get(replayedHeader))).toEqual([null, 'true'])
    expect(await namesOf(app)).toHaveLength(1)
  })

  test('a change whose answer was lost is replayed although its version is past', async () => {
    const app = await openApp({ engine })
    const { id } = membersOf(
      await app.asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const change = () =>
      app.asOwner('PUT', `${key}/update/${String(id)}`, {
        body: { name: 'Nuevo' },
        headers: keyed('a', { 'if-match': '"v1"' }),
      })
    expect([(await change()).json, (await change()).status]).toEqual([(await change()).json, 200])
    expect(membersOf(await app.call('GET', `${key}/detail/${String(id)}`))['version']).toBe(2)
  })

  test('after the life of their keys repeated calls are answered by the row, and done no second time', async () => {
    const app = await openApp({ engine })
    const body = { id: '0190b0f4-0000-7000-8000-00000000000a', ...completeValues(section) }
    const create = () => app.asOwner('POST', `${key}/create`, { body, headers: keyed('a') })
    const update = () =>
      app.asOwner('PUT', `${key}/update/${body.id}`, {
        body: { name: 'Nuevo' },
        headers: keyed('b', { 'if-match': '"v1"' }),
      })
    const remove = () => app.asOwner('DELETE', `${key}/delete/${body.id}`, { headers: keyed('c') })
    const past = () => sweepKeys(app.db, new Date(app.services.now().getTime() + keyLifeMs + dayMs))
    expect([(await create()).status, (await create()).status]).toEqual([201, 201])
    await past()
    expect((await create()).status).toBe(409)
    expect((await update()).status).toBe(200)
    await past()
    const again = await update()
    expect([again.status, membersOf(again)['current']]).toMatchObject([412, { name: 'Nuevo' }])
    expect(await namesOf(app)).toEqual(['Nuevo'])
    expect((await remove()).status).toBe(200)
    await past()
    expect((await remove()).status).toBe(404)
    const anew = await create()
    expect(refusal(anew)).toEqual({ status: 404, code: 'no-encontrado' })
    expect(anew.json).toMatchObject({ mensaje: '«Nuevo» está en la papelera.' })
    expect(await namesOf(app)).toEqual([])
    expect((await app.asOwner('PUT', `${key}/restore/${body.id}`)).status).toBe(200)
    expect(await namesOf(app)).toEqual(['Nuevo'])
  })

  test('a deletion repeated under its key is answered as done', async () => {
    const app = await openApp({ engine })
    const { id } = membersOf(
      await app.asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const remove = () =>
      app.asOwner('DELETE', `${key}/delete/${String(id)}`, { headers: keyed('a') })
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
  })

  test('twenty equal creates at once make one entry', async () => {
    const app = await openApp({ engine })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.asOwner('POST', `${key}/create`, {
          body: completeValues(section),
          headers: keyed('a'),
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get(replayedHeader) === null)).toHaveLength(1)
    expect(await namesOf(app)).toHaveLength(1)
  })

  test('twelve changes at one version at once let exactly one pass', async () => {
    const app = await openApp({ engine })
    const { id } = membersOf(
      await app.asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        app.asOwner('PUT', `${key}/update/${String(id)}`, {
          body: { name: `Intento ${i}` },
          headers: { 'if-match': '"v1"' },
        }),
      ),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(200), count(412)]).toEqual([1, 11])
  })

  test('a refusal is not kept, so the corrected call passes under the same key', async () => {
    const app = await openApp({ engine })
    const { id } = membersOf(
      await app.asOwner('POST', `${key}/create`, { body: completeValues(section) }),
    )
    const create = (more: object) =>
      app.asOwner('POST', `${key}/create`, {
        body: { ...completeValues(section), ...more },
        headers: keyed('a'),
      })
    expect((await create({ id })).status).toBe(409)
    expect((await create({ name: '' })).status).toBe(422)
    expect((await create({ name: 'Bien' })).status).toBe(201)
  })

  test('a key is forgotten after thirty days, not before', async () => {
    const app = await openApp({ engine })
    const body = { age_text: '31' }
    const write = () => app.asOwner('PUT', 'config', { body, headers: keyed('a') })
    await write()
    const kept = async () => {
      await sweepKeys(app.db, app.services.now())
      return (await app.db.selectFrom('idempotency_key').select('key').execute()).length
    }
    app.pass(30 * dayMs)
    expect(await kept()).toBe(1)
    app.pass(1)
    expect(await kept()).toBe(0)
  })
})

test('a key used with other content is refused', async () => {
  const app = await openApp()
  const write = (body: object, more = {}) =>
    app.asOwner('PUT', 'person/update/1', { body, headers: keyed('a', more) })
  await write({ name: 'Ana' })
  const refused = { status: 422, code: 'clave-reutilizada' }
  const reused = await write({ name: 'Eva' })
  expect(refusal(reused)).toEqual(refused)
  // From it the caller knows what it did before under this key.
  expect(reused.json).toMatchObject({ current: { name: 'Ana', version: 2 } })
  expect(refusal(await write({ name: 'Ana' }, { 'if-match': '"v1"' }))).toEqual(refused)
  expect(membersOf(await app.call('GET', 'person/detail/1'))).toMatchObject({
    name: 'Ana',
    version: 2,
  })
})

test('a key means nothing to another call or another maker', async () => {
  const app = await openApp()
  const body = { ...completeValues(section), info: 'https://example.com' }
  const create = async (path: string) => {
    const { status, headers } = await app.asOwner('POST', path, { body, headers: keyed('a') })
    return [status, headers.get(replayedHeader)]
  }
  expect(await create('experience/create')).toEqual([201, null])
  expect(await create('education/create')).toEqual([201, null])
  const other = { id: 'other', user_name: 'other@example.com', password: 'x', created_at: '' }
  await app.db.insertInto('owner').values(other).execute()
  await app.db.updateTable('session').set({ owner_id: other.id }).execute()
  expect(await create('experience/create')).toEqual([201, null])
  expect(await create('experience/create')).toEqual([201, 'true'])
})

test('a replay needs the session all the same', async () => {
  const { asOwner, call } = await openApp()
  const request = { body: completeValues(section), headers: keyed('a') }
  await asOwner('POST', `${key}/create`, request)
  expect((await call('POST', `${key}/create`, request)).status).toBe(401)
})

test('a call still under way elsewhere is not begun again', async () => {
  const app = await openApp()
  await app.asOwner('PUT', 'config', { body: {}, headers: keyed('a') })
  await app.db.updateTable('idempotency_key').set({ status: null }).execute()
  const refused = await app.asOwner('PUT', 'config', { body: {}, headers: keyed('a') })
  expect(refusal(refused)).toEqual({ status: 409, code: 'en-curso' })
  expect(refused.headers.get('retry-after')).toBe('1')
})

test.each(['', ' ', 'a b', 'x'.repeat(201), 'ñ'])('the key %j is refused', async (name) => {
  const { asOwner } = await openApp()
  const refused = await asOwner('PUT', 'config', { body: {}, headers: keyed(name) })
  expect(refusal(refused)).toEqual({ status: 400, code: 'peticion-no-valida' })
})

test('two programs on one file do an equal create once', async () => {
  const target = await freshTarget('sqlite')
  if (target.engine !== 'sqlite') throw new Error('not a file')
  const first = await openApp({ file: target.file })
  const second = await openApp({ file: target.file })
  expect(createApp(first.services)).not.toBe(createApp(second.services))
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, i) =>
      (i % 2 === 0 ? first : second).call('POST', `${key}/create`, {
        body: completeValues(section),
        headers: keyed('a', { authorization: `Bearer${first.token}` }),
      }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await namesOf(second)).toHaveLength(1)
})
