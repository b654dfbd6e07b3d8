/**
 * One of the browser's two small storages, which may be closed to us, full, or gone at any moment: what it does not take is
 * kept in the page's memory. Nothing here ever throws.
 */
function safeStorage(name: 'localStorage' | 'sessionStorage') {
  const memory = new Map<string, string>()
  const attempt = <T>(run: (storage: Storage) => T): T | undefined => {
    try {
      // Where it is closed to us, asking for the storage itself throws.
      return run(globalThis[name])
    } catch {
      return undefined
    }
  }
  return {
    get: (key: string): string | undefined =>
      memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? undefined,
    /** Keeps a value; whether longer than the page lives. */
    set: (key: string, value: string): boolean => {
      memory.set(key, value)
      attempt((storage) => {
        storage.setItem(key, value)
        memory.delete(key)
      })
      return !memory.has(key)
    },
    remove: (key: string): void => {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
    clear: (): void => {
      memory.clear()
      attempt((storage) => storage.clear())
    },
    /** The names that the storage itself holds. */
    keys: (): readonly string[] => attempt((storage) => Object.keys(storage)) ?? [],
  }
}

/** Kept for every later visit. */
export const localMemory = safeStorage('localStorage')
/** Kept for this tab. */
export const tabMemory = safeStorage('sessionStorage')
