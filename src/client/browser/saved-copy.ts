import { cacheNames } from '#contract/offline/offline.ts'
import { storageManager, workerCaches } from './closable.ts'

/** In bytes; undefined where the browser does not say. */
export async function usedBytes(): Promise<number | undefined> {
  try {
    return (await storageManager()?.estimate())?.usage
  } catch {
    return undefined // Storage is closed to us.
  }
}

/** Rejects when the browser refuses. */
export async function dropWorkerCopies(): Promise<void> {
  const copies = workerCaches()
  if (!copies) return
  await Promise.all(Object.values(cacheNames).map((name) => copies.delete(name)))
}
