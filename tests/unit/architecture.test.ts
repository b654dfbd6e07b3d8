import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles, withoutComments } from '#tests/support/source.ts'

/*
 * The map of the house and its check in one: folder → what its files may import, as folders, files or packages.
 * The longest folder that holds a file decides; a file may always import its own folder.
 */
const server = [
  'src/contract',
  'src/server/log.ts',
  'src/server/config.ts',
  'src/server/disk/disk.ts',
  'src/server/problem.ts',
  'src/server/serial-queue.ts',
  'src/server/thread.ts',
  'node:',
]
const page = ['src/contract', 'react']
const client = (...names: readonly string[]) => names.map((name) => `src/client/${name}`)
const inServer = (...names: readonly string[]) => names.map((name) => `src/server/${name}`)
const shared = client('ui', 'browser', 'data', 'drafts', 'session', 'styles')
/** HTML is spoken everywhere on the server, and everywhere a crowd may wait. */
const spoken = inServer('edge/escape.ts', 'edge/fair-queue.ts')
/** What the routes of every domain are made of. */
const calls = [...inServer('services.ts', 'api', 'edge', 'db'), 'hono', 'kysely', 'uuid', 'valibot']
const workbox = ['cacheable-response', 'core', 'expiration', 'precaching', 'strategies'].map(
  (part) => `workbox-${part}`,
)
const rooms: Readonly<Record<string, readonly string[]>> = {
  'src/build': ['vite', 'vite-plugin-pwa', 'node:', 'subset-font', 'src/contract'],
  'src/contract': ['valibot'],
  'src/client/ui': [...page],
  'src/client/browser': ['src/contract', 'src/client/ui/store.ts', 'idb-keyval'],
  'src/client/browser/firebase': ['src/contract', 'src/client/browser', 'firebase'],
  'src/client/data': [...page, ...client('browser', 'ui'), '@tanstack/', 'idb-keyval', 'uuid'],
  'src/client/drafts': ['src/contract', ...client('browser', 'data'), 'idb-keyval', 'uuid'],
  'src/client/session': [...page, ...client('browser', 'data'), '@tanstack/', 'idb-keyval', 'uuid'],
  'src/client/site': [
    ...page,
    ...client('ui', 'browser', 'data', 'styles'),
    '@tanstack/',
    'uqr',
    'uuid',
  ],
  'src/client/login': [...page, ...shared, '@simplewebauthn/browser', '@tanstack/', 'idb-keyval'],
  'src/client/outbox': [...page, ...shared, '@tanstack/', 'idb-keyval', 'uuid'],
  'src/client/offline': [
    ...page,
    ...shared,
    'src/client/outbox',
    '@tanstack/',
    'idb-keyval',
    'workbox-window',
  ],
  'src/client/owner': [
    ...page,
    ...shared,
    ...client('login', 'outbox', 'offline', 'site', 'owner'),
    '@simplewebauthn/browser',
    '@zip.js/zip.js',
    'diff',
    'fflate',
    'papaparse',
    'firebase',
    '@tanstack/',
    'idb-keyval',
    'uuid',
  ],
  'src/client/app': [...page, ...client('browser', 'data', 'site'), '@tanstack/'],
  'src/client': [...page, 'src/client/', 'react-dom', '@tanstack/'],
  'src/server/db': [...server, 'kysely', 'pg', 'uuid'],
  'src/server/problem.ts': ['src/contract'],
  'src/server/edge': [
    ...server,
    ...inServer('pages', 'api/env.ts', 'api/etag.ts', 'api/read-cache.ts', 'api/limits.ts'),
    ...inServer('db/errors.ts', 'images/receive.ts', 'messages/plain-form.ts'),
    'hono',
    '@hono/',
    'ipaddr.js',
  ],
  'src/server/pages': [...server, ...inServer('edge', 'resume/cv-pdf.ts', 'site.ts')],
  'src/server/api': [...server, 'src/server/', 'hono', '@hono/', 'kysely', 'uuid', 'valibot'],
  'src/server/entries': [...server, ...calls],
  'src/server/person': [...server, ...calls],
  'src/server/resume': [...server, ...calls, 'src/server/images', 'sharp', 'pdfkit', 'subset-font'],
  'src/server/settings': [...server, ...calls],
  'src/server/access': [...server, ...spoken, ...calls, '@simplewebauthn/server'],
  'src/server/firebase': [...server, ...calls, 'src/server/access', 'jose'],
  'src/server/jobs': [...server, 'src/server/db', 'kysely', 'uuid'],
  'src/server/messages': [...server, ...calls, ...inServer('jobs', 'pages')],
  'src/server/notifications': [
    ...server,
    ...calls,
    ...inServer('jobs', 'firebase'),
    'ipaddr.js',
    'web-push',
  ],
  'src/server/mail': [...server, ...calls, ...inServer('access', 'jobs'), 'nodemailer'],
  'src/server/links': [
    ...server,
    ...calls,
    ...inServer('jobs', 'messages', 'notifications', 'pages'),
  ],
  'src/server/images': [...server, ...spoken, ...calls, 'sharp', 'saxes', 'aws4fetch'],
  'src/server/backup': [
    ...server,
    ...calls,
    ...inServer('images', 'access', 'notifications/tellings.ts'),
    'yauzl',
    'yazl',
  ],
  'src/server/export': [
    ...server,
    ...calls,
    ...inServer('access', 'images', 'pages', 'resume', 'typed-title'),
    'parse5',
    'yazl',
  ],
  'src/server/typed-title': [...server, ...spoken, ...calls, 'src/server/images', 'subset-font'],
  sw: ['src/contract', 'idb-keyval', ...workbox, '#sw-push'],
  'src/server': ['src/contract', 'src/server/', 'node:', 'hono', '@hono/', 'valibot', 'vite'],
}
/** What a room may load later, through `import()`: the doors between what every visitor loads and what comes with need. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'src/client/data': client('session'),
  'src/client/app': client('session', 'outbox', 'offline', 'login', 'owner'),
  'src/client/site': client('drafts', 'session', 'outbox', 'offline', 'login', 'owner'),
  'src/client/outbox': client('owner', 'site'),
  'src/client/offline': client('login', 'owner'),
}
const ownersTexts = [
  'access',
  'bin',
  'copies',
  'hidden',
  'history',
  'import',
  'inbox',
  'links',
  'order',
  'owner',
  'person',
  'setting-words',
  'settings',
  'share',
  'site-copy',
]
/**
 * Who in the client says which texts: whoever imports a file of them loads them. Of no row are those that the server alone
 * says, in mails, on the command line and to devices.
 */
