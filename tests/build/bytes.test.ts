import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { brotliCompressSync, constants } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { publicPaths } from '#tests/support/page-paths.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { filesOf, gzipped, readBuilt, readManifest, sum } from '#tests/support/built-client.ts'
import { openSite } from '#tests/support/site.ts'

const kB = 1000
const manifest = readManifest()
const firstScript = filesOf(manifest, 'index.html')
const visitorScripts = [...new Set([...firstScript, ...filesOf(manifest, 'src/client/main.tsx')])]
const sheets = manifest['index.html']?.css ?? []
const assets = readdirSync('dist/client/assets')

/** Whether the file has words that only the owner reads. */
const holds = (file: string) => readBuilt(file).includes(ownerTexts.confirmRemoval)
const inlineStyles = (html: string) =>
  [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = '']) => css).join('')

// Only read from, so one running product serves all tests of this file.
const site = await openSite()
afterAll(() => site.close())
const pages = await Promise.all(
  [...publicPaths, '/login', '/configurar'].map(async (path) => ({
    path,
    html: await (await fetch(site.url + path)).text(),
  })),
)

test('a page asks for at most 4 kB of script before anybody means to use it', () => {
  expect(sum(firstScript.map((file) => gzipped(readBuilt(file))))).toBeLessThanOrEqual(4 * kB)
})

test('all the script of the public pages is at most 125 kB', () => {
  const sizes = visitorScripts.map((file) => gzipped(readBuilt(file)))
  expect(sum(sizes)).toBeLessThanOrEqual(125 * kB)
})

test('the worker is at most 12 kB', () => {
  expect(gzipped(readBuilt('sw.js'))).toBeLessThanOrEqual(12 * kB)
})

test('what the worker fetches for a visitor is at most 196 kB, and nothing of the owner’s', async () => {
  const listed = [...readBuilt('sw.js').matchAll(/url:?"?:?["`']([^"`']+\.\w+)["`']/g)]
  const listOf = (name: string) =>
    assets.find((file) => file.startsWith(`${name}-`) && file.endsWith('.json')) ?? ''
  const [owner, later] = [listOf('owner'), listOf('later')]
  const together = Object.keys(JSON.parse(readBuilt(`assets/${later}`)) as object)
  const all = [...new Set(listed.map(([, url = '']) => url))]
  for (const file of together) expect(all).toContain(file)
  // Her files are named for her devices, and what comes in one answer does not come by itself.
  const files = all.filter((url) => !together.includes(url) && !url.endsWith(owner))
  expect(files).toContain('index.html')
  const owners = Object.keys(JSON.parse(readBuilt(`assets/${owner}`)) as object)
  expect(owners).toContain(manifest['src/client/owner/editor/entry-add.tsx']?.file)
  expect(files.filter((file) => owners.includes(file))).toEqual([])
  const sizes = await Promise.all(files.map((file) => weightOf(`${site.url}/${file}`)))
  expect(sum(sizes)).toBeLessThanOrEqual(196 * kB)
})

/** Body and headers of an answer as a browser gets it, in bytes. */
function weightOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'br', Connection: 'close' } }, (answer) => {
      answer.resume()
      answer.once('error', reject)
      answer.once('end', () => resolve(answer.socket.bytesRead))
    }).once('error', reject)
  })
}

test.each(pages)(
  '$path with the sample content is at most 8 kB of HTML and its styles 12 kB',
  ({ html }) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    expect(brotliCompressSync(html, { params }).length).toBeLessThanOrEqual(8 * kB)
    const behind = sum(sheets.map((file) => gzipped(readBuilt(file))))
    expect(gzipped(inlineStyles(html)) + behind).toBeLessThanOrEqual(12 * kB)
  },
)

test.each(pages)('nothing stands in the way of the first paint of $path', ({ html }) => {
  const [head = '', body = ''] = html.split('</head>')
  expect(head).not.toMatch(/rel="(?:stylesheet|preload|modulepreload)"|<script[^>]* src=/)
  const content = body.indexOf('</main>')
  expect(body.indexOf('rel="stylesheet"')).toBeGreaterThan(content)
  expect(body.indexOf('<script')).toBeGreaterThan(content)
})

test.each(pages)('$path fetches nothing from another host', ({ html }) => {
  const fetching = html.match(/<(?:link|script|img|source|iframe)\b[^>]*>/g) ?? []
  const elsewhere = fetching.filter((tag) => /(?:src|srcset|href)="(?:https?:)?\/\//.test(tag))
  expect(elsewhere.filter((tag) => !tag.startsWith('<link rel="canonical"'))).toEqual([])
})

test('styles and scripts name no other host to fetch from', () => {
  const styles = assets.filter((file) => file.endsWith('.css')).map((file) => `assets/${file}`)
  for (const file of styles) expect(readBuilt(file)).not.toMatch(/url\(["']?(?:https?:)?\/\//)
  // Texts and error messages mention addresses; nothing is fetched from these.
  const mentioned = ['react.dev', 'ejemplo.com', 'www.w3.org']
  for (const file of visitorScripts) {
    const hosts = [...readBuilt(file).matchAll(/https?:\/\/([\w.-]+\.\w+)/g)].map(
      ([, host]) => host,
    )
    expect(hosts.filter((host) => !mentioned.includes(host ?? ''))).toEqual([])
  }
})

const ofSpanish = assets.filter((file) => file.includes('-spanish-'))

test('the fonts of a page in Spanish are at most 23 kB', () => {
  expect(ofSpanish).toHaveLength(2)
  const sizes = ofSpanish.map((file) => readFileSync(`dist/client/assets/${file}`).length)
  expect(sum(sizes)).toBeLessThanOrEqual(23 * kB)
})

test.each(pages)('every letter of $path is in those fonts', ({ html }) => {
  const ranges = [...html.matchAll(/-spanish-[^}]*unicode-range:([^;}]+)/g)].map(([, all = '']) =>
    all
      .split(',')
      .map((range) => range.split('-').map((code) => parseInt(code.replace('U+', ''), 16))),
  )
  expect(ranges).toHaveLength(2)
  const [, body = ''] = html.split('</head>')
  const letters = new Set(body.match(/[\p{L}\p{P}]/gu))
  for (const parts of ranges) {
    const isIn = (letter: string) =>
      parts.some(([first = 0, last = first]) => {
        const code = letter.codePointAt(0) ?? 0
        return first <= code && code <= last
      })
    expect([...letters].filter((letter) => !isIn(letter))).toEqual([])
  }
})

test("a visitor never loads the owner's code, words or styles", () => {
  const scripts = assets.filter((file) => file.endsWith('.js')).map((file) => `assets/${file}`)
  expect(scripts.some(holds)).toBe(true)
  expect(visitorScripts.filter(holds)).toEqual([])
  const ownerSheets = assets.filter((file) => /^(?:owner|login).*\.css$/.test(file))
  expect(ownerSheets).not.toEqual([])
  for (const file of visitorScripts.filter((name) => !firstScript.includes(name))) {
    const chunk = Object.values(manifest).find((candidate) => candidate.file === file)
    expect(chunk?.css ?? []).toEqual([])
  }
})

test('no source map and no manifest of the build is among the files that are served', async () => {
  expect(assets.filter((file) => file.endsWith('.map'))).toEqual([])
  expect((await fetch(`${site.url}/.vite/manifest.json`)).status).toBe(404)
})
