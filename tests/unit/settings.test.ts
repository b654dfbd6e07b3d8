import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultSettings,
  hiddenSections,
  parseSetting,
  parseSettings,
  settingKeys,
} from '#contract/settings.ts'

test('absent and refused values take their defaults', () => {
  const parsed = parseSettings({ default_theme: 'blue', contact_enabled: 'false', other: 'x' })
  expect(parsed).toEqual({ ...defaultSettings, contact_enabled: 'false' })
})

test.each([
  ['github_url', 'javascript:alert(1)'],
  ['email', 'nobody'],
  ['default_theme', ''],
  ['contact_enabled', 'yes'],
  ['banner_text', 'x'.repeat(501)],
  ['banner_text', 'x\u0000'],
  ['banner_text', 7],
] as const)('%s refuses %j', (key, value) => {
  expect(parseSetting(key, value)).toBeUndefined()
})

test.each([
  ['github_url', ' github.com/x ', 'github.com/x'],
  ['email', 'a@b.co', 'a@b.co'],
  ['default_theme', 'light', 'light'],
  ['banner_text', '', ''],
] as const)('%s takes %j', (key, value, stored) => {
  expect(parseSetting(key, value)).toBe(stored)
})

test('whatever arrives becomes a full set that reads back the same', () => {
  const values = Object.fromEntries(settingKeys.map((key) => [key, fc.string()]))
  const arrived = fc.oneof(fc.anything(), fc.record(values, { requiredKeys: [] }))
  fc.assert(
    fc.property(arrived, (input) => {
      const parsed = parseSettings(input)
      expect(Object.keys(parsed)).toEqual(settingKeys)
      expect(parseSettings(parsed)).toEqual(parsed)
    }),
  )
})

test('hidden sections are a list of keys', () => {
  expect(hiddenSections({ ...defaultSettings, sections_hidden: ' skill, ,proyect' })).toEqual([
    'skill',
    'proyect',
  ])
})
