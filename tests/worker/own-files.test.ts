import { expect, test, vi } from 'vitest'
import { onlyOwnFiles } from '#sw/later-files.ts'

vi.mock('workbox-precaching', () => ({
  getCacheKeyForURL: (file: string) => (file.includes('strange') ? undefined : file),
  matchPrecache: async () => undefined,
}))

const script = '/assets/main-a.js'
const html = { 'Content-Type': 'text/html; charset=utf-8' }
const javascript = { 'Content-Type': 'text/javascript; charset=utf-8' }

/** Whether the version that is being installed takes this for one of its files. */
async function isTaken(response: Response): Promise<boolean> {
  const taken = await onlyOwnFiles({ response } as never)
  return taken === response && !response.bodyUsed
}

test.each([
  ['a script', javascript, 'let a'],
  ['a sheet', { 'Content-Type': 'text/css' }, 'a{}'],
  ['the shell', html, `<script src="${script}"></script>`],
])('%s of its own is taken', async (_, headers, body) => {
  expect(await isTaken(new Response(body, { headers }))).toBe(true)
})

test.each([
  ['a portal’s page', 200, html, '<h1>Portal</h1>'],
  ['the shell of another version', 200, html, '<script src="/assets/strange-b.js"></script>'],
  ['the site’s page for what is not there', 404, html, `<script src="${script}"></script>`],
  ['an answer of trouble', 503, javascript, ''],
])('%s is not let in with a version', async (_, status, headers, body) => {
  expect(await isTaken(new Response(body, { status, headers }))).toBe(false)
})

test('nor is an answer without content', async () => {
  expect(await isTaken(new Response(null, { status: 204 }))).toBe(false)
})
