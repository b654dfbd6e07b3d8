import { createStore } from '#client/ui/store.ts'
import { onAnswer } from './answers.ts'

/**
 * What the device can tell of the line to the server: `saved` means that there is a network, but the last answer came
 * from the device's own copy; `back` is the short while after it works again.
 */
export type Connection = 'online' | 'offline' | 'saved' | 'back'

/** How long the page says that the connection is back, in milliseconds. */
const backMs = 4_000

interface ConnectionStore {
  get(): Connection
  subscribe(listener: () => void): () => void
  /** The browser says that there is a network, or that there is none. */
  network(isUp: boolean): void
  /** An answer for a path came: from the server, or from a copy of that moment. */
  answered(path: string, copyOf: string | null): void
  /** What the page shows of the copy for want of the server's own answer, and of which moment that is. */
  readonly copies: ReadonlyMap<string, string>
}

/** The connection as one value that pages follow. */
export function createConnection(isUp: boolean): ConnectionStore {
  const copies = new Map<string, string>()
  const { get, set: show, subscribe } = createStore<Connection>(isUp ? 'online' : 'offline')
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: Connection) => {
    if (next === get()) return
    clearTimeout(timer)
    if (next === 'back') timer = setTimeout(() => set('online'), backMs)
    show(next)
  }
  return {
    get,
    subscribe,
    network: (isNowUp) => {
      if (!isNowUp) set('offline')
      else if (get() === 'offline') set('back')
    },
    copies,
    answered: (path, copyOf) => {
      if (copyOf === null) copies.delete(path)
      else copies.set(path, copyOf)
      // Without a network, what still comes was on its way before.
      if (get() === 'offline') return
      if (copies.size > 0) set('saved')
      else if (get() === 'saved') set('back')
    },
  }
}

/** This page's connection; the server counts as connected. */
export const connection = createConnection(typeof document === 'undefined' || navigator.onLine)

/** Follows what the browser says of the network, and how the API answers, from now on. */
export function watchNetwork(): void {
  onAnswer(connection.answered)
  addEventListener('online', () => connection.network(true))
  addEventListener('offline', () => connection.network(false))
  connection.network(navigator.onLine)
}
