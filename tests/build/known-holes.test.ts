import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* Which holes of an audit's report stop a build: those of weight, in what ships. */

const program = resolve('src/build/known-holes.ts')

type Severities = Readonly<Record<string, string>>

/** What the filter says of a report in which these packages have holes of this weight. */
function judge(holes: Severities, cwd = '.') {
  const vulnerabilities = Object.fromEntries(
    Object.entries(holes).map(([name, severity]) => [name, { name, severity }]),
  )
  const { status, stdout, stderr } = runToEnd(process.execPath, [program], {
    cwd,
    encoding: 'utf8',
    input: JSON.stringify({ auditReportVersion: 2, vulnerabilities }),
  })
  const [, ...named] = stdout.trimEnd().split('\n')
  return { status, named: named.toSorted(), stderr }
}

test.each([
  ['a package that is installed with the product', 'sharp'],
  ['one that is bundled, and that npm takes for a tool', 'hono'],
  ['one of which only a part is imported', 'web-push'],
  ["one of the worker's", 'workbox-routing'],
  ['one that only a style sheet names', '@fontsource-variable/instrument-sans'],
  ['one that is loaded at its first use', '@simplewebauthn/browser'],
  ['what a bundled one needs', 'scheduler'],
  ['what an installed one needs in turn', 'harfbuzzjs'],
])('a hole in %s stops', (_, name) => {
  for (const severity of ['high', 'critical']) {
    expect(judge({ [name]: severity })).toEqual({
      status: 1,
      named: [`${name}: ${severity}`],
      stderr: '',
    })
  }
})

test('holes in tools, and those of little weight, do not', () => {
  const tools = { vite: 'critical', vitest: 'high', playwright: 'critical', 'fast-check': 'high' }
  const light = { sharp: 'moderate', hono: 'low', pg: 'info' }
  expect(judge({ ...tools, ...light })).toEqual({ status: 0, named: [], stderr: '' })
})

test('every hole that stops is named, and nothing else', () => {
  const { status, named } = judge({ sharp: 'high', vite: 'critical', kysely: 'critical' })
  expect({ status, named }).toEqual({ status: 1, named: ['kysely: critical', 'sharp: high'] })
})

/** A project of these files, with a lock of packages that need these. */
function project(
  files: Readonly<Record<string, string>>,
  needs: Readonly<Record<string, readonly string[]>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-holes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const packages = Object.fromEntries(
    Object.entries(needs).map(([path, names]) => [
      path,
      { dependencies: Object.fromEntries(names.map((name) => [name, '*'])) },
    ]),
  )
  const all = { ...files, 'package-lock.json': JSON.stringify({ packages }) }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

test('what only tools import does not ship; what lies inside another package does', () => {
  const folder = project(
    {
      'src/server/dev.ts': "import { tool } from 'tool'\n",
      'src/build/run.ts': "import { builder } from 'builder'\n",
      'src/server/main.ts': "import { deep } from '@scope/shipped/part.js'\n",
    },
    {
      '': [],
      'node_modules/tool': [],
      'node_modules/builder': [],
      'node_modules/@scope/shipped': ['inner', 'ring'],
      'node_modules/@scope/shipped/node_modules/inner': ['innermost'],
      'node_modules/@scope/shipped/node_modules/innermost': [],
      // Packages that need each other in a ring.
      'node_modules/ring': ['@scope/shipped'],
    },
  )
  const holes = { tool: 'high', builder: 'high', inner: 'high', innermost: 'high', ring: 'high' }
  const { status, named } = judge(holes, folder)
  expect({ status, named }).toEqual({
    status: 1,
    named: ['inner: high', 'innermost: high', 'ring: high'],
  })
})

test('a report that cannot be read is no clean one', () => {
  const { status } = runToEnd(process.execPath, [program], { encoding: 'utf8', input: 'no json' })
  expect(status).toBe(1)
})
