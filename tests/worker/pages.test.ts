import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownHeader } from '#contract/api.ts'
import { allPagesPath, gap, pageNews, pageSame } from '#contract/offline/kept-page.ts'
import { cacheNames, ownersCache } from '#contract/offline/offline.ts'
import { answerPage, keepPages, renewPage } from '#sw/pages.ts'

const address = 'https://portafolio.test/projects'
const builtFiles = ['/assets/index-a.js', '/assets/index-a.css']

vi.mock('workbox-precaching', () => ({
  getCacheKeyForURL: (file: string) => (builtFiles.includes(file) ? file : undefined),
  matchPrecache: async () => new Response('<style>shell</style>'),
}))

/** As much of the browser's caches as pages need. */
function memoryCaches() {
  const all = new Map<string, Map<string, Response>>()
  const open = (name: string) => {
    const held = all.get(name) ?? new Map<string, Response>()
    all.set(name, held)
    return {
      keys: async () => [...held.keys()].map((url) => ({ url })),
      match: async (url: string) => held.get(url)?.clone(),
      put: async (url: string, response: Response) => void held.set(url, response),
      delete: async (url: string) => held.delete(url),
    }
  }
  return {
    has: async (name: string) => all.has(name),
    open: async (name: string) => open(name),
    match: async (url: string, { cacheName }: { readonly cacheName: string }) =>
      all.get(cacheName)?.get(url)?.clone(),
  }
}

const shell = '<style>shell</style>'
let stored: ReturnType<typeof memoryCaches>

beforeEach(() => {
  stored = memoryCaches()
  vi.stubGlobal('caches', stored)
})
afterEach(() => void vi.unstubAllGlobals())

const page = (words: string, file = 'index-a') =>
  `<!doctype html><html lang="es"><link href="/assets/${file}.css"><script src="/assets/${file}.js"></script>${words}`

interface Drawn {
  readonly words?: string
  readonly file?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Has the server answer with a page of its own. */
function serve({ words = 'alt', file, status = 200, headers }: Drawn = {}) {
  const own = headers ?? { [ownHeader]: '1', ETag: `W/"${words}"` }
  const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => new Response(page(words, file), { status, headers: own }),
  )
  vi.stubGlobal('fetch', asked)
  return asked
}

async function keptWords(): Promise<string | undefined> {
  const kept = await (await stored.open(cacheNames.pages)).match(address)
  return kept?.text()
}

/** What a tab that opens the address is shown, and told. */
async function visit(url = address) {
  const work: Promise<unknown>[] = []
  const told: unknown[] = []
  const event = {
    request: new Request(url),
    resultingClientId: 'tab',
    waitUntil: (promise: Promise<unknown>) => void work.push(promise),
  }
  const get = async () => ({ postMessage: (word: unknown) => void told.push(word) }) as never
  const response = await answerPage(event, { get })
  await Promise.all(work)
  return { text: await response.text(), told }
}

test('a page that the server drew is kept with its moment, under its address alone', async () => {
  const asked = serve()
  await expect(renewPage(address)).resolves.toBe(false)
  expect(await keptWords()).toMatch(/<html data-kept="\d{13}" lang="es">.*alt$/)
  expect(asked).toHaveBeenCalledWith(address, expect.objectContaining({ redirect: 'error' }))
})

test('what is kept is shown at once, and the tab hears whether the server says the same', async () => {
  serve()
  await renewPage(address)
  const same = await visit()
  expect(same.text).toContain('alt')
  expect(same.told).toEqual([pageSame])
  serve({ words: 'neu' })
  const other = await visit()
  expect(other.text).toContain('alt')
  expect(other.told).toEqual([pageNews])
  expect((await visit()).text).toContain('neu')
})

test('silence is told, and leaves what is kept', async () => {
  serve()
  await renewPage(address)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  const { text, told } = await visit()
  expect(text).toContain('alt')
  expect(told).toEqual([pageNews])
  expect(await keptWords()).toContain('alt')
})

test('what was never drawn is the shell, and another query is another page', async () => {
  serve()
  expect(await visit()).toEqual({ text: shell, told: [] })
  await renewPage(address)
  expect((await visit(`${address}?q=1`)).text).toBe(shell)
  expect((await visit(`${address}?desde=app`)).text).toContain('alt')
})

test.each<readonly [what: string, answer: Drawn]>([
  ['is not the site’s', { headers: { ETag: 'W/"neu"' } }],
  ['is not the site’s and says that there is nothing', { status: 404, headers: {} }],
  ['is for one person', { headers: { [ownHeader]: '1', 'Cache-Control': 'private' } }],
  ['says that the server is in trouble', { status: 503 }],
  ['is of another build', { file: 'index-b' }],
])('an answer that %s changes nothing', async (_, answer) => {
  serve()
  await renewPage(address)
  serve({ words: 'neu', ...answer })
  await expect(renewPage(address)).resolves.toBe(false)
  expect(await keptWords()).toContain('alt')
})

