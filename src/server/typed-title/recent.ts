/** Remembers what was made last, at most so many things; who asks for one being made waits for the same. A failure is not remembered. */
export function createRecent<T>(
  limit: number,
): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>()
  return (key, make) => {
    const found = kept.get(key) ?? make()
    // Set anew, a key is the youngest; the oldest one goes.
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => kept.delete(key))
    if (kept.size > limit) kept.delete(kept.keys().next().value ?? key)
    return found
  }
}
