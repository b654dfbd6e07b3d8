/*
 * What browsers close to a page together with its storage: asking for it throws then, or it is not there at all, as without
 * https. Everything here is undefined in both cases, and what is asked of it later may still be refused.
 */

/** The site's service workers. */
export const serviceWorkers = (): ServiceWorkerContainer | undefined =>
  attempt(() => navigator.serviceWorker)

/** What the worker keeps of the site. */
export const workerCaches = (): CacheStorage | undefined => attempt(() => globalThis.caches)

/** What tells of the room on the device, and asks for it to be kept. */
export const storageManager = (): StorageManager | undefined => attempt(() => navigator.storage)

/** A line to this browser's other pages. */
export const openChannel = (name: string): BroadcastChannel | undefined =>
  attempt(() => new BroadcastChannel(name))

function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
