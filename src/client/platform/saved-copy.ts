import { clear, createStore } from 'idb-keyval'
import { cacheNames } from '#contract/offline.ts'

/** The database that the kept answers of the queries stand in. */
export const queriesDatabase = 'tintero-cache'

/** How much of this device the site takes, in bytes; undefined where the browser does not say. */
export async function usedBytes(): Promise<number | undefined> {
  if (!('storage' in navigator)) return undefined
  const { usage } = await navigator.storage.estimate()
  return usage
}

/**
 * Forgets what was kept of the site's content for reading it offline. Queued changes, drafts and the application itself
 * stay. Rejects when the browser refuses.
 */
export async function dropCopy(): Promise<void> {
  await clear(createStore(queriesDatabase, 'kv'))
  if (!('caches' in globalThis)) return
  await Promise.all(Object.values(cacheNames).map((name) => caches.delete(name)))
}
