import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { accessCalls } from '#contract/access/access.ts'
import type { AppEnv } from '#server/api/env.ts'
import { limitPosts } from '#server/api/rate-limits.ts'
import { openApp, refusal } from '#tests/support/app.ts'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('reads are limited per address, and free again in the next minute', async () => {
  const app = await openApp({ env: { LIMIT_READS: '3/60', TRUST_PROXY: '1' } })
  app.pass(15_000)
  for (let i = 0; i < 3; i++) {
    expect((await app.call('GET', 'experience', from('192.0.2.1'))).status).toBe(200)
  }
  const refused = await app.call('GET', 'health', from('192.0.2.1'))
  expect(refusal(refused)).toEqual({ status: 429, code: 'demasiados-intentos' })
  expect(refused.headers.get('retry-after')).toBe('45')
  expect((await app.call('HEAD', 'experience', from('192.0.2.1'))).status).toBe(429)
  expect((await app.call('GET', 'experience', from('192.0.2.2'))).status).toBe(200)
  app.pass(minuteMs)
  expect((await app.call('GET', 'experience', from('192.0.2.1'))).status).toBe(200)
})

test('six hundred reads a minute are allowed unless set otherwise', async () => {
  const app = await openApp()
  for (let i = 0; i < 600; i++) expect((await app.call('HEAD', 'experience')).status).toBe(200)
  expect((await app.call('HEAD', 'experience')).status).toBe(429)
})

test('writes are limited, and a refused one changes nothing', async () => {
  const app = await openApp({ env: { LIMIT_WRITES: '2/600' } })
  for (const age of ['1', '2']) {
    expect((await app.asOwner('PUT', 'config', { body: { age_text: age } })).status).toBe(200)
  }
  const refused = await app.asOwner('PUT', 'config', { body: { age_text: '3' } })
  expect(refusal(refused)).toEqual({ status: 429, code: 'demasiados-intentos' })
  expect(refused.headers.get('retry-after')).toBe('600')
  expect((await app.call('GET', 'config')).json).toMatchObject({ age_text: '2' })
  app.pass(10 * minuteMs)
  expect((await app.asOwner('PUT', 'config', { body: { age_text: '3' } })).status).toBe(200)
})

test("calls refused for want of a session do not use up the owner's writes", async () => {
  const app = await openApp({ env: { LIMIT_WRITES: '1/600' } })
  for (let i = 0; i < 3; i++)
    expect((await app.call('PUT', 'config', { body: {} })).status).toBe(401)
  expect((await app.asOwner('PUT', 'config', { body: {} })).status).toBe(200)
})

test.each([
  ['contact', { name: '', email: '', message: '' }, 422],
  ['auth/login', { userName: 'nadie', password: 'no' }, 401],
  ['auth/setup/check', { token: 'x' }, 404],
] as const)('posts to %s count before anything of them is read', async (path, body, status) => {
  const app = await openApp({ env: { LIMIT_POSTS: '3/60', TRUST_PROXY: '1' } })
  const post = (address: string, raw = JSON.stringify(body)) =>
    app.call('POST', path, { raw, headers: { 'x-forwarded-for': address } })
  expect((await post('192.0.2.1')).status).toBe(status)
  expect((await post('192.0.2.1', '{')).status).toBe(400)
  expect((await post('192.0.2.1', 'x'.repeat(70_000))).status).toBe(413)
  const refused = await post('192.0.2.1', '{')
  expect(refusal(refused)).toEqual({ status: 429, code: 'demasiados-intentos' })
  expect((await post('192.0.2.2')).status).toBe(status)
  app.pass(minuteMs)
  expect((await post('192.0.2.1')).status).toBe(status)
})

test.each([
  [accessCalls.kept, 403],
  [accessCalls.keep, 401],
  [accessCalls.keepNoLonger, 401],
  [accessCalls.endLeft, 422],
] as const)(
  'posts to %s count by themselves, before anything is looked at',
  async (path, status) => {
    const env = { LIMIT_POSTS: '1/60', LIMIT_RENEWALS: '2/60', TRUST_PROXY: '1' }
    const app = await openApp({ env })
    const post = (to: string, address: string, raw = '{}') =>
      app.call('POST', to, { raw, headers: { 'x-forwarded-for': address } })
    // What strangers on her network post takes nothing from her renewals.
    for (let i = 0; i < 2; i++) await post('contact', '192.0.2.1')
    expect((await post('contact', '192.0.2.1')).status).toBe(429)
    for (const raw of ['{}', '{']) {
      expect((await post(path, '192.0.2.1', raw)).status).not.toBe(429)
    }
    expect(refusal(await post(path, '192.0.2.1', '{'))).toEqual({
      status: 429,
      code: 'demasiados-intentos',
    })
    expect((await post(path, '192.0.2.2')).status).toBe(status)
    app.pass(minuteMs)
    expect((await post(path, '192.0.2.1')).status).toBe(status)
  },
)

test('a flood of faults leaves one line with a stack, and the next tells how many there were', async () => {
  const app = await openApp()
  await app.db.schema.dropTable('proyect').execute()
  for (let i = 0; i < 5; i++) expect((await app.call('GET', 'proyect')).status).toBe(500)
  const failed = () => app.events.filter(({ event }) => event === 'call-failed')
  expect(failed()).toEqual([expect.objectContaining({ error: expect.any(String) as string })])
  app.pass(minuteMs)
  await app.call('GET', 'proyect')
  expect(failed()[1]).toMatchObject({ leftOut: 4 })
})

test('what is turned away because too many wait is told once, without a stack', async () => {
  const app = await openApp({ env: { LIMIT_DRAWINGS: '1000/60' } })
  const crowd = Array.from({ length: 60 }, (_, i) =>
    app.call('HEAD', `typing?lines=${String.fromCharCode(192 + i)}`),
  )
  const statuses = (await Promise.all(crowd)).map(({ status }) => status)
  expect(statuses).toContain(503)
  const errors = app.events.filter(({ event }) => event === 'call-failed')
  expect(errors).toHaveLength(1)
  expect(errors[0]).not.toHaveProperty('error')
})

test('a post whose sender has gone while it waited is not carried out', async () => {
  const { services } = await openApp()
  const taken: string[] = []
  const app = new Hono<AppEnv>()
  app.use(limitPosts(services))
  app.post('/:name', (c) => {
    taken.push(c.req.param('name'))
    return c.body(null, 204)
  })
  const senders = ['first', 'gone', 'last'].map((name) => ({
    name,
    outgoing: { destroyed: false },
  }))
  const answers = senders.map(async ({ name, outgoing }) =>
    app.request(`/${name}`, { method: 'POST' }, { outgoing }),
  )
  for (const { name, outgoing } of senders) outgoing.destroyed = name === 'gone'
  await Promise.all(answers)
  expect(taken).toEqual(['first', 'last'])
})