test('a page that the site no longer has is forgotten', async () => {
  serve()
  await renewPage(address)
  serve({ status: 404 })
  expect((await visit()).told).toEqual([pageNews])
  expect(await keptWords()).toBeUndefined()
})

test('without a tag nobody knows whether the server says the same', async () => {
  serve({ headers: { [ownHeader]: '1' } })
  await renewPage(address)
  expect((await visit()).told).toEqual([pageNews])
})

test('on the owner’s device nothing of it is kept or shown', async () => {
  serve()
  await renewPage(address)
  await stored.open(ownersCache)
  const asked = serve({ words: 'neu' })
  expect(await visit()).toEqual({ text: shell, told: [] })
  await expect(renewPage(address)).resolves.toBe(false)
  expect(asked).not.toHaveBeenCalled()
})

const { signal } = new AbortController()
const others = ['/about', '/contact'].map((path) => new URL(path, address).href)

/** Has the server answer with all of its pages at once. */
function serveAll(
  pages: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { [ownHeader]: '1' },
) {
  const given = Object.entries(pages).map(([path, text]) => [
    path,
    { text, headers: { ETag: `W/"${path}"`, 'X-Own': `header of ${path}` } },
  ])
  const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () =>
    Response.json(Object.fromEntries(given), { headers }),
  )
  vi.stubGlobal('fetch', asked)
  return asked
}

const keptAt = async (url = '') => (await stored.open(cacheNames.pages)).match(url)

test('pages that are missing come in one answer, each with its own headers and moment', async () => {
  serve()
  await renewPage(address)
  const asked = serveAll({
    '/projects': page('neu'),
    '/about': page(`yo${gap}`),
    '/contact': page('tú'),
  })
  await keepPages([address, ...others], signal)
  expect(asked.mock.calls.map(([url]) => url)).toEqual([allPagesPath])
  expect(await keptWords()).toContain('alt')
  const about = await keptAt(others[0])
  expect(about?.headers.get('etag')).toBe('W/"/about"')
  expect(about?.headers.get('x-own')).toBe('header of /about')
  expect(await about?.text()).toMatch(
    /<html data-kept="\d{13}" lang="es">.*yo<style>shell<\/style>$/,
  )
  expect(await (await keptAt(others[1]))?.text()).toContain('tú')
})

test('news of one page has the others forgotten, which may say on what it no longer says', async () => {
  serve()
  for (const url of [address, ...others]) await renewPage(url)
  expect((await visit()).told).toEqual([pageSame])
  expect((await Promise.all(others.map(keptAt))).filter(Boolean)).toHaveLength(others.length)
  serve({ words: 'neu' })
  expect((await visit()).told).toEqual([pageNews])
  expect(await keptWords()).toContain('neu')
  expect(await Promise.all(others.map(keptAt))).toEqual([undefined, undefined])
})

test('so has one that the site no longer has, but none that nobody answers for', async () => {
  serve()
  for (const url of [address, ...others]) await renewPage(url)
  serve({ status: 503 })
  await visit()
  expect((await Promise.all(others.map(keptAt))).filter(Boolean)).toHaveLength(others.length)
  serve({ status: 404 })
  await visit()
  expect(await Promise.all([address, ...others].map(keptAt))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('what a cache on the way gives has no page forgotten, since it may be of before', async () => {
  serve()
  for (const url of [address, ...others]) await renewPage(url)
  serve({ words: 'neu', headers: { [ownHeader]: '1', ETag: 'W/"neu"', Age: '30' } })
  expect((await visit()).told).toEqual([pageNews])
  expect((await Promise.all(others.map(keptAt))).filter(Boolean)).toHaveLength(others.length)
})

test('one page that is missing is not worth all of them', async () => {
  serve()
  for (const url of others) await renewPage(url)
  const asked = serveAll({ '/projects': page('neu') })
  await keepPages([address, ...others], signal)
  expect(asked).not.toHaveBeenCalled()
})

test('of all pages none is kept that another build drew, that the site has not, or that somebody else sent', async () => {
  serveAll({ '/about': page('yo', 'index-b') })
  await keepPages(others, signal)
  expect(await Promise.all(others.map(keptAt))).toEqual([undefined, undefined])
  serveAll({ '/about': page('yo'), '/contact': page('tú') }, {})
  await keepPages(others, signal)
  expect(await Promise.all(others.map(keptAt))).toEqual([undefined, undefined])
})

test('on the owner’s device nobody asks for all pages', async () => {
  await stored.open(ownersCache)
  const asked = serveAll({ '/about': page('yo'), '/contact': page('tú') })
  await keepPages(others, signal)
  expect(asked).not.toHaveBeenCalled()
})
