import { expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import type { ProblemBody } from '#contract/problem.ts'
import { addressKey, networksAround } from '#server/edge/client-address.ts'
import { startCalls } from '#tests/support/access-calls.ts'
import { openAccess, quickDerive } from '#tests/support/owner-access.ts'
import { sendRaw } from '#tests/support/raw-http.ts'
import { owner } from '#tests/support/site.ts'

async function openOwnerCalls() {
  const access = await openAccess({ derive: quickDerive })
  const { token } = await access.auth.login({ ...owner, address: 'a' })
  return { access, token, calls: await startCalls(access) }
}

/** What follows the word Authorization, as the owner and others may write it; `{token}` is a living token. */
const accepted = [
  'Bearer{token}',
  'Bearer {token}',
  'bearer{token}',
  'BEARER {token}',
  'bEaReR{token}',
]
const refused = [
  '{token}',
  'Bearer',
  'Bearer ',
  'Bearer  {token}',
  'Bearer\t{token}',
  'Bearer{token}x',
  'Bearer {token} x',
  'Bearer{token},',
  'Bearer x{token}',
  'Bearer "{token}"',
  'Bearer={token}',
  'Basic {token}',
  'Token {token}',
  'Bearer {token}, Bearer {token}',
]

test.each(accepted)('%s is the owner', async (form) => {
  const { calls, token } = await openOwnerCalls()
  const headers = { authorization: form.replaceAll('{token}', token) }
  const { status, text } = await calls.call('PUT', 'closed', { headers })
  expect([status, text]).toEqual([200, owner.userName])
})

test.each(refused)('%s is nobody', async (form) => {
  const { calls, token } = await openOwnerCalls()
  const headers = { authorization: form.replaceAll('{token}', token) }
  const { status, headers: answered, text } = await calls.call('PUT', 'closed', { headers })
  expect(status).toBe(401)
  expect(answered.get('www-authenticate')).toBe('Bearer')
  expect(answered.get('cache-control')).toBe('private, no-store')
  expect((JSON.parse(text) as ProblemBody).code).toBe('sesion-requerida')
  expect(text).not.toContain(token)
})

test('without a header nobody passes', async () => {
  const { calls } = await openOwnerCalls()
  expect((await calls.call('PUT', 'closed')).status).toBe(401)
})

test('two Authorization headers are nobody, even when both are right', async () => {
  const { calls, token } = await openOwnerCalls()
  const header = `Authorization: Bearer${token}\r\n`
  const send = (headers: string) =>
    sendRaw(
      calls.port,
      `PUT /api/closed HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`,
    )
  expect(await send(header)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await send(header + header)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await send(`${header}authorization: Basic x\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
})

test('a token elsewhere than in its header is nobody', async () => {
  const { calls, token } = await openOwnerCalls()
  const path = `closed?token=${token}&authorization=Bearer${token}`
  const headers = { cookie: `authToken=${token}`, 'x-authorization': `Bearer${token}` }
  const { status } = await calls.call('PUT', path, { headers, body: { token } })
  expect(status).toBe(401)
})

test('an expired and a revoked session are nobody', async () => {
  const { access, calls, token } = await openOwnerCalls()
  const headers = { authorization: `Bearer${token}` }
  const other = await access.auth.login({ ...owner, address: 'a' })
  const theirs = { authorization: `Bearer${other.token}` }
  expect((await calls.call('POST', 'auth/logout', { headers: theirs })).status).toBe(204)
  expect((await calls.call('PUT', 'closed', { headers: theirs })).status).toBe(401)
  access.pass(7 * dayMs)
  expect((await calls.call('PUT', 'closed', { headers })).status).toBe(401)
})

test('a session without the role is told that it may not', async () => {
  const { access, calls, token } = await openOwnerCalls()
  await access.db.updateTable('session').set({ role: 'ROLE_USER' }).execute()
  const headers = { authorization: `Bearer${token}` }
  const { status, text } = await calls.call('PUT', 'closed', { headers })
  expect([status, (JSON.parse(text) as ProblemBody).code]).toEqual([403, 'prohibido'])
  for (const path of ['auth/password', 'auth/logout/others']) {
    expect((await calls.call('POST', path, { headers, body: {} })).status).toBe(403)
  }
  expect((await calls.call('POST', 'auth/logout', { headers })).status).toBe(204)
})

test('a bad token never breaks what everybody may read', async () => {
  const { calls } = await openOwnerCalls()
  for (const form of [...refused, `Bearer${'A'.repeat(43)}`]) {
    const { status, text } = await calls.call('GET', 'open', { headers: { authorization: form } })
    expect([status, text]).toEqual([200, 'open'])
  }
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
  ['0000:0000:0000:0000:0000:ffff:192.0.2.7', '192.0.2.7'],
  ['0::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7%eth0', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['2001:db8:1:2:3:4:192.0.2.7', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test.each([
  ['203.0.113.7', ['203.0.113.0/24', '203.0.0.0/16']],
  ['2001:db8:7:1::/64', ['2001:db8:7::/48', '2001:db8::/32']],
  ['', []],
  ['unix:', []],
] as const)('around %o are the networks %o', (key, networks) => {
  expect(networksAround(key)).toEqual(networks)
})

test.each([
  [0, '203.0.113.1', '127.0.0.1'],
  [1, '203.0.113.1', '203.0.113.1'],
  [1, '198.51.100.9, 203.0.113.1', '203.0.113.1'],
  [2, '198.51.100.9, 203.0.113.1', '198.51.100.9'],
  [2, '203.0.113.1', '127.0.0.1'],
  [1, '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  [1, '203.0.113.1:5678', '203.0.113.1'],
  [1, '[2001:db8:1:2:3::4]:5678', '2001:db8:1:2::/64'],
  [1, '[2001:db8:1:2:3::4]', '2001:db8:1:2::/64'],
  [1, '[::ffff:cb00:7101]:5678', '203.0.113.1'],
  [1, '198.51.100.9, ', '127.0.0.1'],
  [1, `${'198.51.100.9, '.repeat(600)}203.0.113.1`, '203.0.113.1'],
  [1, '', '127.0.0.1'],
])('behind %i proxies of ours, “%s” comes from %s', async (trustProxy, forwarded, address) => {
  const calls = await startCalls(await openAccess({ withOwner: false }), trustProxy)
  const headers = { 'x-forwarded-for': forwarded }
  expect((await calls.call('GET', 'address', { headers })).text).toBe(address)
})

test('a large body sent without a session is answered, not cut off', async () => {
  const { calls } = await openOwnerCalls()
  const body = 'x'.repeat(5_000_000)
  for (let i = 0; i < 3; i++) {
    expect((await calls.call('PUT', 'closed', { body })).status).toBe(401)
  }
})
