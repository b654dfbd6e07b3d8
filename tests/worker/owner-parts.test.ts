import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownersCache } from '#contract/offline/offline.ts'
import { dropOldParts, keepOwnersParts, renewOwnersParts } from '#sw/owner-parts.ts'

const address = '/assets/owner-b.json'
const site = 'https://portafolio.test'

vi.mock('workbox-precaching', () => ({
  getCacheKeyForURL: () => undefined,
  matchPrecache: async () => undefined,
}))

const held = new Map<string, Response>()
let isOwnersDevice = false
/** The file that the device has no room for. */
let refused = ''

beforeEach(() => {
  held.clear()
  isOwnersDevice = false
  refused = ''
  const cache = {
    keys: async () => [...held.keys()].map((key) => ({ url: `${site}${key}` })),
    match: async (key: string) => held.get(key)?.clone(),
    put: async (key: string, response: Response) => {
      if (key === refused) throw new DOMException('full', 'QuotaExceededError')
      held.set(key, response)
    },
    delete: async (url: string) => held.delete(url.replace(site, '')),
  }
  vi.stubGlobal('location', { href: `${site}/sw.js` })
  vi.stubGlobal('caches', {
    has: async (name: string) => name === ownersCache && isOwnersDevice,
    open: async () => {
      isOwnersDevice = true
      return cache
    },
  })
})
afterEach(() => void vi.unstubAllGlobals())

const files = { 'assets/list-b.js': 'let b', 'assets/login-b.css': 'b{}' }

/** Has the server answer with these files in one. */
function serve(body: unknown) {
  const asked = vi.fn<(url: string) => Promise<Response>>(async () => Response.json(body))
  vi.stubGlobal('fetch', asked)
  return asked
}

test('her parts come in one answer, are kept each by its name, and are not asked for again', async () => {
  const asked = serve(files)
  await keepOwnersParts(address)
  await keepOwnersParts(address)
  expect(asked.mock.calls).toEqual([[address]])
  expect(await held.get('/assets/list-b.js')?.text()).toBe('let b')
  expect(held.get('/assets/login-b.css')?.headers.get('content-type')).toMatch(/^text\/css/)
})

test('what is not wholly kept is no promise, and is asked for again', async () => {
  const asked = serve(files)
  refused = '/assets/login-b.css'
  await expect(keepOwnersParts(address)).rejects.toThrow('full')
  refused = ''
  await keepOwnersParts(address)
  expect(asked).toHaveBeenCalledTimes(2)
  expect(held.has('/assets/login-b.css')).toBe(true)
})

test.each([
  ['a page of somebody else’s', () => new Response('<html>')],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s keeps nothing, and what it was asked for is told so', async (_, answer) => {
  vi.stubGlobal('fetch', async () => answer())
  await expect(keepOwnersParts(address)).rejects.toThrow(Error)
  expect(held.size).toBe(0)
})

test('a new version fetches them on her devices alone', async () => {
  const asked = serve(files)
  await renewOwnersParts(address)
  expect(asked).not.toHaveBeenCalled()
  isOwnersDevice = true
  await renewOwnersParts(address)
  expect(held.has('/assets/list-b.js')).toBe(true)
})

test('what only the version before had is thrown away, and nothing else', async () => {
  serve(files)
  await keepOwnersParts(address)
  const now = [...held.keys()]
  held.set('/assets/owner-a.json', new Response('[]'))
  held.set('/assets/list-a.js', new Response('let a'))
  await dropOldParts(address)
  expect([...held.keys()]).toEqual(now)
})

test('parts of this version that are not there leave none of another one', async () => {
  isOwnersDevice = true
  held.set('/assets/list-a.js', new Response('let a'))
  await dropOldParts(address)
  expect(held.size).toBe(0)
})
