import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { digestOfSources, isBuilt } from '#build/stamp.ts'
import { copySources, type Sources } from '#tests/support/builds.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

let sources: Sources | undefined
afterEach(() => sources?.remove())

function fresh(): { readonly folder: string; readonly before: string } {
  sources = copySources()
  const { folder } = sources
  return { folder, before: digestOfSources(folder, {}) }
}

test('what was just built is not built again', () => {
  expect(isBuilt('.', {})).toBe(true)
})

test.each([
  [0, ''],
  [3, 'in its own words\n'],
])('a build that ends with %i before a command says %j', (code, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'tintero-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const bin = join(folder, 'npm')
  writeFileSync(bin, `#!/bin/sh\necho in its own words >&2\nexit ${code}\n`, { mode: 0o755 })
  // Another variable of the build, so that there is something to build.
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, VITE_API_BASE: '/otra/' }
  const ended = runToEnd(process.execPath, ['src/build/run.ts', '--version'], {
    encoding: 'utf8',
    env,
  })
  expect([ended.status, ended.stderr]).toEqual([code, said])
})

test('other times of the files change nothing', () => {
  const { folder, before } = fresh()
  utimesSync(join(folder, 'index.html'), new Date(), new Date())
  expect(digestOfSources(folder, { PORT: '1', VITE_WORKER: '' })).toBe(before)
})

test.each([
  ['a changed file', (folder: string) => writeFileSync(join(folder, 'sw/sw.ts'), 'void 0')],
  ['a new file', (folder: string) => writeFileSync(join(folder, 'public/new.txt'), '')],
  [
    'another name',
    (folder: string) => renameSync(join(folder, 'public/og.png'), join(folder, 'public/oh.png')),
  ],
])('%s is built', (_, change) => {
  const { folder, before } = fresh()
  change(folder)
  expect(digestOfSources(folder, {})).not.toBe(before)
})

test('another variable of the build is built, and a folder without a build is', () => {
  const { folder, before } = fresh()
  expect(digestOfSources(folder, { VITE_WORKER: 'off' })).not.toBe(before)
  expect(isBuilt(folder, {})).toBe(false)
})
