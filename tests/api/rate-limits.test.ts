import { expect, test } from 'vitest'
import { openApp, refusal } from '#tests/support/app.ts'
import { minuteMs } from '#tests/support/owner-access.ts'

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
