import { vi } from 'vitest'
import type { FakeAnswer, FakeApi, FakeRequest } from './fake-api.ts'
import type { Random } from '../support/random.ts'
import { ownAnswer, problemBody } from '../support/answers.ts'

/** What a closed page's code meets wherever it turns. */
export class PageClosed extends Error {}

/** What can be done to the line between the pages and the server. */
interface Line {
  isUp: boolean
  /** Whether answers get lost and come late. */
  isBad: boolean
}

interface BrowserOptions {
  readonly api: FakeApi
  readonly random: Random
}

/** Puts the parts of a browser that the queue uses into Node: locks, channels, calls; all follow the vitest clock. */
export function installBrowser({ api, random }: BrowserOptions) {
  const line: Line = { isUp: true, isBad: true }
  const request = (sent: FakeRequest) => carry(sent, { api, random, line })
  const channels = new Set<Channel>()
  let opening = always

  class Channel extends EventTarget {
    readonly isAlive = opening
    constructor() {
      super()
      channels.add(this)
    }
    postMessage(data: unknown) {
      if (!this.isAlive()) return
      const copy: unknown = structuredClone(data)
      for (const other of channels) {
        if (other === this || !other.isAlive()) continue
        queueMicrotask(() => other.dispatchEvent(new MessageEvent('message', { data: copy })))
      }
    }
  }

  const device = { locks: fakeLocks(), onLine: true }
  vi.stubGlobal('navigator', device)
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('XMLHttpRequest', uploads(request))
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    const sent = { method, path: pathOf(url), headers: new Headers(headers), body: textOf(body) }
    return toResponse(await request(sent))
  })
  return {
    line,
    device,
    /** Runs what opens a page, so that its channel falls silent with it. */
    whileOpening: <T>(isAlive: () => boolean, open: () => T): T => {
      opening = isAlive
      return open()
    },
  }
}

const always = (): boolean => true

/** Resolves after so many milliseconds of the vitest clock. */
export function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function carry(
  sent: FakeRequest,
  { api, random, line }: BrowserOptions & { readonly line: Line },
): Promise<FakeAnswer> {
  await passed(1 + random.below(line.isBad ? 40 : 5))
  const fate = line.isBad ? random.below(100) : 100
  if (!line.isUp || fate < 8) throw new TypeError('no answer')
  if (fate < 13) return { status: 503, json: problemBody('no-disponible') }
  const answer = api.receive(sent)
  await passed(1 + random.below(5))
  // Done, and nobody will hear of it.
  if (fate < 23) throw new TypeError('no answer')
  return answer
}

function fakeLocks() {
  const lasts = new Map<string, Promise<unknown>>()
  return {
    request: <T>(name: string, run: () => Promise<T>): Promise<T> => {
      const turn = (lasts.get(name) ?? Promise.resolve()).then(run)
      lasts.set(
        name,
        turn.catch(() => undefined),
      )
      return turn
    },
  }
}

/** The old way to send, which pictures take for their progress. */
function uploads(request: (sent: FakeRequest) => Promise<FakeAnswer>) {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    readonly #headers = new Headers()
    #target = { method: '', path: '' }
    status = 0
    responseText = ''
    open(method: string, url: string) {
      this.#target = { method, path: pathOf(url) }
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value)
    }
    getResponseHeader(name: string) {
      return ownAnswer({}).headers.get(name)
    }
    send(picture: Blob) {
      void this.#send(picture)
    }
    /** No fate of the line takes as long as an upload may stand still. */
    abort() {
      throw new Error('an upload stood still')
    }
    async #send(picture: Blob) {
      try {
        const body = pictureText(picture)
        const { status, json } = await request({ ...this.#target, headers: this.#headers, body })
        this.status = status
        this.responseText = JSON.stringify(json)
        this.dispatchEvent(new Event('load'))
      } catch {
        this.dispatchEvent(new Event('error'))
      }
      this.dispatchEvent(new Event('loadend'))
    }
  }
}

/** A picture that says what it shows: reading a blob would not follow the clock of the test. */
class TextPicture extends Blob {
  readonly shows: string
  constructor(text: string) {
    super([text], { type: 'image/png' })
    this.shows = text
  }
}

function pictureText(picture: Blob): string {
  if (picture instanceof TextPicture) return picture.shows
  throw new TypeError('not a picture of this test')
}

function toResponse({ status, json }: FakeAnswer): Response {
  return ownAnswer(json, { status })
}

function pathOf(url: string): string {
  return url.replace(/^\/api\//, '').replace(/\?.*/, '')
}

function textOf(body: RequestInit['body']): string {
  return typeof body === 'string' ? body : ''
}
