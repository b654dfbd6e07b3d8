import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ageText, withAge } from '#contract/settings/age.ts'
import { parseSetting, settingError, usableSettings } from '#contract/settings/kinds.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'

const birthError = valueErrors.birth.replace('{max}', '130')
const at = (day: string) => new Date(`${day}T00:00Z`)

beforeEach(() => void vi.useFakeTimers({ now: at('2026-11-22') }))
afterEach(() => void vi.useRealTimers())

test.each([
  ['1992-03-14', '2026-03-13', '33 años'],
  ['1992-03-14', '2026-03-14', '34 años'],
  ['1992-03-14', '2026-03-15', '34 años'],
  ['1992-12-31', '2026-01-01', '33 años'],
  ['1992-02-29', '2026-02-28', '33 años'],
  ['1992-02-29', '2026-03-01', '34 años'],
  ['1992-02-29', '2028-02-28', '35 años'],
  ['1992-02-29', '2028-02-29', '36 años'],
  ['2025-11-22', '2026-11-22', '1 año'],
  ['2026-11-21', '2026-11-22', '0 años'],
])('whoever was born on %s is on %s of %s', (birth, today, age) => {
  expect(ageText(birth, at(today))).toBe(age)
  // All of that day, and not before.
  expect(ageText(birth, new Date(`${today}T23:59:59.999Z`))).toBe(age)
})

test.each(['1992-03-14', '1992-02-29', '2026-11-21', '1895-11-23', ''])(
  '«%s» is taken as a birth date',
  (day) => expect(parseSetting('birth_date', day)).toBe(day),
)

test.each([
  '1991-02-29',
  '1992-02-30',
  '1992-13-01',
  '1992-3-4',
  '14/03/1992',
  'ayer',
  '2026-11-22',
  '2026-11-23',
  '2999-01-01',
  '1895-11-22',
  '0001-01-01',
])('«%s» is no birth date', (day) => {
  expect(parseSetting('birth_date', day)).toBeUndefined()
})

test('what is wrong with a birth date is said', () => {
  expect(settingError('birth_date', '1991-02-29')).toBe(birthError)
  expect(settingError('birth_date', '2999-01-01')).toBe(birthError)
  expect(settingError('birth_date', 'x'.repeat(501))).toBe(
    fieldErrors.tooLong.replace('{n}', '500'),
  )
})

test('a source of public settings cannot name a birth date', () => {
  expect(usableSettings({ birth_date: '1992-03-14', age_text: '31' })).toEqual({ age_text: '31' })
  expect(defaultSettings).not.toHaveProperty('birth_date')
})

test('without a birth date the age is what was written', () => {
  const values = { ...defaultSettings, age_text: 'Treinta y tantos' }
  const now = at('2026-11-22')
  expect(withAge(values, '', now)).toEqual(values)
  expect(withAge(values, '1992-03-14', now)).toEqual({ ...values, age_text: '34 años' })
})
