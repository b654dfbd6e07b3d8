import { describe, expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { calls, ownHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { firebaseTokenCall } from '#contract/texts/firebase.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { sections } from '#contract/sections/index.ts'
import { problems } from '#contract/problem.ts'
import { membersOf, openApp, refusal, type TestApp } from '#tests/support/app.ts'
import { createApp } from '#server/api/app.ts'
import { engines } from '#tests/support/database.ts'
import { completeValues } from '#tests/support/complete-values.ts'

const entryId = '01890000-0000-7000-8000-000000000000'

const adminCalls: readonly (readonly [string, string])[] = [
  ...sections.flatMap(
    ({ key }) =>
      [
        ['POST', `${key}/create`],
        ['PUT', `${key}/update/${entryId}`],
        ['DELETE', `${key}/delete/${entryId}`],
      ] as const,
  ),
  ['PUT', `${resumeCalls.kept}/${entryId}`],
  ['DELETE', `${resumeCalls.kept}/${entryId}`],
  ['PUT', `${calls.personUpdate}/1`],
  ['PUT', calls.config],
  ['PUT', `${ownerCalls.image}/Project?name=project_7`],
  ['POST', ownerCalls.logout],
  ['POST', ownerCalls.logoutOthers],
  ['POST', ownerCalls.password],
  ['POST', firebaseTokenCall],
]

/** A site with one entry of every section, so that a call let through by mistake would find something to change. */
async function openFilled(): Promise<TestApp> {
  const app = await openApp()
  for (const section of sections) {
    const body = { ...completeValues(section), id: entryId }
    await app.asOwner('POST', `${section.key}/create`, { body })
  }
  return app
}

async function contentOf({ call }: TestApp): Promise<unknown> {
  const paths = [...sections.map(({ key }) => key), calls.person, calls.config]
  return Promise.all(paths.map(async (path) => (await call('GET', path)).json))
}

describe.each(adminCalls)('%s %s', (method, path) => {
  test('is refused without a living session, and changes nothing', async () => {
    const app = await openFilled()
    const before = await contentOf(app)
    const send = async (authorization?: string) =>
      app.call(method, path, {
        body: { name: 'Intruso', age_text: '99' },
        headers: authorization === undefined ? {} : { authorization },
      })
    const unknown = 'x'.repeat(43)
    const attempts = [
      undefined,
      '',
      'Bearer',
      `Bearer${unknown}`,
      `Bearer ${unknown}`,
      `Basic ${app.token}`,
      app.token,
      `Bearer ${app.token} x`,
      `Bearer ${app.token}, Bearer ${app.token}`,
    ]
    for (const authorization of attempts) {
      const answer = await send(authorization)
      expect(refusal(answer)).toEqual({ status: 401, code: 'sesion-requerida' })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(await contentOf(app)).toEqual(before)
    app.pass(31 * 24 * hourMs)
    expect((await send(`Bearer${app.token}`)).status).toBe(401)
  })

  test('is refused without the role', async () => {
    const app = await openFilled()
    const before = await contentOf(app)
    await app.db.updateTable('session').set({ role: 'ROLE_USER' }).execute()
    const answer = await app.asOwner(method, path, { body: { name: 'Intruso' } })
    // Whoever is signed in may sign out.
    expect(answer.status).toBe(path === ownerCalls.logout ? 204 : 403)
    expect(await contentOf(app)).toEqual(before)
  })
})

test('a backup is refused with what it needs, also at an address that is over', async () => {
  const { call } = await openApp()
  const path = `${ownerCalls.backups}/tintero-20310301T030000Z-night.zip`
  for (const query of ['', `?ticket=${'x'.repeat(43)}`]) {
    const answer = await call('GET', path + query)
    expect(refusal(answer)).toEqual({ status: 401, code: 'sesion-requerida' })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
})

test.each([
  '',
  'nothing',
  'experience/',
  'experience/detail',
  'person/detail/1/2',
  'Experience',
  'experience%2Fdetail%2F1',
])('an unknown call such as %j is 404 in JSON for every method', async (path) => {
  const { call } = await openApp()
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await call(method, path)
    expect(refusal(answer)).toEqual({ status: 404, code: 'no-encontrado' })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  }
})

test.each([
  ['experience', 'GET, HEAD, OPTIONS'],
  ['experience/create', 'POST, OPTIONS'],
  [`experience/detail/${entryId}`, 'GET, HEAD, OPTIONS'],
  [`experience/update/${entryId}`, 'PUT, OPTIONS'],
  [`experience/delete/${entryId}`, 'DELETE, OPTIONS'],
  ['config', 'GET, PUT, HEAD, OPTIONS'],
  ['contact', 'POST, OPTIONS'],
  ['auth/login', 'POST, OPTIONS'],
  ['image/Project', 'PUT, OPTIONS'],
  ['health', 'GET, HEAD, OPTIONS'],
])('%s names its methods: %s', async (path, allow) => {
  const { call } = await openApp()
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
    if (allow.includes(method)) continue
    const answer = await call(method, path)
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow])
  }
  const options = await call('OPTIONS', path)
  expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
})

