import fc from 'fast-check'
import {
  confirmMs,
  copiedMs,
  durationsOf,
  noticeMs,
  reloadAfterCreateMs,
} from '#contract/durations.ts'
import { expect, test } from 'vitest'
import { maxImageBytes } from '#contract/limits.ts'
import {
  imageLimit,
  originOf,
  parseSetting,
  parseSettings,
  settingError,
  usableSettings,
} from '#contract/settings/kinds.ts'
import { defaultSettings, settingKeys } from '#contract/settings/defaults.ts'
import { bannerEnd, hiddenSections, settingsOf } from '#contract/settings/settings.ts'
import { profilesOf } from '#contract/settings/profiles.ts'
import { fill } from '#contract/text.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'

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
  ['banner_until', '2026-02-30'],
  ['banner_until', '2026-2-3'],
  ['banner_until', '2026-02-03T10:00'],
  ['banner_url', 'data:text/html,x'],
  ['contact_disabled_text', ' '],
  ['typing_color_dark', 'red'],
  ['typing_color_light', ''],
  ['max_image_mb', '0'],
  ['max_image_mb', '11'],
  ['max_image_mb', '2.5'],
  ['config_refresh_minutes', '4'],
  ['config_refresh_minutes', '1e3'],
  ['maintenance_readonly', '1'],
] as const)('%s refuses %j', (key, value) => {
  expect(parseSetting(key, value)).toBeUndefined()
})

test.each([
  ['github_url', ' github.com/x ', 'github.com/x'],
  ['email', 'a@b.co', 'a@b.co'],
  ['default_theme', 'light', 'light'],
  ['banner_text', '', ''],
  ['banner_until', '2028-02-29', '2028-02-29'],
  ['banner_until', '', ''],
  ['typing_color_dark', '#AABBCC', 'aabbcc'],
  ['max_image_mb', '05', '5'],
  ['config_refresh_minutes', '1440', '1440'],
  ['contact_disabled_text', ' Vuelvo en mayo. ', 'Vuelvo en mayo.'],
] as const)('%s takes %j', (key, value, stored) => {
  expect(parseSetting(key, value)).toBe(stored)
})

test('every default is a value that its kind takes, as it stands', () => {
  for (const key of settingKeys)
    expect(parseSetting(key, defaultSettings[key])).toBe(defaultSettings[key])
})

test('how long things stay is as the settings say, and as usual where an older copy says nothing', () => {
  const own = {
    notice_seconds: '7',
    removal_seconds: '9',
    copied_seconds: '1',
    reload_seconds: '4',
  }
  expect(durationsOf(own)).toEqual({ notice: 7000, question: 9000, copied: 1000, reload: 4000 })
  const usual = {
    notice: noticeMs,
    question: confirmMs,
    copied: copiedMs,
    reload: reloadAfterCreateMs,
  }
  expect(durationsOf({})).toEqual(usual)
  expect(durationsOf(defaultSettings)).toEqual(usual)
})

test('a source names only what can be used of it', () => {
  const source = { age_text: '31', max_image_mb: '99', toString: 'x', made_up: 'x' }
  expect(usableSettings(source)).toEqual({ age_text: '31' })
  expect(usableSettings(null)).toEqual({})
})

test('what is wrong with a number says its bounds', () => {
  expect(settingError('max_image_mb', '99')).toBe(fill(valueErrors.number, { min: 1, max: 10 }))
  expect(settingError('banner_until', 'mañana')).toBe(valueErrors.date)
})

test('the largest picture never exceeds what the server takes at all', () => {
  expect(imageLimit(defaultSettings)).toBe(maxImageBytes)
  expect(imageLimit(parseSettings({ max_image_mb: '2' }))).toBe(2 * 1024 * 1024)
})

test.each([null, 'text', [], {}, { age_text: '31' }])('%j is no answer with settings', (answer) => {
  expect(() => settingsOf(answer)).toThrow(TypeError)
  expect(settingsOf({ ...defaultSettings })).toEqual(defaultSettings)
})

test('a value tells where it comes from', () => {
  expect(originOf('default_theme', 'dark')).toBe('default')
  expect(originOf('default_theme', 'light')).toBe('own')
  expect(originOf('default_theme', 'dark', { default_theme: 'dark' })).toBe('firebase')
})

test('a notice is over when its last day has ended everywhere', () => {
  const values = { ...defaultSettings, banner_until: '2026-12-31' }
  expect(new Date(bannerEnd(values)).toISOString()).toBe('2027-01-01T11:59:00.000Z')
  expect(bannerEnd(defaultSettings)).toBe(Infinity)
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
  const hidden = (settings: object) => hiddenSections({ ...defaultSettings, ...settings })
  const waiting = ['certificate', 'language']
  expect(hidden({ sections_hidden: ' skill, ,proyect' })).toEqual(['skill', 'proyect', ...waiting])
  expect(hidden({})).toEqual(waiting)
  expect(hidden({ sections_shown: 'language' })).toEqual(['certificate'])
  expect(hidden({ sections_shown: 'nothing, certificate,language' })).toEqual([])
})

test('settings that a device kept before there were further ones are read all the same', () => {
  const { sections_shown: _, profile_urls: __, ...older } = defaultSettings
  expect(hiddenSections(older)).toEqual(['certificate', 'language'])
  expect(profilesOf({ ...older, github_url: 'github.com/lucia' })).toHaveLength(1)
})

test('further profiles are addresses, one a line, each once and not too many', () => {
  const list = 'https://gitlab.com/lucia\nmastodon.social/@lucia'
  expect(parseSetting('profile_urls', ` ${list} \r\n\n  mastodon.social/@lucia`)).toBe(list)
  expect(parseSetting('profile_urls', '')).toBe('')
  expect(parseSetting('profile_urls', `${list}\njavascript:alert(1)`)).toBeUndefined()
  expect(parseSetting('profile_urls', `${list}\nmi página`)).toBeUndefined()
  const many = (n: number) => Array.from({ length: n }, (_, i) => `example.com/${i}`).join('\n')
  expect(parseSetting('profile_urls', many(12))).toBe(many(12))
  expect(parseSetting('profile_urls', many(13))).toBeUndefined()
  expect(parseSetting('profile_urls', `example.com/${'a'.repeat(2000)}`)).toBeUndefined()
  expect(settingError('profile_urls', many(13))).toContain('12')
})

test('profiles are shown in one order, each once, and only where they lead somewhere', () => {
  const github_url = 'https://www.github.com/lucia/'
  const profile_urls = `${github_url}\nhttps://gitlab.com/lucia?tab=a\nmastodon.social/@lucia`
  const shown = profilesOf({ linkedin_url: 'javascript:x', github_url, profile_urls })
  expect(shown.map(({ icon, label, address }) => [icon, label, address])).toEqual([
    ['github', 'GitHub', 'github.com/lucia'],
    ['user', 'gitlab.com', 'gitlab.com/lucia?tab=a'],
    ['user', 'mastodon.social', 'mastodon.social/@lucia'],
  ])
})
