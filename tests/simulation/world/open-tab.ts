import { createContext, Script } from 'node:vm'
import type { Operation } from '#client/outbox/operation.ts'
import type { ChangeResult } from '#client/outbox/pending-callers.ts'
import {
  abortSignal,
  channels,
  documentOf,
  indexedDbOf,
  uploads,
  whileAlive,
} from './browser-parts.ts'
import { begins, type Clock } from './clock.ts'
import type { Locks, TabEvents } from './device.ts'
import { createArea, type DeviceStorage } from './device-storage.ts'
import type { End, Line } from './line.ts'
import type { Tab } from './page/tab.tsx'
import type { Random } from '#tests/support/random.ts'

export interface Channel {
  readonly name: string
  readonly hear: (data: unknown) => void
}

/** What a tab shares with the others of its browser. */
export interface Room {
  readonly clock: Clock
  readonly random: Random
  readonly line: Line
  readonly storage: DeviceStorage
  readonly locks: Locks
  readonly isOnline: () => boolean
  /** The device's own clock. */
  readonly now: () => number
  readonly join: (channel: Channel) => () => void
  readonly post: (from: Channel, data: unknown) => void
}

interface TabOptions {
  readonly number: number
  readonly room: Room
  readonly script: Script
  readonly path: string
  readonly hears: TabEvents
  /** Session storage of the page that was here before. */
  readonly session: Storage | undefined
  readonly reload: () => void
}

export interface OpenTab {
  readonly number: number
  readonly session: Storage
  /** What a person does in it and sees there. */
  readonly does: Tab
  readonly place: () => string
  readonly dispatch: (event: 'online' | 'offline') => void
  /** Ends the page at this very moment: nothing it began goes on. */
  readonly kill: () => void
  readonly isAlive: () => boolean
}

const dateScript = new Script(`
  Date = class extends Date {
    constructor(...parts) { parts.length === 0 ? super(historyNow()) : super(...parts) }
    static now() { return historyNow() }
  }
  Math.random = () => historyBelow(2 ** 32) / 2 ** 32
`)

/** A page of the product in a world of its own: its own globals, its own modules, the device's storage. */
export function openTab(opening: TabOptions): OpenTab {
  const { number, room, script, path, hears, reload } = opening
  const { clock, random, storage, locks } = room
  const session = opening.session ?? createArea()
  const opened = clock.now()
  const events = new EventTarget()
  const timers = new Map<number, () => void>()
  const leaving: (() => void)[] = []
  let isAlive = true
  let lastTimer = 0

  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const id = ++lastTimer
    const off = clock.after(ms, () => {
      timers.delete(id)
      run(...args)
    })
    timers.set(id, off)
    return id
  }
  const clearTimer = (id: number) => {
    timers.get(id)?.()
    timers.delete(id)
  }
  const setRepeating = (run: () => void, ms: number) => {
    const id = ++lastTimer
    const again = () => {
      timers.set(
        id,
        clock.after(ms, () => {
          again()
          run()
        }),
      )
    }
    again()
    return id
  }

  const request = (sent: Sent) => (isAlive ? call(room, sent) : new Promise<never>(() => undefined))
  const globals: Record<string, unknown> = {
    console: { error: () => undefined, warn: () => undefined },
    historyNow: () => begins + room.now(),
    historyBelow: random.below,
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: setRepeating,
    clearInterval: clearTimer,
    queueMicrotask,
    structuredClone,
    performance: { now: () => clock.now() - opened, timeOrigin: 0, mark: () => undefined },
    crypto: {
      getRandomValues: (bytes: Uint8Array) => bytes.map((_, i) => (bytes[i] = random.below(256))),
    },
    fetch: (url: string | URL, init: RequestInit = {}) =>
      request({ url: String(url), init }).then(toResponse(init)),
    XMLHttpRequest: uploads(request),
    indexedDB: indexedDbOf(storage.indexedDB, { isAlive: () => isAlive, leaving }),
    IDBKeyRange: storage.keyRange,
    localStorage: whileAlive(storage.local, () => isAlive),
    sessionStorage: whileAlive(session, () => isAlive),
    navigator: {
      get onLine() {
        return room.isOnline()
      },
      language: 'es-AR',
      userAgent: 'history',
      locks: {
        request: (name: string, ...rest: readonly unknown[]) => {
          const run = rest.at(-1) as (lock: object | null) => unknown
          const options = rest.length > 1 ? (rest[0] as object) : {}
          return isAlive ? locks.request(session, name, options, run) : new Promise(() => undefined)
        },
      },
    },
    BroadcastChannel: channels(room, { isAlive: () => isAlive, leaving }),
    location: {
      href: `http://sitio.test${path}`,
      origin: 'http://sitio.test',
      pathname: path,
      reload: () => isAlive && clock.after(0, () => isAlive && reload()),
      assign: () => isAlive && clock.after(0, () => isAlive && reload()),
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    document: documentOf(),
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    requestIdleCallback: (run: () => void) => setTimer(run, 50),
    FormData: class {
      readonly #form: {
        readonly elements: { namedItem(name: string): { readonly value: string } | null }
      }
      constructor(form: {
        readonly elements: { namedItem(name: string): { readonly value: string } | null }
      }) {
        this.#form = form
      }
      get(name: string) {
        return this.#form.elements.namedItem(name)?.value ?? null
      }
    },
    AbortController,
    AbortSignal: abortSignal(setTimer),
    ...web,
    tabHost: {
      told: (kind: string, text: string) => isAlive && hears.told(tab, kind, text),
      failed: (error: unknown) => isAlive && hears.failed(tab, error),
      submitted: (change: Operation, picture: Blob | undefined) => {
        const hear = isAlive ? hears.submitted(tab, change, picture) : undefined
        return (result: ChangeResult) => isAlive && hear?.(result)
      },
    },
  }
  const context = createContext(globals)
  globals['window'] = globals['self'] = context
  dateScript.runInContext(context)
  script.runInContext(context)
  const { tab: does } = context['bundled'] as { readonly tab: Tab }

  const tab: OpenTab = {
    number,
    session,
    does,
    place: () => does.place(),
    isAlive: () => isAlive,
    dispatch: (event) => isAlive && events.dispatchEvent(new Event(event)),
    kill: () => {
      isAlive = false
      for (const off of timers.values()) off()
      timers.clear()
      for (const leave of leaving) leave()
      locks.drop(session)
    },
  }
  void does
    .start()
    .then(() => does.go(path))
    .catch((error: unknown) => isAlive && hears.failed(tab, error))
  return tab
}