const says: Readonly<Record<string, readonly string[]>> = {
  site: ['src/client'],
  card: client('site'),
  cv: client('site'),
  message: client('outbox'),
  firebase: client('outbox'),
  offline: client('offline', 'owner'),
  'no-login': client('offline'),
  forms: client('outbox', 'login', 'owner'),
  outbox: client('ui/age-text.ts', 'outbox'),
  queue: client('login', 'owner'),
  worker: ['sw'],
  ...Object.fromEntries(ownersTexts.map((name) => [name, client('owner')])),
}
/** The only places that read the machine's settings. */
const readsEnvironment =
  /^(?:src\/server\/(?:main|dev|cli|config|serve)\.ts|src\/build\/run\.ts|tests\/|vite\.config\.ts)/
/** What browsers close to a page; only these files ask for it, so that a refusal is met in one place. */
const closable =
  /\b(?:localStorage|sessionStorage|indexedDB|caches|new BroadcastChannel)\b|createStore\b[^;]*'idb-keyval'|\bnavigator\.(?:serviceWorker|locks|storage)\b/
const asksForClosable =
  /^(?:sw\/|tests\/|src\/server\/export\/site-copy\.ts|src\/client\/browser\/(?:closable|database|locks|early\/(?:web-storage|kept-page))\.ts)/
const homes = {
  '#build': 'src/build',
  '#contract': 'src/contract',
  '#client': 'src/client',
  '#server': 'src/server',
  '#sw': 'sw',
  '#tests': 'tests',
}

