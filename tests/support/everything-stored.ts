import type { Page } from 'playwright/test'

/** Everything the page's origin keeps in this browser, as text. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const rows: unknown[] = [localStorage, sessionStorage].map((kept) => JSON.stringify(kept))
    for (const { name = '' } of await indexedDB.databases()) {
      const { promise, resolve } = Promise.withResolvers<unknown[]>()
      const opening = indexedDB.open(name)
      opening.addEventListener('success', () => {
        const database = opening.result
        const names = [...database.objectStoreNames]
        if (names.length === 0) return resolve([])
        const store = database.transaction(names).objectStore(names[0] ?? '')
        const reading = store.getAll()
        reading.addEventListener('success', () => resolve(reading.result as unknown[]))
      })
      rows.push(await promise)
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        rows.push(await (await cache.match(request))?.text())
      }
    }
    return JSON.stringify(rows)
  })
}