const web = {
  Blob,
  File,
  Headers,
  Request,
  Response,
  URL: Object.assign(class extends URL {}, {
    createObjectURL: () => 'blob:picture',
    revokeObjectURL: () => undefined,
  }),
  URLSearchParams,
  /** Draws every picture; whether it is one, the server says in the end. */
  Image: class {
    src = ''
    readonly decode = () => Promise.resolve()
  },
  Event,
  EventTarget,
  CustomEvent,
  MessageEvent,
  DOMException,
  TextEncoder,
  TextDecoder,
  Intl,
  btoa,
  atob,
}

export interface Sent {
  readonly url: string
  readonly init: RequestInit
}

/** Carries a call over the line; rejects as a browser does when no answer comes or the page gives up. */
async function call(
  { line, isOnline, clock }: Room,
  { url, init }: Sent,
): Promise<Exclude<End, string>> {
  const { method = 'GET', headers, body, signal } = init
  const path = url.replace(/^https?:\/\/[^/]+/, '')
  if (!isOnline()) {
    await new Promise<void>((resolve) => void clock.after(1, resolve))
    throw new TypeError('Failed to fetch')
  }
  const sent = {
    method,
    path,
    headers: Object.fromEntries(new Headers(headers)),
    body: body instanceof Blob || typeof body === 'string' ? body : undefined,
  }
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new DOMException('given up', 'AbortError'))
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp)
    const settle = (end: End) => {
      if (end === 'broken') reject(new TypeError('Failed to fetch'))
      else if (end !== 'silence') resolve(end)
    }
    line.carry(sent).then(settle, reject)
  })
}

const toResponse =
  ({ redirect = 'follow' }: RequestInit) =>
  ({ status, type, body, headers = {}, redirected = false }: Exclude<End, string>): Response => {
    if (redirected && redirect === 'error') throw new TypeError('Failed to fetch')
    const isEmpty = status === 204 || status === 304
    const response = new Response(isEmpty ? null : body, {
      status,
      headers: { ...headers, ...(type && { 'Content-Type': type }) },
    })
    return Object.defineProperty(response, 'redirected', { value: redirected })
  }
