import { cacheNames } from '#contract/offline.ts'

/** How much of this device the site takes, in bytes; undefined where the browser does not say. */
export async function usedBytes(): Promise<number | undefined> {
  if (!('storage' in navigator)) return undefined
  const { usage } = await navigator.storage.estimate()
  return usage
}

/** Forgets the worker's copies of the site's content. Rejects when the browser refuses. */
export async function dropWorkerCopies(): Promise<void> {
  if (!('caches' in globalThis)) return
  await Promise.all(Object.values(cacheNames).map((name) => caches.delete(name)))
}
