import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contactFields } from '#contract/messages/contact.ts'
import { image, paragraph, password, text, url } from '#contract/fields.ts'
import { maxEmailLength, maxLinkLength, maxTextLength } from '#contract/limits.ts'
import { headerFields } from '#contract/person/person.ts'
import { sections } from '#contract/sections/index.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { checkValues, checkPatch } from '#contract/validate.ts'

const tooLong = (n: number) => fieldErrors.tooLong.replace('{n}', String(n))
const errorsOf = (fields: Parameters<typeof checkValues>[0], input: unknown) => {
  const checked = checkValues(fields, 'create', input)
  return checked.ok ? {} : checked.errors
}

test('values are cleaned and unknown names dropped', () => {
  const checked = checkValues({ a: text('A'), b: image('B') }, 'create', { a: ' x ', c: 'y' })
  expect(checked).toEqual({ ok: true, value: { a: 'x', b: '' } })
})

test.each(['', '   ', '\u200b', undefined, null, 7, ['x']])(
  '%j is no value for a required field',
  (value) => {
    expect(Object.keys(errorsOf({ a: text('A') }, { a: value }))).toEqual(['a'])
  },
)

test('a limit counts characters as a person does', () => {
  const fields = { a: text('A', { limit: 3 }) }
  expect(errorsOf(fields, { a: '👍👍👍' })).toEqual({})
  expect(errorsOf(fields, { a: '👍👍👍👍' })).toEqual({ a: tooLong(3) })
})

test('a limit of new entries does not hold for older ones', () => {
  const fields = { a: text('A', { newLimit: 2 }) }
  expect(checkValues(fields, 'create', { a: 'abc' }).ok).toBe(false)
  expect(checkValues(fields, 'update', { a: 'abc' }).ok).toBe(true)
})

test.each([
  ['text', paragraph('A'), maxTextLength],
  ['link', url('A'), maxLinkLength],
])('an unbounded %s still ends somewhere', (_, field, limit) => {
  expect(errorsOf({ a: field }, { a: 'x'.repeat(limit) })).toEqual({})
  expect(errorsOf({ a: field }, { a: 'x'.repeat(limit + 1) })).toEqual({ a: tooLong(limit) })
})

test('a text that no database holds is refused', () => {
  expect(errorsOf({ a: text('A') }, { a: 'x\u0000' })).toEqual({ a: fieldErrors.unreadable })
  expect(errorsOf({ a: text('A') }, { a: '\ud800' })).toEqual({ a: fieldErrors.unreadable })
})

test('a run of marks that no script has is refused, a long one of a script is not', () => {
  const errors = (a: string) => errorsOf({ a: paragraph('A') }, { a })
  expect(errors(`a${'\u0323\u0301'.repeat(15)}`)).toEqual({})
  expect(errors(`a${'\u0323\u0301'.repeat(16)}`)).toEqual({ a: fieldErrors.unreadable })
})

test('a text that becomes short enough by being composed is taken', () => {
  const fields = { a: text('A', { limit: 3 }) }
  expect(errorsOf(fields, { a: '\u03b1\u0313\u0300\u0345'.repeat(3) })).toEqual({})
  expect(errorsOf(fields, { a: ` ${'x'.repeat(1000)}` })).toEqual({ a: tooLong(3) })
})

test('a line of its own reads lines as words', () => {
  const checked = checkValues({ a: text('A') }, 'create', { a: ' a \r\n\n \t b\u2003c\rd ' })
  expect(checked).toEqual({ ok: true, value: { a: 'a b\u2003c d' } })
})

test('a password keeps the spaces around it', () => {
  const checked = checkValues({ a: password('A') }, 'create', { a: ' x ' })
  expect(checked).toEqual({ ok: true, value: { a: ' x ' } })
})

test.each([
  'a@b.co',
  'lucia.ejemplo+web@correo.com.ar',
  "o'brien@example.com",
  "!#$%&'*+-/=?^_`{|}~@example.com",
  'x@xn--ejemplo-9za.es',
  'x@xn--e1afmkfd.xn--p1ai',
])('%s is an e-mail address', (email) => {
  expect(errorsOf(contactFields, { name: 'x', email, message: 'x' })).toEqual({})
})

test.each([
  'a',
  'a@',
  '@b.co',
  'a@b',
  'a@b.c',
  'a@b..co',
  '.a@b.co',
  'a.@b.co',
  'a..a@b.co',
  'a b@c.de',
  'a"b@c.de',
  'a@b.co.',
  'a@-b.co',
  'a@b.xn--',
  'ñandú@exämple.com',
  'a@ñ.1',
  'a@ñ.es:25',
  'a@ñ.es/b',
  'a@b@ñ.es',
  'a@xn--ñ.es',
  `a@${'b'.repeat(maxEmailLength)}.co`,
  `a@${'ñ.'.repeat(80)}es`,
])('%s is no e-mail address', (email) => {
  expect(Object.keys(errorsOf(contactFields, { name: 'x', email, message: 'x' }))).toEqual([
    'email',
  ])
})

test.each(['ñandú@exämple.com', 'josé@example.com', 'ana@españa.es'])(
  'of %s is said which letters an e-mail address has not',
  (email) => {
    expect(errorsOf(contactFields, { name: 'x', email, message: 'x' })).toEqual({
      email: fieldErrors.emailLetters,
    })
  },
)

test('a patch names only what changes, and what it names must be good', () => {
  expect(checkPatch(headerFields, { name: ' Ana ' })).toEqual({ ok: true, value: { name: 'Ana' } })
  expect(checkPatch(headerFields, {})).toEqual({ ok: true, value: {} })
  const emptied = { ok: false, errors: { name: fieldErrors.required } }
  expect(checkPatch(headerFields, { name: '' })).toEqual(emptied)
})

test.each([{}, null, 'texto', 7])(
  'in place of a form %j is told in the site’s words',
  (arrived) => {
    const checked = checkValues(headerFields, 'create', arrived)
    const said = checked.ok ? [] : Object.values(checked.errors)
    expect(said.length).toBeGreaterThan(0)
    expect(said.filter((words) => words !== fieldErrors.required)).toEqual([])
  },
)

// Nothing in it waits, so a limit would only tell afterwards that the machine was busy.
test('whatever arrives is answered and never thrown', { timeout: 0 }, () => {
  const fields = sections[0]?.fields ?? {}
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.anything())
  const names = Object.fromEntries(Object.keys(fields).map((name) => [name, value]))
  const input = fc.oneof(fc.anything(), fc.record(names, { requiredKeys: [] }))
  fc.assert(
    fc.property(input, (arrived) => {
      const checked = checkValues(fields, 'create', arrived)
      const again = checked.ok ? checkValues(fields, 'create', checked.value) : checked
      expect(again).toEqual(checked)
    }),
  )
})
