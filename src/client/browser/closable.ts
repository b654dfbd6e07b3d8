/*
 * Browsers may close these interfaces together with storage: then asking for one throws, or it is absent, as without
 * https. Each is undefined in both cases, and a later call to it may still be refused.
 */

export const serviceWorkers = (): ServiceWorkerContainer | undefined =>
  attempt(() => navigator.serviceWorker)

export const workerCaches = (): CacheStorage | undefined => attempt(() => globalThis.caches)

export const storageManager = (): StorageManager | undefined => attempt(() => navigator.storage)

export const openChannel = (name: string): BroadcastChannel | undefined =>
  attempt(() => new BroadcastChannel(name))

function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
