import { isAnyArrayBuffer } from 'node:util/types'
import { createContext, type Script } from 'node:vm'
import type { Clock } from './clock.ts'
import type { Random } from '#tests/support/random.ts'

/** Chromium writes local storage to disk this late, in milliseconds. */
const writtenAfterMs = 45_000

/** What of a page's storage stands on the device's disk. */
export interface DeviceStorage {
  readonly indexedDB: IDBFactory
  readonly keyRange: unknown
  /** Local storage as the pages see it. */
  readonly local: Storage
  /** A browser that is killed has not written the last of local storage. */
  readonly loseUnwritten: () => void
  /** What a store holds on disk at this moment, by its key. */
  readonly peek: (database: string, store: string) => ReadonlyMap<unknown, unknown>
}

interface StorageOptions {
  readonly clock: Clock
  readonly random: Random
  readonly script: Script
}

interface Bundled {
  readonly openDisk: () => IDBFactory
  readonly keyRange: unknown
}

/** An empty disk. */
export function createStorage({ clock, random, script }: StorageOptions): DeviceStorage {
  let last = 0
  // The database works through its tasks in order, each a moment later.
  const setImmediate = (task: () => void) => {
    last = Math.max(last, clock.now() + (random.below(4) === 0 ? 1 : 0))
    clock.after(last - clock.now(), task)
  }
  const context = createContext({
    setImmediate,
    structuredClone: clone,
    DOMException,
    Event,
    EventTarget,
    Blob,
    File,
    queueMicrotask,
    console,
  })
  script.runInContext(context)
  const { storage } = context['bundled'] as { readonly storage: Bundled }
  const indexedDB = storage.openDisk()
  const { local, loseUnwritten } = createLocal(clock)
  return { indexedDB, keyRange: storage.keyRange, local, loseUnwritten, peek: peekInto(indexedDB) }
}

/** Local storage that remembers what was written lately, since a killed browser has not. */
function createLocal(clock: Clock) {
  const area = createArea()
  const lately: { readonly at: number; readonly key: string; readonly before: string | null }[] = []
  const note = (key: string) => lately.push({ at: clock.now(), key, before: area.getItem(key) })
  const local = new Proxy(area, {
    get: (target, name) => {
      if (name === 'setItem' || name === 'removeItem') {
        return (key: string, ...rest: readonly [string]) => {
          note(key)
          target[name](key, ...rest)
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return {
    local,
    loseUnwritten: () => {
      const unwritten = lately.splice(0).filter(({ at }) => clock.now() - at < writtenAfterMs)
      for (const { key, before } of unwritten.toReversed()) {
        if (before === null) area.removeItem(key)
        else area.setItem(key, before)
      }
    },
  }
}

/** A storage area as browsers have them: its entries are its own properties. */
export function createArea(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? this[key] : null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
    clear(this: Record<string, string>) {
      for (const key of Object.keys(this)) delete this[key]
    },
  }
  return Object.create(methods) as Storage
}

/** As a browser copies what it stores; Node loses that a file is one, and neither changes. */
function clone(value: unknown): unknown {
  if (value instanceof Blob) return value
  if (Array.isArray(value)) return value.map(clone)
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof Date ||
    isAnyArrayBuffer(value)
  )
    return structuredClone(value)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clone(part)]))
}

interface RawFactory {
  readonly _databases: ReadonlyMap<
    string,
    {
      readonly rawObjectStores: ReadonlyMap<
        string,
        {
          readonly records: {
            values(): Iterable<{ readonly key: unknown; readonly value: unknown }>
          }
        }
      >
    }
  >
}

function peekInto(factory: IDBFactory): DeviceStorage['peek'] {
  return (database, store) => {
    const { _databases } = factory as unknown as RawFactory
    const records = _databases.get(database)?.rawObjectStores.get(store)?.records
    return new Map([...(records?.values() ?? [])].map(({ key, value }) => [key, value]))
  }
}
