/** Remembers what was made last; see `createRecent`. */
interface Recent<T> {
  (key: string, make: () => Promise<T>): Promise<T>
  /** What is remembered under the key. */
  kept(key: string): Promise<T> | undefined
}

/** Remembers what was made last, at most so many things; who asks for one being made waits for the same. A failure is not remembered. */
export function createRecent<T>(limit: number): Recent<T> {
  const kept = new Map<string, Promise<T>>()
  const recent = (key: string, make: () => Promise<T>): Promise<T> => {
    const found = kept.get(key) ?? make()
    // Set anew, a key is the youngest; the oldest one goes.
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => kept.delete(key))
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? key)
    return found
  }
  return Object.assign(recent, { kept: (key: string) => kept.get(key) })
}
