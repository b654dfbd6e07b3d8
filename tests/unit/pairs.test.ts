import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Which files of tests do not run as two processes: a name that no file has any more would leave out whatever takes it next. */

test('each file that does not run as a pair is there, and says why', () => {
  const config = readFileSync('vite.config.ts', 'utf8')
  const [, list = ''] = /const notPaired[^{]*\{\n([^}]*)\n\}/.exec(config) ?? []
  const lines = list.split('\n').map((line) => /^ {2}'?([a-z-]+)'?: '.{10,}',$/.exec(line)?.[1])
  expect(lines.length).toBeGreaterThan(30)
  const files = readdirSync('tests/api').map((name) => name.replace('.test.ts', ''))
  expect(lines.filter((name) => !files.includes(name ?? ''))).toEqual([])
})
