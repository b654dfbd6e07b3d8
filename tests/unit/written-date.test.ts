import { expect, test } from 'vitest'
import { dateInWords, dayTyped } from '#client/owner/settings/written-date.ts'

const today = new Date(2026, 10, 22)

test.each([
  ['12 de diciembre de 2026', '2026-12-12'],
  ['  1 de  Septiembre de 2027 ', '2027-09-01'],
  ['1 de setiembre de 2027', '2027-09-01'],
  ['5/3/2027', '2027-03-05'],
  ['05-03-2027', '2027-03-05'],
  ['2026-12-31', '2026-12-31'],
  // Without a year, the next one to come.
  ['24 de diciembre', '2026-12-24'],
  ['22 de noviembre', '2026-11-22'],
  ['21 de noviembre', '2027-11-21'],
  // What is no day is left for the check to refuse.
  ['31 de febrero de 2027', '2027-02-31'],
  ['el jueves', 'el jueves'],
  ['12 de brumario de 2026', '12 de brumario de 2026'],
  ['', ''],
])('%j is the day %j', (typed, day) => {
  expect(dayTyped(typed, today)).toBe(day)
})

test('a day in words is read back as the same day', () => {
  for (let month = 1; month <= 12; month++) {
    const day = `2028-${String(month).padStart(2, '0')}-29`
    expect(dayTyped(dateInWords(day), today)).toBe(day)
  }
  expect(dateInWords('31 de brumario')).toBe('31 de brumario')
  expect(dateInWords('')).toBe('')
})
