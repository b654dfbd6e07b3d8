import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startListener } from '#tests/support/listener.ts'
import { sendRaw } from '#tests/support/raw-http.ts'

const files = {
  'assets/main-AbCd1234.js': 'export const a = 1\n'.repeat(50),
  'assets/main-AbCd1234.js.map': '{}',
  'assets/text-AbCd1234.woff2': 'font',
  'sw.js': 'self',
  'manifest.webmanifest': '{}',
  'og.png': 'png',
  '.env': 'SECRET=1',
  '.vite/manifest.json': '{}',
  'index.html': '<!--app-->',
  'notes.md': 'notes',
}

test('hashed files never change, the rest is asked for again', async () => {
  const { url } = await startListener({ files })
  const caching = async (path: string) => (await fetch(url + path)).headers.get('cache-control')
  expect(await caching('/assets/main-AbCd1234.js')).toBe('public, max-age=31536000, immutable')
  expect(await caching('/sw.js')).toBe('no-cache')
  expect(await caching('/manifest.webmanifest')).toBe('no-cache')
  expect(await caching('/og.png')).toBe('public, max-age=86400')
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['BR', 'br'],
  ['identity', null],
  ['gzip;q=0.0', null],
  ['*', null],
])('a reader that accepts "%s" gets %s', async (accepted, encoding) => {
  const { url } = await startListener({ files })
  const path = `${url}/assets/main-AbCd1234.js`
  const answer = await fetch(path, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(await answer.text()).toBe(files['assets/main-AbCd1234.js'])
})

test('the compressed copy that the build made is the one sent', async () => {
  const brotli = brotliCompressSync('made by the build')
  const made = { 'a.js': 'served plain', 'a.js.br': brotli }
  const { url } = await startListener({ files: made })
  const answer = await fetch(`${url}/a.js`, { headers: { 'accept-encoding': 'br' } })
  expect(await answer.text()).toBe('made by the build')
})

test('fonts and pictures are sent as they are', async () => {
  const { url } = await startListener({ files })
  const path = `${url}/assets/text-AbCd1234.woff2`
  const answer = await fetch(path, { headers: { 'accept-encoding': 'br, gzip' } })
  expect(answer.headers.get('content-type')).toBe('font/woff2')
  expect(answer.headers.has('content-encoding') || answer.headers.has('vary')).toBe(false)
})

test('a file a reader already has is not sent again', async () => {
  const { url } = await startListener({ files })
  const etag = (await fetch(`${url}/og.png`)).headers.get('etag') ?? ''
  for (const held of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const answer = await fetch(`${url}/og.png`, { headers: { 'if-none-match': held } })
    expect(answer.status).toBe(304)
  }
  const other = await fetch(`${url}/og.png`, { headers: { 'if-none-match': '"other"' } })
  expect(other.status).toBe(200)
})

test.each([
  '/.env',
  '/%2eenv',
  '/.vite/manifest.json',
  '/assets/main-AbCd1234.js.map',
  '/assets/main-AbCd1234.js.br',
  '/assets/',
  '/assets',
  '/notes.md',
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets/../.env',
  '/og.png/',
  '/og.png.',
  '/og.png%00',
  '//og.png',
  '/%E0%A4%A',
])('%s is not served', async (path) => {
  const { port } = await startListener({ files })
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  expect(await sendRaw(port, request)).toMatch(/^HTTP\/1\.1 404 /)
})
