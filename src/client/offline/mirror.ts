import { get } from 'idb-keyval'
import { openStore, writeNow } from '#client/browser/database.ts'
import { delay, inTime } from '#client/browser/delay.ts'

/** A value in memory that IndexedDB follows: reading and writing are immediate, keeping happens behind. */
export interface Mirror {
  getItem(): string | null
  setItem(key: string, value: string): void
  removeItem(): void
}

/** One that knows its place on the device. */
interface DiskMirror extends Mirror {
  /** Empties it for good: what is written later is not kept. Resolves once the device has let go; rejects when it does not. */
  drop(): Promise<void>
}

interface MirrorOptions {
  readonly database: string
  readonly key: string
  /** Told once when the device does not keep what is written; the page goes on without. */
  readonly onTrouble: (cause: unknown) => void
}

/** Opens the kept value; where storage is closed the mirror starts empty and keeps nothing beyond the page. */
export async function openMirror({ database, key, onTrouble }: MirrorOptions): Promise<DiskMirror> {
  try {
    const store = openStore({ database, store: 'kv', durability: 'relaxed' })
    const value = await inTime(get<string>(key, store))
    return mirror(value ?? null, {
      keep: (next) => writeNow(store, [[key, next ?? undefined]]),
      onTrouble,
    })
  } catch (cause) {
    onTrouble(cause)
    return mirror(null, { keep: () => Promise.resolve(), onTrouble })
  }
}

interface MirrorPorts {
  readonly keep: (value: string | null) => Promise<void>
  readonly onTrouble: (cause: unknown) => void
}

/** From the fourth write of a burst on each waits so much longer than the one before, in milliseconds. */
const stepMs = 10
const longestPauseMs = 100

/**
 * The mirror itself: one write at a time, always of the latest value, and none after the first that failed. What changes now
 * and then is kept at once; in a burst, as when a long queue leaves, writes come at growing intervals.
 */
export function mirror(start: string | null, { keep, onTrouble }: MirrorPorts): DiskMirror {
  let value = start
  let kept = start
  let isBusy = false
  let row = 0
  let writtenAt = -Infinity
  const write = async () => {
    if (isBusy) return
    isBusy = true
    try {
      while (value !== kept) {
        row = performance.now() - writtenAt > longestPauseMs ? 0 : row + 1
        const pauseMs = Math.min(longestPauseMs, (row - 2) * stepMs)
        if (pauseMs > 0) await pause(pauseMs)
        const next = value
        await keep(next)
        kept = next
        writtenAt = performance.now()
      }
      isBusy = false
    } catch (cause) {
      onTrouble(cause)
    }
  }
  let put = (next: string | null) => {
    value = next
    void write()
  }
  return {
    getItem: () => value,
    setItem: (_, next) => put(next),
    removeItem: () => put(null),
    drop: () => {
      value = null
      put = () => undefined
      // Behind what is still on its way there.
      return keep(null)
    },
  }
}

/** Waits so many milliseconds, or until the page goes out of sight: what is not kept then may be lost. */
function pause(ms: number): Promise<void> {
  if (typeof document === 'undefined') return delay(ms)
  if (document.hidden) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = new AbortController()
  const end = () => {
    clearTimeout(timer)
    done.abort()
    resolve()
  }
  const timer = setTimeout(end, ms)
  document.addEventListener('visibilitychange', end, { signal: done.signal })
  addEventListener('pagehide', end, { signal: done.signal })
  return promise
}
