import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { cliTexts } from '#contract/texts/cli.ts'
import { typedTitleUrl } from '#contract/typed-title.ts'
import { linkRunTimePackages } from '#tests/support/run-time-packages.ts'
import { startServer } from '#tests/support/server-process.ts'
import { runToEnd } from '#tests/support/run-to-end.ts'

/* What `npm pack` makes, and that it runs with nothing beside it but what it names as its dependencies. */

const folder = mkdtempSync(join(tmpdir(), 'tintero-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

// The build is there already.
const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as readonly [Packed]
const paths = packed.files.map(({ path }) => path)
execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder])
const unpacked = join(folder, 'package')
linkRunTimePackages(unpacked)
const { bin } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
  readonly bin: Readonly<Record<string, string>>
}
// A command by its name, as an installation makes one of what the package names.
const program = join(folder, 'tintero')
for (const [name, file] of Object.entries(bin)) {
  chmodSync(join(unpacked, file), 0o755)
  symlinkSync(join(unpacked, file), join(folder, name))
}

function emptyFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tintero-empty-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('the package holds the built product, its papers and nothing else', () => {
  const outside = paths.filter((path) => !/^dist\/(?:client|server)\//.test(path))
  expect(outside.toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
    'src/README.md',
    'src/deploy/Caddyfile',
    'src/deploy/Dockerfile',
    'src/deploy/Dockerfile.dockerignore',
    'src/deploy/compose.yaml',
    'src/deploy/nginx.conf',
    'src/deploy/tintero.service',
    'src/deploy/varnish.vcl',
  ])
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/client/index.html',
      'dist/client/sw.js',
      'dist/client/.vite/firebase.json',
      'dist/client/.vite/license.md',
      'dist/server/.vite/license.md',
      'dist/server/cli.js',
      'dist/server/entry-server.js',
      'dist/server/font-worker.js',
      'dist/server/main.js',
    ]),
  )
  expect(
    paths.filter((path) => /\.(?:tsx?|map|sqlite|log)$|manifest\.json|stamp$/.test(path)),
  ).toEqual([])
})

test('the papers of what is bundled are in it', () => {
  const papers = readFileSync(join(unpacked, 'dist/server/.vite/license.md'), 'utf8')
  for (const name of ['react-dom', 'hono', 'kysely', 'web-push']) expect(papers).toContain(name)
})

test('no tool is among what it asks to be installed', () => {
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  expect(Object.keys(dependencies)).toEqual([
    '@fontsource-variable/instrument-sans',
    '@fontsource/geist-mono',
    '@simplewebauthn/server',
    'pg',
    'sharp',
    'subset-font',
  ])
  expect(readdirSync(join(unpacked, 'node_modules'))).not.toEqual(expect.arrayContaining(['vite']))
})

test('its program says what runs it, so that its name alone is a command', () => {
  expect(Object.keys(bin)).toEqual(['tintero'])
  expect(readFileSync(program, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node')
})

test('it starts in an empty folder, draws pages, titles and the CV, and makes a backup', async () => {
  const cwd = emptyFolder()
  const server = await startServer({}, [program], cwd)
  onTestFinished(() => void server.stop('SIGKILL'))
  const page = await fetch(server.url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<h1')
  const title = await fetch(server.url + typedTitleUrl('Hola', '002540', 'wide'))
  expect(title.status).toBe(200)
  expect(await title.text()).toContain('font/woff2')
  const cv = await fetch(`${server.url}/cv.pdf`)
  expect([cv.status, cv.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(readdirSync(cwd)).toEqual(['data'])
  const backup = runToEnd(program, ['backup'], { cwd, encoding: 'utf8' })
  expect(backup.stderr).toBe('')
  expect(backup.status).toBe(0)
  expect(await server.stop()).toBe(0)
})

test('every page is drawn from what was in its folder when it started, whatever lies there later', async () => {
  const cwd = emptyFolder()
  cpSync(unpacked, join(cwd, 'tintero'), { recursive: true })
  const env = { PUBLIC_URL: 'https://lucia.example' }
  const pages = ['/', '/about', '/projects', '/cv', '/card', '/login', '/configurar']
  const draw = async (url: string, path: string) => {
    const answer = await fetch(url + path)
    // Each site counts its versions from its own first second.
    return [answer.status, (await answer.text()).replaceAll(/"version":\d+/g, '')].join(' ')
  }
  const whole = await startServer(env, [program], emptyFolder())
  onTestFinished(() => void whole.stop('SIGKILL'))
  const copy = join(cwd, 'tintero/dist/server/cli.js')
  const server = await startServer(env, [process.execPath, copy, 'start'], cwd)
  onTestFinished(() => void server.stop('SIGKILL'))
  rmSync(join(cwd, 'tintero/dist'), { recursive: true })
  const others: string[] = []
  for (const path of pages) {
    if ((await draw(server.url, path)) !== (await draw(whole.url, path))) others.push(path)
  }
  expect(others).toEqual([])
})

test('it tells its version and its commands', () => {
  const run = (word: string) =>
    runToEnd(program, [word], { cwd: emptyFolder(), encoding: 'utf8' }).stdout
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(run('--version').trim()).toBe(version)
  expect(run('help').trim()).toBe(cliTexts.help)
})

test('an installation that lacks a package or the pages says so in a sentence', () => {
  const cwd = emptyFolder()
  for (const part of ['package.json', 'dist/server']) {
    cpSync(join(unpacked, part), join(cwd, part), { recursive: true })
  }
  const start = () => {
    const ended = runToEnd(process.execPath, ['dist/server/cli.js', 'start'], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', PORT: '0' },
    })
    return {
      status: ended.status,
      said: ended.stderr.split('\n')[0],
      rest: ended.stderr.split('\n')[1],
    }
  }
  const [before = '', after = ''] = cliTexts.incomplete.split('{message}')
  const sentence = expect.stringMatching(
    new RegExp(`^${RegExp.escape(before)}.+${RegExp.escape(after)}$`),
  ) as string
  expect(start()).toEqual({ status: 1, said: sentence, rest: '' })
  symlinkSync(join(unpacked, 'node_modules'), join(cwd, 'node_modules'))
  expect(start()).toEqual({ status: 1, said: sentence, rest: '' })
})
