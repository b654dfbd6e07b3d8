import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles, withoutComments } from '#tests/support/source.ts'

/*
 * The map of the house and its check in one: folder → what its files may import, as folders, files or packages.
 * The longest folder that holds a file decides; a file may always import its own folder.
 */
const server = ['src/contract', 'src/server/log.ts', 'src/server/config.ts', 'node:']
const page = ['src/contract', 'react']
const below = ['ui', 'platform', 'data', 'styles'].map((room) => `src/client/${room}`)
/** Refusals and HTML are spoken everywhere on the server. */
const spoken = ['src/server/http/problem.ts', 'src/server/http/escape.ts']
const workbox = [
  'cacheable-response',
  'core',
  'expiration',
  'precaching',
  'routing',
  'strategies',
].map((part) => `workbox-${part}`)
const rooms: Readonly<Record<string, readonly string[]>> = {
  'src/contract': ['valibot'],
  'src/client/ui': [...page],
  'src/client/platform': ['src/contract', 'workbox-window'],
  'src/client/platform/firebase': ['src/contract', 'src/client/platform', '@firebase/'],
  'src/client/data': [...page, 'src/client/platform', '@tanstack/', 'idb-keyval', 'uuid'],
  'src/client/sections': [...page, ...below, '@tanstack/', 'uuid'],
  'src/client/screens': [...page, ...below, 'src/client/sections', '@tanstack/', 'uuid'],
  'src/client': [...page, 'src/client/', 'react-dom', '@tanstack/'],
  'src/server/db': [...server, 'kysely', 'pg', 'uuid'],
  'src/server/auth': [...server, ...spoken, 'src/server/db', 'kysely', 'uuid'],
  'src/server/firebase': [...server, 'valibot', 'jose'],
  'src/server/jobs': [...server, 'src/server/db', 'kysely', 'uuid'],
  'src/server/messages': [...server, 'src/server/db', 'src/server/jobs'],
  'src/server/push': [
    ...server,
    ...['db', 'jobs', 'firebase'].map((room) => `src/server/${room}`),
    'uuid',
    'valibot',
    'web-push',
  ],
  'src/server/images': [...server, ...spoken, 'src/server/db', 'kysely', 'sharp', 'saxes'],
  'src/server/typed-title': [...server, ...spoken, 'subset-font'],
  'src/server/http': [...server, 'src/server/', 'hono', '@hono/', 'kysely', 'uuid', 'valibot'],
  sw: ['src/contract', 'idb-keyval', ...workbox, '#sw-push'],
  'src/server': ['src/contract', 'src/server/', 'node:', 'hono', '@hono/', 'valibot', 'vite'],
}
/** The only places that read the machine's settings. */
const readsEnvironment =
  /^(?:src\/server\/(?:main|dev|cli|config|serve)\.ts|tests\/|vite\.config\.ts)/
const homes = {
  '#contract': 'src/contract',
  '#client': 'src/client',
  '#server': 'src/server',
  '#sw': 'sw',
  '#tests': 'tests',
}

/** Every rule of the house that the file breaks. */
function violations(path: string, source: string): string[] {
  const code = withoutComments(source)
  const broken = importsOf(code).flatMap((specifier) => importViolations(path, specifier))
  if (/^\s*export (?:\*|\{[^}]*\}) from /m.test(code)) broken.push('passes another file on')
  if (/\/(?:utils?|helpers?|misc|common|lib|hooks|types|constants)(?:\/|\.tsx?$)/.test(path))
    broken.push('is named for no topic')
  if (/process\.env/.test(code) && !readsEnvironment.test(path))
    broken.push('reads the environment')
  if (/[áéíóúüñ¿¡«»]/iu.test(code) && /^src\/(?!contract\/|server\/db\/sample)/.test(path))
    broken.push('has words of its own')
  return broken
}

function importViolations(path: string, specifier: string): string[] {
  if (specifier.startsWith('../../')) return [`climbs: ${specifier}`]
  const target = targetOf(path, specifier)
  const room = Object.keys(rooms)
    .filter((name) => path.startsWith(`${name}/`))
    .toSorted((a, b) => b.length - a.length)[0]
  if (room === undefined || target.startsWith(`${room}/`)) return []
  const allowed = rooms[room]?.some(
    (name) => target === name || target.startsWith(/[/:]$/.test(name) ? name : `${name}/`),
  )
  return allowed ? [] : [`imports ${target}`]
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  const home = Object.entries(homes).find(([name]) => specifier.startsWith(`${name}/`))
  return home ? specifier.replace(home[0], home[1]) : specifier
}

const importsOf = (code: string) =>
  [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^']+)'/g)].flatMap(
    ([, specifier]) => specifier ?? [],
  )

const files = sourceFiles('{src,sw,tests}/**').filter(
  ({ path }) => !path.endsWith('architecture.test.ts'),
)

test('every file keeps to the rules of its folder', () => {
  const broken = files.flatMap(({ path, text }) =>
    violations(path, text).map((rule) => `${path} ${rule}`),
  )
  expect(broken).toEqual([])
  expect(files.length).toBeGreaterThan(50)
})

test.each([
  ['src/contract/a.ts', "import { useState } from 'react'", 'imports react'],
  ['src/contract/a.ts', "import { log } from '#server/log.ts'", 'imports src/server/log.ts'],
  [
    'src/server/http/a.ts',
    "import { render } from '#client/entry-server.tsx'",
    'imports src/client/entry-server.tsx',
  ],
  ['src/server/db/a.ts', "import { app } from '../http/app.ts'", 'imports src/server/http/app.ts'],
  ['src/client/data/a.ts', "import { readFile } from 'node:fs'", 'imports node:fs'],
  [
    'src/client/data/a.ts',
    "const a = import('#client/screens/home.tsx')",
    'imports src/client/screens/home.tsx',
  ],
  [
    'src/client/ui/a.tsx',
    "import { callApi } from '../data/api.ts'",
    'imports src/client/data/api.ts',
  ],
  ['src/client/screens/a.ts', "import { r } from '../router.tsx'", 'imports src/client/router.tsx'],
  ['src/client/screens/a/b.tsx', "import { x } from '../../main.tsx'", 'climbs: ../../main.tsx'],
  ['src/client/ui/index.ts', "export { Button } from './button.tsx'", 'passes another file on'],
  ['src/server/utils/a.ts', 'export const a = 1', 'is named for no topic'],
  ['src/server/db/a.ts', 'export const a = process.env', 'reads the environment'],
  ['src/client/ui/a.tsx', 'export const A = () => <p>Sesión</p>', 'has words of its own'],
])('%s is refused when it says %s', (path, source, rule) => {
  expect(violations(path, source)).toEqual([rule])
})

test.each([
  [
    'src/client/ui/a.ts',
    "// La sesión, import from 'pg'\nexport const a = 'https://x.test' /* ñ */",
  ],
  [
    'src/client/screens/home.tsx',
    "import { texts } from '#contract/texts.ts'\nimport { callApi } from '#client/data/api.ts'",
  ],
  ['src/contract/texts.ts', "export const a = 'Sesión'"],
])('%s may say %s', (path, source) => {
  expect(violations(path, source)).toEqual([])
})
