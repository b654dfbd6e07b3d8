import { cacheNames } from '#contract/offline/offline.ts'
import { storageManager, workerCaches } from './closable.ts'

/** How much of this device the site takes, in bytes; undefined where the browser does not say. */
export async function usedBytes(): Promise<number | undefined> {
  try {
    return (await storageManager()?.estimate())?.usage
  } catch {
    return undefined // Storage is closed to us.
  }
}

/** Forgets the worker's copies of the site's content. Rejects when the browser refuses. */
export async function dropWorkerCopies(): Promise<void> {
  const copies = workerCaches()
  if (!copies) return
  await Promise.all(Object.values(cacheNames).map((name) => copies.delete(name)))
}
