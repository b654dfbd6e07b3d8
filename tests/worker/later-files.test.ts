import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownHeader } from '#contract/api.ts'
import { gap, shellPath } from '#contract/offline/kept-page.ts'
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
  await expect(keepLaterFiles(address)).resolves.toBe(true)
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
  await expect(keepLaterFiles(address)).resolves.toBe(false)
  expect(asked).not.toHaveBeenCalled()
})

test('an answer of somebody else’s keeps nothing', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'))
  await expect(keepLaterFiles(address)).rejects.toThrow(SyntaxError)
  expect(held.size).toBe(0)
})

const policyFor = (styles: string) =>
  `default-src 'none'; script-src 'self' 'sha256-s'; style-src 'self' '${styles}' 'sha256-own'`
const visited = 'https://portafolio.test/about'
const clients = { matchAll: async () => [{ url: visited }] } as never
const frame = '<style>a{}</style>'

/** Has the server answer with a page without content that asks for this file, and the browser with the visited page. */
function serveShell(
  file: string,
  { headers = { [ownHeader]: '1' }, styles = 'sha256-a' }: Served = {},
) {
  const text = `${gap}<script src="/assets/${file}.js"></script>`
  const own = { 'Content-Security-Policy': policyFor('sha256-a') }
  const given = { [shellPath]: { text, headers: own } }
  const page = { headers: { 'Content-Security-Policy': policyFor(styles) } }
  vi.stubGlobal('fetch', async (url: string, { cache }: RequestInit = {}) => {
    if (url !== visited) return Response.json(given, { headers })
    if (cache !== 'only-if-cached') throw new TypeError('asked the server for it')
    return new Response(`${frame}<p>Yo</p>`, page)
  })
}

interface Served {
  readonly headers?: Readonly<Record<string, string>>
  /** The hash of the visited page's styles. */
  readonly styles?: string
}

test('the page without content is kept with its own policy, and the frame of the visited page', async () => {
  serveShell('index-a')
  await keepShell(clients)
  const shell = held.get(shellPath)
  expect(await shell?.text()).toBe(`${frame}<script src="/assets/index-a.js"></script>`)
  expect(shell?.headers.get('content-security-policy')).toContain("'sha256-own'")
})

test('of another version, or of somebody else’s, it is not, nor with the frame of another version', async () => {
  serveShell('strange-b')
  await keepShell(clients)
  serveShell('index-a', { headers: {} })
  await keepShell(clients)
  serveShell('index-a', { styles: 'sha256-b' })
  await keepShell(clients)
  expect(held.size).toBe(0)
})
