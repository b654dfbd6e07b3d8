import { expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { openApp, refusal } from '#tests/support/app.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
const sized = (size: number) => JSON.stringify({ age_text: '', x: 'x'.repeat(size - 22) })

test.each([
  ['nothing', ''],
  ['white space', '  '],
  ['half of it', '{"age_text":"1"'],
  ['something after it', '{"age_text":"1"}{}'],
  ['a list', '[]'],
  ['a text', '"a"'],
  ['a number', '7'],
  ['null', 'null'],
  ['a name twice', '{"age_text":"1","age_text":"2"}'],
  ['a name twice, once escaped', '{"age_text":"1","age\\u005ftext":"2"}'],
  ['a name twice further down', '{"age_text":"1","a":[{"b":1,"b":2}]}'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
  ['a level too much', nested(17)],
  ['ten thousand levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['a byte order mark', '\ufeff{"age_text":"1"}'],
  ['single quotes', "{'age_text':'1'}"],
])('a body of %s is no valid JSON', async (_, raw) => {
  const { asOwner, call } = await openApp()
  const before = (await call('GET', 'config')).json
  expect(refusal(await asOwner('PUT', 'config', { raw }))).toEqual({
    status: 400,
    code: 'json-no-valido',
  })
  expect((await call('GET', 'config')).json).toEqual(before)
})

test('a body that is not UTF-8 is no valid JSON', async () => {
  const { asOwner } = await openApp()
  const raw = Uint8Array.from([...bytes('{"age_text":"'), 0xff, ...bytes('"}')])
  expect(refusal(await asOwner('PUT', 'config', { raw }))).toEqual({
    status: 400,
    code: 'json-no-valido',
  })
})

test.each([
  ['colons and quotes in texts', '{"age_text":"a:b \\"c\\": {\\\\","x":":"}'],
  ['the same name in two places', '{"age_text":"1","a":{"age_text":"2"}}'],
  ['sixteen levels', nested(16)],
  ['__proto__ once', '{"__proto__":{"age_text":"1"}}'],
])('a body with %s is taken', async (_, raw) => {
  const { asOwner } = await openApp()
  expect((await asOwner('PUT', 'config', { raw })).status).toBe(200)
})

test('a body of 64 KiB is read, one byte more is refused, with or without a stated length', async () => {
  const { asOwner } = await openApp()
  const send = async (size: number, headers = {}) =>
    (await asOwner('PUT', 'config', { raw: sized(size), headers })).status
  expect(sized(1000)).toHaveLength(1000)
  expect(await send(65_536)).toBe(200)
  expect(await send(65_537)).toBe(413)
  expect(await send(5_000_000)).toBe(413)
  expect(await send(100, { 'content-length': '65537' })).toBe(413)
})

test.each([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json; charset=latin1',
  'application/json, text/plain',
  'text/plain; application/json',
  'application/problem+json',
])('a body called %j is refused', async (type) => {
  const { asOwner } = await openApp()
  const answer = await asOwner('PUT', 'config', {
    raw: bytes('{}'),
    headers: { 'content-type': type },
  })
  expect(refusal(answer)).toEqual({ status: 415, code: 'tipo-no-admitido' })
})

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'Application/JSON',
])('a body called %j is read', async (type) => {
  const { asOwner } = await openApp()
  expect(
    (await asOwner('PUT', 'config', { raw: '{}', headers: { 'content-type': type } })).status,
  ).toBe(200)
})

test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])(
  'a body compressed with %s is refused',
  async (encoding) => {
    const { asOwner } = await openApp()
    const raw = Uint8Array.from(gzipSync('{"age_text":"1"}'))
    const answer = await asOwner('PUT', 'config', {
      raw,
      headers: { 'content-encoding': encoding },
    })
    expect(refusal(answer)).toEqual({ status: 415, code: 'tipo-no-admitido' })
  },
)

test('the session is asked for before the body is looked at', async () => {
  const { call } = await openApp()
  const answer = await call('PUT', 'config', { raw: 'x'.repeat(100_000) })
  expect(refusal(answer)).toEqual({ status: 401, code: 'sesion-requerida' })
})
