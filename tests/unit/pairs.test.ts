import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Which files of tests do not run as two processes: a name that no file has any more would leave out whatever takes it next. */

test('each file that does not run as a pair is there, and says why', () => {
  const text = readFileSync('tests/api/not-paired.json', 'utf8')
  const notPaired = JSON.parse(text) as Readonly<Record<string, string>>
  const files = readdirSync('tests/api').map((name) => name.replace('.test.ts', ''))
  expect(Object.keys(notPaired).filter((name) => !files.includes(name))).toEqual([])
  expect(Object.entries(notPaired).filter(([, why]) => why.length < 10)).toEqual([])
})
