import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLaterFiles } from '#sw/later-files.ts'

const address = '/assets/later-a.json'

vi.mock('workbox-precaching', () => ({
  getCacheKeyForURL: (file: string) => (file.includes('strange') ? undefined : file),
}))

const held = new Map<string, Response>()

beforeEach(() => {
  held.clear()
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [...held.keys()],
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
  serve({ 'assets/outbox-a.js': 'let a', 'assets/outbox-a.css': 'a{}' })
  await keepLaterFiles(address)
  expect([...held.keys()]).toEqual(['/assets/outbox-a.js', '/assets/outbox-a.css'])
  const [script, sheet] = held.values()
  expect(script?.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(await script?.text()).toBe('let a')
  expect(sheet?.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('what is not of this version, or no script or sheet, is left out', async () => {
  serve({ 'assets/strange-b.js': 'let b', 'assets/a.svg': '<svg/>' })
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
