import { networksAround } from '../edge/client-address.ts'

/**
 * Bound of the remembered names, addresses and networks; beyond it the memory starts empty, so that a flood cannot
 * fill it.
 */
const most = 100_000

interface Window {
  readonly since: number
  readonly until: number
}

/** What the process remembers of sign-ins, so that refusing one costs no write. */
interface LoginMemory {
  /** Whole seconds until one of these keys may be tried again; 0 when it may be now. */
  waitOf(keys: readonly string[]): number
  /** Notes that the key has used up its attempts. */
  close(key: string, seconds: number): void
  /** Counts one more try of an address; returns how many there were lately, of it and of each network that it is in. */
  countTry(address: string): number
  /** Forgets the tries of an address that signed in. */
  forgive(address: string): void
}

/**
 * Refuses from memory what is known to be too much, without a look at the database; `windowMs` is the window that tries
 * are counted in.
 */
export function createLoginMemory(now: () => Date, windowMs: number): LoginMemory {
  const closed = new Map<string, Window>()
  const tries = new Map<string, Window & { count: number }>()
  /** A clock that was set back ends a window, too. */
  const isOpen = (window: Window | undefined, time: number) =>
    window !== undefined && time >= window.since && time < window.until
  const countOne = (key: string): number => {
    const time = now().getTime()
    const known = tries.get(key)
    if (known && isOpen(known, time)) return ++known.count
    if (tries.size >= most) tries.clear()
    tries.set(key, { since: time, until: time + windowMs, count: 1 })
    return 1
  }
  return {
    waitOf: (keys) => {
      const time = now().getTime()
      const ends = keys.map((key) => {
        const window = closed.get(key)
        if (window && isOpen(window, time)) return window.until
        closed.delete(key)
        return time
      })
      return Math.ceil((Math.max(...ends) - time) / 1000)
    },
    close: (key, seconds) => {
      if (closed.size >= most) closed.clear()
      const since = now().getTime()
      closed.set(key, { since, until: since + seconds * 1000 })
    },
    countTry: (address) =>
      [address, ...networksAround(address)].reduce((sum, key) => sum + countOne(key), 0),
    forgive: (address) => void tries.delete(address),
  }
}
