import type { UseStore } from 'idb-keyval'

/**
 * Writes values, or forgets those that are undefined, in one transaction; resolves once they are on disk and rejects when
 * they cannot be kept. It is committed at once: left to itself it would die with the page.
 */
export function writeNow(
  store: UseStore,
  pairs: readonly (readonly [key: string, value: unknown])[],
): Promise<void> {
  return store('readwrite', (objects) => {
    for (const [key, value] of pairs) {
      if (value === undefined) objects.delete(key)
      else objects.put(value, key)
    }
    return committed(objects.transaction)
  })
}

/** Commits at once what a transaction was given; resolves once it is on disk and rejects when it cannot be kept. */
export function committed(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  transaction.addEventListener('complete', () => resolve())
  transaction.addEventListener('abort', () =>
    reject(transaction.error ?? new DOMException('The write was aborted', 'AbortError')),
  )
  transaction.commit()
  return promise
}
