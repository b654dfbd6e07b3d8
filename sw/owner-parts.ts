import { matchPrecache } from 'workbox-precaching'
import { ownersCache } from '#contract/offline/offline.ts'
import { filesAt } from './later-files.ts'

/**
 * Keeps what only the owner needs of the application, which no visitor's device fetches and which comes in one answer;
 * resolves once all of it is there, and rejects when it could not be had or kept.
 */
export async function keepOwnersParts(address: string): Promise<void> {
  const kept = await caches.open(ownersCache)
  if (await kept.match(address)) return
  const files = await filesAt(address)
  for (const [file, response] of files) await kept.put(file, response)
  // Written last: where this list is, everything on it is.
  await kept.put(address, Response.json(files.map(([file]) => file)))
}

/** As `keepOwnersParts`, on her devices alone: the next version may have to work without a connection, too. */
export async function renewOwnersParts(address: string): Promise<void> {
  if (await caches.has(ownersCache)) await keepOwnersParts(address)
}

/** Throws away what only the version before had. */
export async function dropOldParts(address: string): Promise<void> {
  if (!(await caches.has(ownersCache))) return
  const kept = await caches.open(ownersCache)
  const list = (await (await kept.match(address))?.json()) as readonly string[] | undefined
  const files = new Set([address, ...(list ?? [])].map((file) => new URL(file, location.href).href))
  for (const { url } of await kept.keys()) {
    if (!files.has(url)) await kept.delete(url)
  }
}

/** The part of the application at this address: everybody's or the owner's, kept or fetched. */
export async function answerPart({ url }: Pick<Request, 'url'>): Promise<Response> {
  const kept = (await matchPrecache(url)) ?? (await caches.match(url, { cacheName: ownersCache }))
  return kept ?? fetch(url)
}
