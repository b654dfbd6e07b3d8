import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* What is started by hand alone, and would break unseen: that it can begin. What it then does takes minutes. */

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const commands = [...Object.values(scripts), readFileSync('README.md', 'utf8')].join('\n')
const named = (pattern: RegExp) => [
  ...new Set([...commands.matchAll(pattern)].map(([, name = '']) => name)),
]

test('every program that npm or the README starts finds all that it imports', () => {
  const programs = named(/\bnode ((?:src|tests)\/\S+\.ts)/g)
  expect(programs).toContain('tests/picture.ts')
  expect(programs.filter((file) => file.startsWith('tests/bench/')).length).toBeGreaterThan(6)
  const args = ['tests/support/link-programs.ts', ...programs]
  const { status, stderr } = runToEnd(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('every project that npm has Vitest run has tests', () => {
  const projects = named(/--project[ =](\w+)/g)
  expect(projects).toContain('broken')
  const args = ['list', '--filesOnly', ...projects.map((project) => `--project=${project}`)]
  const listed = execFileSync('node_modules/.bin/vitest', args, { encoding: 'utf8' })
  const withTests = [...listed.matchAll(/^\[(\w+)\]/gm)].map(([, project]) => project)
  expect(projects.filter((project) => !withTests.includes(project))).toEqual([])
})