test('a method cannot be overridden by header or query', async () => {
  const app = await openFilled()
  const before = await contentOf(app)
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  }
  const path = `experience/delete/${entryId}`
  expect(
    (await app.asOwner('POST', `${path}?_method=DELETE`, { headers, body: { _method: 'DELETE' } }))
      .status,
  ).toBe(405)
  expect((await app.asOwner('GET', `${path}?_method=DELETE`, { headers })).status).toBe(405)
  expect(await contentOf(app)).toEqual(before)
})

test('a refusal says what is wrong in Spanish and repeats nothing that was sent', async () => {
  const { asOwner } = await openApp()
  const answer = await asOwner('POST', 'experience/create', {
    body: { secreto: 'tal-cual', name: 7 },
  })
  expect(membersOf(answer)).toMatchObject({
    type: '/problemas/datos-no-validos',
    status: 422,
    mensaje: problems['datos-no-validos'][2],
    instance: answer.headers.get('x-request-id'),
  })
  expect(JSON.stringify(answer.json)).not.toMatch(/secreto|tal-cual/)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('content-language')).toBe('es')
})

test('every answer says that it is ours and has an id of its own, whatever it is', async () => {
  const { call, asOwner } = await openApp()
  const answers = [
    await call('GET', 'experience'),
    await call('HEAD', 'experience'),
    await call('OPTIONS', 'experience'),
    await call('GET', 'nothing'),
    await call('POST', 'experience/create'),
    await asOwner('POST', 'experience/create', { raw: '{' }),
    await asOwner('POST', ownerCalls.logout),
  ]
  expect(answers.map(({ headers }) => headers.get(ownHeader))).toEqual(answers.map(() => '1'))
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  expect(ids.every((id) => /^[0-9a-f]{10}-[0-9a-z]+$/.test(id ?? ''))).toBe(true)
  expect(new Set(ids).size).toBe(answers.length)
})

test('a fault of the program is logged under its id and tells the caller nothing of it', async () => {
  const app = await openApp({ engine: 'sqlite' })
  await app.db.schema.dropTable('experience').execute()
  const answer = await app.call('GET', 'experience')
  expect(refusal(answer)).toEqual({ status: 500, code: 'error-interno' })
  expect(JSON.stringify(answer.json)).not.toMatch(/table|select|\.ts/i)
  const [event] = app.events.filter(({ event: name }) => name === 'call-failed')
  expect(event).toMatchObject({
    requestId: answer.headers.get('x-request-id'),
    method: 'GET',
    path: '/api/experience',
  })
  expect(String(event?.['error'])).toContain('no such table')
})

test('pages of other sites may not call, unless their origin is listed', async () => {
  const origin = 'https://panel.example.com'
  const preflight = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization',
  }
  const closed = await openApp()
  expect(
    (await closed.call('GET', 'experience', { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    ),
  ).toBeNull()
  expect(
    (await closed.call('OPTIONS', 'config', { headers: preflight })).headers.get(
      'access-control-allow-origin',
    ),
  ).toBeNull()

  const open = await openApp({ env: { ALLOWED_ORIGINS: `https://other.example.com, ${origin}` } })
  const allowed = (await open.call('OPTIONS', 'config', { headers: preflight })).headers
  expect(allowed.get('access-control-allow-origin')).toBe(origin)
  expect(allowed.get('access-control-allow-credentials')).toBeNull()
  expect(allowed.get('access-control-allow-headers')).toContain('Authorization')
  expect(allowed.get('access-control-max-age')).toBe('86400')
  const read = (await open.call('GET', 'experience', { headers: { origin } })).headers
  expect(read.get('access-control-allow-origin')).toBe(origin)
  expect(read.get('vary')).toBe('Accept-Encoding, Origin')
  expect(read.get('access-control-expose-headers')).toContain(ownHeader)
  for (const other of ['https://panel.example.com.evil.example', 'https://evil.example', 'null']) {
    const answer = await open.call('GET', 'experience', { headers: { origin: other } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('health tells of the process alone, readiness of its database', async () => {
  const app = await openApp()
  for (const path of [ownerCalls.health, ownerCalls.ready]) {
    const { status, json, headers } = await app.call('GET', path)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(json).toMatchObject({ status: 'ok' })
  }
  await app.db.schema.dropTable('revision').execute()
  expect((await app.call('GET', ownerCalls.health)).status).toBe(200)
  expect((await app.call('GET', ownerCalls.ready)).status).toBe(500)
})

describe.each(engines)('on %s', (engine) => {
  test('an id that no database could hold is not found, whatever it is of', async () => {
    const app = await openApp({ engine })
    const routes = createApp(app.services).routes.filter(({ method }) => method !== 'ALL')
    const named = new Map(
      routes
        .filter(({ path }) => path.includes(':'))
        .map(({ method, path }) => [`${method} ${path.slice('/api/'.length)}`, method]),
    )
    expect(named.size).toBeGreaterThan(30)
    const nul = (path: string, id: string) => path.replace(/^\w+ /, '').replaceAll(/:\w+/g, id)
    for (const [path, method] of named) {
      app.pass(60_000)
      for (const id of ['%00', `${entryId}%00`]) {
        const body = method === 'GET' ? undefined : { read: true, name: 'Llave' }
        const { status } = await app.asOwner(method, nul(path, id), { body })
        expect(`${path} with ${id}: ${status}`).toBe(`${path} with ${id}: 404`)
      }
    }
    expect((await app.asOwner('GET', 'messages?before=%00')).status).toBe(404)
  })
})
