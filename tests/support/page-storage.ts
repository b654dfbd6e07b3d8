import { IDBFactory, IDBObjectStore as FakeStore } from 'fake-indexeddb'
import { vi } from 'vitest'

/** The browser's small storage in memory; its keys are its own properties, as in a browser. */
export function webStorage(entries: Readonly<Record<string, string>> = {}): Storage {
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => void (storage[key] = value),
    removeItem: (key: string) => void delete storage[key],
    clear: () => {
      for (const key of Object.keys(storage)) delete storage[key]
    },
  }
  const storage: Record<string, string> = Object.create(methods) as Record<string, string>
  return Object.assign(storage, entries) as unknown as Storage
}

/** A device whose browser keeps what it is given; `vi.unstubAllGlobals()` takes it away. */
export function keepingDevice(local: Readonly<Record<string, string>> = {}): void {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('localStorage', webStorage(local))
  vi.stubGlobal('sessionStorage', webStorage())
}

/** The device takes nothing more of what this database keeps, until the mock is restored. */
export function refuseWrites(database: string) {
  const put = FakeStore.prototype.put
  return vi.spyOn(FakeStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...what
  ) {
    if (this.transaction.db.name !== database) return put.apply(this, what)
    throw new DOMException('full', 'QuotaExceededError')
  })
}