/** Every rule of the house that the file breaks. */
function violations(path: string, source: string): string[] {
  const code = withoutComments(source)
  const broken = importsOf(code).flatMap((found) => importViolations(path, found))
  if (/^\s*export (?:\*|\{[^}]*\}) from /m.test(code)) broken.push('passes another file on')
  if (/\/(?:utils?|helpers?|misc|common|lib|hooks|types|constants)(?:\/|\.tsx?$)/.test(path))
    broken.push('is named for no topic')
  if (/process\.env/.test(code) && !readsEnvironment.test(path))
    broken.push('reads the environment')
  if (closable.test(code) && !asksForClosable.test(path)) broken.push('asks for storage itself')
  if (/[áéíóúüñ¿¡«»]/iu.test(code) && /^src\/(?!contract\/|server\/db\/sample)/.test(path))
    broken.push('has words of its own')
  return broken
}

interface Import {
  readonly specifier: string
  /** Through `import()`, or of types alone: nothing is loaded at once. */
  readonly isLight: boolean
}

function importViolations(path: string, { specifier, isLight }: Import): string[] {
  if (specifier.startsWith('../../')) return [`climbs: ${specifier}`]
  const target = targetOf(path, specifier)
  const room = Object.keys(rooms)
    .filter((name) => isIn(path, name))
    .toSorted((a, b) => b.length - a.length)[0]
  if (room === undefined || target.startsWith(`${room}/`)) return []
  if (/^src\/server\/.*[-/]routes\.ts$/.test(target) && room !== 'src/server/api') {
    return [`takes the routes of ${target}`]
  }
  const texts = /^src\/contract\/texts\/(.+)\.ts$/.exec(target)?.[1]
  const isServed = /^src\/(?:contract|server)\//.test(path)
  if (texts !== undefined && !isServed && !isLight) {
    const maySay = says[texts]?.some((name) => isIn(path, name))
    if (!maySay) return [`says ${target}`]
  }
  const allowed = [...(rooms[room] ?? []), ...(isLight ? (doors[room] ?? []) : [])].some((name) =>
    isIn(target, name),
  )
  return allowed ? [] : [`imports ${target}`]
}

/** Whether the file is the one named, or lies in the folder or package named. */
const isIn = (file: string, name: string) =>
  file === name || file.startsWith(/[/:]$/.test(name) ? name : `${name}/`)

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  const home = Object.entries(homes).find(([name]) => specifier.startsWith(`${name}/`))
  return home ? specifier.replace(home[0], home[1]) : specifier
}

