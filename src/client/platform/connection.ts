import { onAnswer } from './answers.ts'

/**
 * What the device can tell of the line to the server: `saved` means that there is a network, but the last answer came
 * from the device's own copy; `back` is the short while after it works again.
 */
export type Connection = 'online' | 'offline' | 'saved' | 'back'

/** How long the page says that the connection is back, in milliseconds. */
const backMs = 4_000

export interface ConnectionStore {
  get(): Connection
  subscribe(listener: () => void): () => void
  /** The browser says that there is a network, or that there is none. */
  network(isUp: boolean): void
  /** An answer for a path came, from the server or from the copy. */
  answered(path: string, isCopy: boolean): void
}

/** The connection as one value that pages follow. */
export function createConnection(isUp: boolean): ConnectionStore {
  const listeners = new Set<() => void>()
  /** What the page shows of the copy, for want of the server's own answer. */
  const copies = new Set<string>()
  let state: Connection = isUp ? 'online' : 'offline'
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: Connection) => {
    if (next === state) return
    clearTimeout(timer)
    state = next
    if (next === 'back') timer = setTimeout(() => set('online'), backMs)
    for (const listener of listeners) listener()
  }
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    network: (isNowUp) => {
      if (!isNowUp) set('offline')
      else if (state === 'offline') set('back')
    },
    answered: (path, isCopy) => {
      if (isCopy) copies.add(path)
      else copies.delete(path)
      // Without a network, what still comes was on its way before.
      if (state === 'offline') return
      if (copies.size > 0) set('saved')
      else if (state === 'saved') set('back')
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
