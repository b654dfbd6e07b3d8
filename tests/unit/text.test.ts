import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, fill, isBlank, isStorable, lengthOf } from '#contract/text.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })

test('a person counts characters, so an emoji is one', () => {
  expect(lengthOf('año')).toBe(3)
  expect(lengthOf('👍👍')).toBe(2)
})

test('stored text has one form of each letter, one kind of line break and no space around', () => {
  expect(cleanText('  An\u0303o\r\ny\rmes \n')).toBe('Año\ny\nmes')
})

test('cleaning twice changes nothing more', () => {
  fc.assert(fc.property(anyText, (text) => cleanText(cleanText(text)) === cleanText(text)))
})

test.each(['', ' \t\n', '\u200b\u2060', '\ufeff\u00a0'])('%j shows nothing', (text) => {
  expect(isBlank(text)).toBe(true)
})

test('anything visible is not blank', () => {
  expect(isBlank('\u200b.')).toBe(false)
})

test.each(['\u0000', 'a\ud800', '\udc00', '\u001b[31m', '\u2028', '\u0085', '\ufffe', 'a\uffff'])(
  '%j cannot be stored',
  (text) => {
    expect(isStorable(text)).toBe(false)
  },
)

test('what can be stored comes back from UTF-8 as it was', () => {
  const storable = anyText.filter(isStorable)
  fc.assert(fc.property(storable, (text) => Buffer.from(text, 'utf8').toString('utf8') === text))
  expect(isStorable('Línea\n\tcon sangría 👩‍🚀')).toBe(true)
})

test('places are filled by name and unknown ones stay', () => {
  expect(fill('{n} de {total}', { n: 2 })).toBe('2 de {total}')
  expect(fill('{a}', { a: '{b}', b: 'no' })).toBe('{b}')
})
