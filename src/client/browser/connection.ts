import { createStore } from '#client/ui/store.ts'
import { onAnswer } from './answers.ts'

/**
 * What the device can tell of the line to the server: `saved` means that there is a network, but what is shown is of
 * before, since the server did not answer for it; `back` is the short while after it works again.
 */
export type Connection = 'online' | 'offline' | 'saved' | 'back'

/** How long the page says that the connection is back, in milliseconds. */
const backMs = 4_000

interface ConnectionStore {
  get(): Connection
  subscribe(listener: () => void): () => void
  /** The browser says that there is a network, or that there is none. */
  network(isUp: boolean): void
  /** An answer for a path came: from the server, or from a copy of that moment; none came where it is empty. */
  answered(path: string, copyOf: string | null): void
  /** The page shows what lies at these paths, and nothing else of what was answered counts as a copy; before, all does. */
  shows(paths: readonly unknown[]): void
  /** Of which moments that is what the page shows for want of the server's own answer. */
  copies(): readonly string[]
}

/** The connection as one value that pages follow. */
export function createConnection(isUp: boolean): ConnectionStore {
  const kept = new Map<string, string>()
  let shown: readonly unknown[] | undefined
  const { get, set: show, subscribe } = createStore<Connection>(isUp ? 'online' : 'offline')
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: Connection) => {
    if (next === get()) return
    clearTimeout(timer)
    if (next === 'back') timer = setTimeout(() => set('online'), backMs)
    show(next)
  }
  const copies = () =>
    [...kept].filter(([path]) => shown?.includes(path) ?? true).map(([, copyOf]) => copyOf)
  const look = (otherwise: Connection) => {
    // Without a network, what still comes was on its way before.
    if (get() === 'offline') return
    if (copies().length > 0) set('saved')
    else if (get() === 'saved') set(otherwise)
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
      if (copyOf === null) kept.delete(path)
      // That nothing answered does not make what is shown any newer.
      else if (copyOf || !kept.has(path)) kept.set(path, copyOf)
      look('back')
    },
    shows: (paths) => {
      shown = paths
      // What is left behind is no news of the line.
      look('online')
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
