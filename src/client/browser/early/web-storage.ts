/**
 * Keeps in the page's memory what the browser's storage does not take: it may be closed, full, or gone at any moment.
 * Nothing here ever throws.
 */
function safeStorage(name: 'localStorage' | 'sessionStorage') {
  const memory = new Map<string, string>()
  const attempt = <T>(run: (storage: Storage) => T): T | undefined => {
    try {
      // Where the storage is closed, reading the property itself throws.
      return run(globalThis[name])
    } catch {
      return undefined
    }
  }
  return {
    get: (key: string): string | undefined =>
      memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? undefined,
    /** Returns whether the value outlives the page. */
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

export const localMemory = safeStorage('localStorage')
export const tabMemory = safeStorage('sessionStorage')
