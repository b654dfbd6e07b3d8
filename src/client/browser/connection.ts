import { createStore } from '#client/ui/store.ts'
import { onAnswer } from './answers.ts'

/**
 * `saved` means that there is a network, but that what is shown is older, since the server did not answer for it;
 * `back` is the short while after the connection works again.
 */
export type Connection = 'online' | 'offline' | 'saved' | 'back'

/** The page says for so long that the connection is back, in milliseconds. */
const backMs = 4_000

interface ConnectionStore {
  get(): Connection
  subscribe(listener: () => void): () => void
  network(isUp: boolean): void
  /** Notes an answer for a path; `copyOf` as in `noteAnswer`. */
  answered(path: string, copyOf: string | null): void
  /** Once called, only the answers for these paths count as copies; before, every answer does. */
  shows(paths: readonly unknown[]): void
  /** The moments of the copies that the page shows for want of the server's own answer. */
  copies(): readonly string[]
}

/** The state of the connection, kept together from what the browser says and what answers say. */
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
    // An answer that still comes without a network was on its way before.
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
      // A failed request does not make what is shown any newer.
      else if (copyOf || !kept.has(path)) kept.set(path, copyOf)
      look('back')
    },
    shows: (paths) => {
      shown = paths
      // A copy that the page has left behind is no news of the connection.
      look('online')
    },
  }
}

/** The server counts as connected. */
export const connection = createConnection(typeof document === 'undefined' || navigator.onLine)

/** Follows the browser's word on the network and every answer; called once by the page. */
export function watchNetwork(): void {
  onAnswer(connection.answered)
  addEventListener('online', () => connection.network(true))
  addEventListener('offline', () => connection.network(false))
  connection.network(navigator.onLine)
}
