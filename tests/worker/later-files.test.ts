import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownHeader } from '#contract/api.ts'
import { shellPath } from '#contract/offline/kept-page.ts'
import { keepLaterFiles, keepShell } from '#sw/later-files.ts'

const address = '/assets/later-a.json'

vi.mock('workbox-precaching', () => ({
  getCacheKeyForURL: (file: string) => (file.includes('strange') ? undefined : file),
  matchPrecache: async () => undefined,
}))

const held = new Map<string, Response>()

beforeEach(() => {
  held.clear()
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [...held.keys()].map((key) => ({ url: `https://portafolio.test${key}` })),
      put: async (key: string, response: Response) => void held.set(key, response),
    }),
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** Has the server answer with these files in one. */
function serve(files: unknown) {
  const asked = vi.fn<(url: string) => Promise<Response>>(async () => Response.json(files))
  vi.stubGlobal('fetch', asked)
  return asked
}

test('each file is kept as what it is, under its own name', async () => {
  serve({ 'assets/outbox-a.js': 'let a', 'assets/outbox-a.css': 'a{}', 'icon.svg': '<svg/>' })
  await keepLaterFiles(address)
  expect([...held.keys()]).toEqual(['/assets/outbox-a.js', '/assets/outbox-a.css', '/icon.svg'])
  const [script, sheet, picture] = held.values()
  expect(picture?.headers.get('content-type')).toBe('image/svg+xml')
  expect(picture?.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/)
  expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await script?.text()).toBe('let a')
  expect(sheet?.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('what is not of this version, or of no kind that it knows, is left out', async () => {
  serve({ 'assets/strange-b.js': 'let b', 'assets/a.html': '<p>' })
  await keepLaterFiles(address)
  expect(held.size).toBe(0)
})

test('a device that has the version before fetches only what is new', async () => {
  held.set('/assets/outbox-old.js', new Response(''))
  const asked = serve({})
  await keepLaterFiles(address)
  expect(asked).not.toHaveBeenCalled()
})

test('an answer of somebody else’s keeps nothing', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'))
  await expect(keepLaterFiles(address)).rejects.toThrow(SyntaxError)
  expect(held.size).toBe(0)
})

/** Has the server answer with a page without content that asks for this file. */
function serveShell(
  file: string,
  headers: Readonly<Record<string, string>> = { [ownHeader]: '1' },
) {
  const html = `<script src="/assets/${file}.js"></script>`
  const given = { [shellPath]: { html, headers: { 'Content-Security-Policy': 'its own' } } }
  const asked = vi.fn<() => Promise<Response>>(async () => Response.json(given, { headers }))
  vi.stubGlobal('fetch', asked)
  return asked
}

test('the page without content is kept from the answer with all pages, with its own policy', async () => {
  serveShell('index-a')
  await keepShell()
  const shell = held.get(shellPath)
  expect(await shell?.text()).toContain('index-a')
  expect(shell?.headers.get('content-security-policy')).toBe('its own')
})

test('of another version, or of somebody else’s, it is not', async () => {
  serveShell('strange-b')
  await keepShell()
  serveShell('index-a', {})
  await keepShell()
  expect(held.size).toBe(0)
})

test('nor is all fetched for it where the version before is', async () => {
  held.set(shellPath, new Response(''))
  const asked = serveShell('index-a')
  await keepShell()
  expect(asked).not.toHaveBeenCalled()
})
