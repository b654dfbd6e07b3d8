import { expect, test } from 'vitest'
import { isEntryId, parseEntries, parseEntry, parsePerson } from '#contract/api.ts'
import { sections } from '#contract/sections/index.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const [section] = sections

test.each([id, '1', '900719925474099'])('%s is an id', (text) => {
  expect(isEntryId(text)).toBe(true)
})

test.each(['', '0', '-1', '1.5', '../1', id.toUpperCase(), `${id}0`, '9007199254740993'])(
  '%j is no id',
  (text) => {
    expect(isEntryId(text)).toBe(false)
  },
)

test('a number is an id too, and fields of another kind are dropped', () => {
  const entry =
    section && parseEntry(section, { id: 7, version: 1, name: 'x', other: 'y', repo: 3 })
  expect(entry?.id).toBe('7')
  expect(entry?.fields).toMatchObject({ name: 'x', repo: '' })
  expect(entry?.fields).not.toHaveProperty('other')
})

test.each([null, 'x', [], {}, { id }, { id: 'x', version: 1 }, { id: {}, version: 1 }])(
  '%j is no entry',
  (json) => {
    expect(() => section && parseEntry(section, json)).toThrow(TypeError)
  },
)

test('a list answer is a list', () => {
  expect(section && parseEntries(section, [])).toEqual([])
  expect(() => section && parseEntries(section, {})).toThrow(TypeError)
})

test('a profile needs a version', () => {
  expect(parsePerson({ id: 1, version: 2, name: 'Ana' }).fields['name']).toBe('Ana')
  expect(() => parsePerson({ id: 1 })).toThrow(TypeError)
})