const importsOf = (code: string): readonly Import[] =>
  [
    ...code.matchAll(
      /(?:\b(?:import|export) (type )?[^'"();]*?\bfrom|\bimport\s*(\(?))\s*'([^']+)'/g,
    ),
  ].map(([, type, later, specifier = '']) => ({
    specifier,
    isLight: type !== undefined || later === '(',
  }))

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
    'src/server/api/a.ts',
    "import { render } from '#client/entry-server.tsx'",
    'imports src/client/entry-server.tsx',
  ],
  ['src/server/db/a.ts', "import { app } from '../api/app.ts'", 'imports src/server/api/app.ts'],
  ['src/client/data/a.ts', "import { readFile } from 'node:fs'", 'imports node:fs'],
  [
    'src/client/data/a.ts',
    "const a = import('#client/site/home.tsx')",
    'imports src/client/site/home.tsx',
  ],
  [
    'src/client/ui/a.tsx',
    "import { callApi } from '../data/api.ts'",
    'imports src/client/data/api.ts',
  ],
  [
    'src/client/site/a.ts',
    "import { r } from '../app/router.tsx'",
    'imports src/client/app/router.tsx',
  ],
  [
    'src/client/site/a.ts',
    "import { add } from '#client/outbox/outbox.ts'",
    'imports src/client/outbox/outbox.ts',
  ],
  [
    'src/client/outbox/a.ts',
    "import { tell } from '#client/owner/changes/tell-owner.ts'",
    'imports src/client/owner/changes/tell-owner.ts',
  ],
  [
    'src/server/messages/a.ts',
    "import { routes } from '../images/routes.ts'",
    'takes the routes of src/server/images/routes.ts',
  ],
  [
    'src/server/messages/a.ts',
    "import { routes } from '../access/passkey-routes.ts'",
    'takes the routes of src/server/access/passkey-routes.ts',
  ],
  ['src/server/problem.ts', "import { log } from './log.ts'", 'imports src/server/log.ts'],
  [
    'src/server/edge/a.ts',
    "import { createAuth } from '../access/auth.ts'",
    'imports src/server/access/auth.ts',
  ],
  [
    'src/server/pages/a.ts',
    "import { openDb } from '../db/open.ts'",
    'imports src/server/db/open.ts',
  ],
  [
    'src/client/site/a.tsx',
    "import { ownerTexts } from '#contract/texts/owner.ts'",
    'says src/contract/texts/owner.ts',
  ],
  [
    'src/client/owner/inbox/a.tsx',
    "import { mailTexts } from '#contract/texts/mail.ts'",
    'says src/contract/texts/mail.ts',
  ],
  ['sw/a.ts', "import { texts } from '#contract/texts/site.ts'", 'says src/contract/texts/site.ts'],
  ['src/client/site/a/b.tsx', "import { x } from '../../main.tsx'", 'climbs: ../../main.tsx'],
  ['src/client/ui/index.ts', "export { Button } from './button.tsx'", 'passes another file on'],
  ['src/server/utils/a.ts', 'export const a = 1', 'is named for no topic'],
  ['src/server/db/a.ts', 'export const a = process.env', 'reads the environment'],
  ['src/client/ui/a.tsx', 'export const A = () => <p>Sesión</p>', 'has words of its own'],
  ['src/client/data/a.ts', "localStorage.setItem('a', 'b')", 'asks for storage itself'],
  ['src/client/browser/a.ts', 'void navigator.storage.persist()', 'asks for storage itself'],
  [
    'src/client/browser/a.ts',
    "import { createStore } from 'idb-keyval'",
    'asks for storage itself',
  ],
  ['src/client/boot.ts', "if ('caches' in globalThis) start()", 'asks for storage itself'],
])('%s is refused when it says %s', (path, source, rule) => {
  expect(violations(path, source)).toEqual([rule])
})

test.each([
  [
    'src/client/ui/a.ts',
    "// La sesión, import from 'pg'\nexport const a = 'https://x.test' /* ñ */",
  ],
  [
    'src/client/site/home.tsx',
    "import { texts } from '#contract/texts/site.ts'\nimport { callApi } from '#client/data/api.ts'",
  ],
  ['src/contract/texts/site.ts', "export const a = 'Sesión'"],
  ['src/client/site/a.ts', "const add = () => import('#client/outbox/outbox.ts')"],
  ['src/client/site/a.ts', "import type { Outbox } from '#client/outbox/outbox.ts'"],
])('%s may say %s', (path, source) => {
  expect(violations(path, source)).toEqual([])
})

/** What two rooms mean by the same name: the page's call of what the server then does, and the two ways a push comes. */
const meantPairs = [
  'changePassword',
  'changeUserName',
  'emptySpam',
  'keepSession',
  'linkPurpose',
  'listenForPush',
  'redeemLink',
  'removeDevice',
  'removeMessage',
  'removePasskey',
  'renamePasskey',
]

test('an exported name is one thing wherever it stands', () => {
  const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
  const homesOf = new Map<string, string[]>()
  for (const { path, text } of files.filter(({ path: at }) => /^(?:src|sw)\//.test(at))) {
    for (const [, name = ''] of text.matchAll(declared)) {
      homesOf.set(name, [...(homesOf.get(name) ?? []), path])
    }
  }
  const twice = [...homesOf].filter(([, paths]) => new Set(paths).size > 1)
  const names = twice.map(([name]) => name)
  expect(twice.filter(([name]) => !meantPairs.includes(name))).toEqual([])
  expect(meantPairs.filter((name) => !names.includes(name))).toEqual([])
})
