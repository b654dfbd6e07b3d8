import type { Channel, Room, Sent } from './open-tab.ts'
import type { SiteAnswer } from './site.ts'

/* The parts of a browser that a page of a history is given, each only as long as the page is there. */

/** The way in which pictures are sent. */
export function uploads(request: (sent: Sent) => Promise<SiteAnswer>): new () => EventTarget {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    readonly #headers = new Headers()
    readonly #stop = new AbortController()
    #target = { method: '', url: '' }
    #got = new Headers()
    status = 0
    responseText = ''
    responseURL = ''
    open(method: string, url: string) {
      this.#target = { method, url }
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value)
    }
    getResponseHeader(name: string) {
      return this.#got.get(name)
    }
    getAllResponseHeaders() {
      return [...this.#got].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    }
    send(body: Blob) {
      const { method, url } = this.#target
      const init = { method, headers: this.#headers, body, signal: this.#stop.signal }
      const take = ({ status, type, body: text, headers = {}, redirected }: SiteAnswer) => {
        this.status = status
        this.responseText = text
        this.responseURL = redirected
          ? 'http://portal.test/'
          : new URL(url, 'http://sitio.test').href
        this.#got = new Headers({ ...headers, ...(type && { 'Content-Type': type }) })
        this.dispatchEvent(new Event('load'))
      }
      const fail = () =>
        this.dispatchEvent(new Event(this.#stop.signal.aborted ? 'abort' : 'error'))
      void request({ url, init })
        .then(take, fail)
        .finally(() => this.dispatchEvent(new Event('loadend')))
    }
    abort() {
      this.#stop.abort()
    }
  }
}

export function abortSignal(setTimer: (run: () => void, ms: number) => number) {
  return Object.assign(class extends EventTarget {}, {
    timeout: (ms: number) => {
      const controller = new AbortController()
      setTimer(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms)
      return controller.signal
    },
    any: (signals: AbortSignal[]) => AbortSignal.any(signals),
    abort: () => AbortSignal.abort(),
  })
}

interface Life {
  readonly isAlive: () => boolean
  /** What is to happen when the page goes. */
  readonly leaving: (() => void)[]
}

/** The device's databases as one page reaches them: what it had not committed goes with it. */
export function indexedDbOf(factory: IDBFactory, { isAlive, leaving }: Life) {
  const watch = (database: IDBDatabase) => {
    const begin = database.transaction.bind(database)
    database.transaction = (...asked) => {
      if (!isAlive()) throw new DOMException('gone', 'InvalidStateError')
      const transaction = begin(...asked)
      leaving.push(() => {
        try {
          transaction.abort()
        } catch {
          // Committed before the page went.
        }
      })
      return transaction
    }
  }
  return {
    open: (...asked: Parameters<IDBFactory['open']>) => {
      const opening = factory.open(...asked)
      opening.addEventListener('success', () => watch(opening.result))
      leaving.push(() => opening.readyState === 'done' && closeOf(opening))
      return opening
    },
    deleteDatabase: (name: string) => factory.deleteDatabase(name),
    databases: () => factory.databases(),
    cmp: (a: unknown, b: unknown) => factory.cmp(a, b),
  }
}

function closeOf(opening: IDBOpenDBRequest): void {
  try {
    opening.result.close()
  } catch {
    // It never opened.
  }
}

/** A storage area that a page which is gone no longer changes. */
export function whileAlive(area: Storage, isAlive: () => boolean): Storage {
  return new Proxy(area, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const isChange = name !== 'getItem'
      return (...args: readonly unknown[]): unknown =>
        isChange && !isAlive() ? undefined : Reflect.apply(value, target, args)
    },
  })
}

export function channels(
  room: Room,
  { isAlive, leaving }: Life,
): new (name: string) => EventTarget {
  return class extends EventTarget {
    readonly #own: Channel
    readonly #leave: () => void
    constructor(name: string) {
      super()
      this.#own = {
        name,
        hear: (data) => isAlive() && this.dispatchEvent(new MessageEvent('message', { data })),
      }
      this.#leave = room.join(this.#own)
      leaving.push(this.#leave)
    }
    postMessage(data: unknown) {
      if (isAlive()) room.post(this.#own, data)
    }
    close() {
      this.#leave()
    }
  }
}

/** A document that nobody sees. */
export function documentOf() {
  const element = { classList: { toggle: () => undefined }, dataset: {}, style: {} }
  return {
    ...element,
    hidden: false,
    visibilityState: 'visible',
    readyState: 'complete',
    title: '',
    body: element,
    documentElement: element,
    activeElement: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    querySelector: () => null,
    querySelectorAll: () => [],
    getElementById: () => null,
  }
}
