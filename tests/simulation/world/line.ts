import type { Clock } from './clock.ts'
import type { Random } from '#tests/support/random.ts'
import type { Site, SiteAnswer, SiteRequest } from './site.ts'

/** What somebody on the way answers in the server's place. */
export const strangers = {
  '200 HTML': {
    status: 200,
    type: 'text/html',
    body: '<!doctype html><h1>Bienvenido a la red</h1>',
  },
  '200 JSON': { status: 200, type: 'application/json', body: '{"ok":true}' },
  '204': { status: 204, type: '', body: '' },
  '302 to HTML': { status: 200, type: 'text/html', body: '<h1>Entrar</h1>', redirected: true },
  '401': { status: 401, type: 'text/html', body: '<h1>Login</h1>' },
  '403': { status: 403, type: 'text/html', body: '<h1>Blocked</h1>' },
  '403 JSON': { status: 403, type: 'application/json', body: '{"message":"blocked"}' },
  '404': { status: 404, type: 'text/html', body: '<h1>Not found</h1>' },
  '404 JSON': { status: 404, type: 'application/json', body: '{"error":"not found"}' },
  '409': { status: 409, type: 'text/plain', body: 'conflict' },
  '412': { status: 412, type: 'text/html', body: '<h1>Precondition failed</h1>' },
  '502': { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' },
  '503 JSON': { status: 503, type: 'application/json', body: '{"error":"busy"}' },
} as const satisfies Readonly<Record<string, SiteAnswer>>

export type Stranger = keyof typeof strangers

/**
 * What becomes of a call. Of the strangers' answers each may come before the server was asked, or in place of the answer that
 * it gave.
 */
export type Fate =
  | { readonly is: 'request lost' | 'answer lost' | 'answer cut' | 'silence' | 'answered silence' }
  /** The server hears of it long after everybody has given up. */
  | { readonly is: 'late' }
  /** A picture's bytes stop coming in the middle; nothing else has a body long enough to be cut. */
  | { readonly is: 'body cut' }
  | { readonly is: 'stranger'; readonly answer: Stranger; readonly isAfter: boolean }

/** How a call ends for the page: an answer, the browser's word that there was none, or nothing at all. */
export type End = SiteAnswer | 'broken' | 'silence'

interface LineOptions {
  readonly clock: Clock
  readonly site: Site
  readonly random: Random
  readonly trace?: ((what: string) => void) | undefined
}

export interface Trouble {
  readonly fate: Fate
  /** How many more calls it befalls; a portal or a filter stands there until it is taken away. */
  left: number
  /** Only writes, or reads too. */
  readonly isOfAll: boolean
}

export type Line = ReturnType<typeof createLine>

/** The way between the devices and the server, with what happens to calls on it. */
export function createLine({ clock, site, random, trace }: LineOptions) {
  let trouble: Trouble | undefined

  function fateOf({ method }: SiteRequest): Fate | undefined {
    if (!trouble || (method === 'GET' && !trouble.isOfAll)) return undefined
    const { fate } = trouble
    trouble.left--
    if (trouble.left <= 0) trouble = undefined
    return fate
  }

  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

  async function carry(request: SiteRequest): Promise<End> {
    const end = await take(request)
    const { method, path, body } = request
    const sent = typeof body === 'string' ? body : ''
    trace?.(
      `${method} ${path} ${sent} ${request.headers['if-match'] ?? ''} → ${typeof end === 'string' ? end : `${end.status} ${end.body.slice(0, 160)}`}`,
    )
    return end
  }

  async function take(request: SiteRequest): Promise<End> {
    await wait(2 + random.below(30))
    const fate = fateOf(request)
    if (!site.isUp()) return 'broken'
    switch (fate?.is) {
      case 'request lost':
        return 'broken'
      case 'silence':
        return 'silence'
      case 'late':
        clock.after(45_000, () => void site.answer(request).catch(() => undefined))
        return 'silence'
      case 'stranger':
        if (!fate.isAfter) return strangers[fate.answer]
        break
      case 'body cut':
        if (request.body instanceof Blob) {
          await site.answer({ ...request, isCut: true })
          return 'broken'
        }
        break
      case 'answer lost':
      case 'answer cut':
      case 'answered silence':
      case undefined:
    }
    const answer = await site.answer(request)
    await wait(1 + random.below(8))
    if (answer === 'broken' || fate?.is === 'answer lost') return 'broken'
    if (fate?.is === 'answer cut') return { ...answer, body: 'cut' }
    if (fate?.is === 'answered silence') return 'silence'
    return fate?.is === 'stranger' ? strangers[fate.answer] : answer
  }

  return {
    carry,
    befall: (next: Trouble | undefined) => {
      trouble = next && { ...next }
    },
  }
}
