import { getCacheKeyForURL, matchPrecache } from 'workbox-precaching'
import { ownHeader } from '#contract/api.ts'
import { cacheNames, ownersCache } from '#contract/offline/offline.ts'
import { isSomebodys } from './api.ts'
import {
  allPagesPath,
  pageNews,
  pageSame,
  shellPath,
  type GivenPage,
} from '#contract/offline/kept-page.ts'
import { framed } from './page-frame.ts'

/** Addresses that no page of ours lies at: the API, the stored pictures, and anything with a file ending. */
const noPages = /^\/(?:api|media)\/|\.\w+$/
/** The server may take so long to answer with a page, in milliseconds: an update waits for it. */
const drawnWithinMs = 10_000

/** Whether the site has its pages at such paths. */
export function isPage(path: string): boolean {
  return !noPages.test(path)
}

/**
 * A page: what the server drew, as far as it is kept, and renewed behind; else the shell, which draws itself from the device's
 * own copy.
 */
export async function answerPage(
  event: Pick<FetchEvent, 'request' | 'resultingClientId' | 'waitUntil'>,
  clients: Pick<Clients, 'get'>,
): Promise<Response> {
  const { request, resultingClientId } = event
  // With a query it may be another page, but for the one that the installed application starts with.
  const address = request.url.replace('?desde=app', '')
  const kept = await keptPage(address)
  if (kept) {
    const tell = async () => {
      const isSame = await renewPage(address).catch(() => false)
      const page = await clients.get(resultingClientId)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's pages are of its own origin
      page?.postMessage(isSame ? pageSame : pageNews)
    }
    event.waitUntil(tell())
  }
  return kept ?? (await matchPrecache(shellPath)) ?? fetch(request)
}

/** None on the owner's devices, where a page shows what she has changed before the server knows of it. */
async function keptPage(address: string): Promise<Response | undefined> {
  if (await caches.has(ownersCache)) return undefined
  return caches.match(address, { cacheName: cacheNames.pages })
}

/**
 * Asks the server for a page and keeps what it drew for everybody; resolves to whether it is what was kept. With news all
 * other pages are forgotten. Rejects when nobody answered, or nothing could be kept.
 */
export async function renewPage(
  address: string,
  signal: AbortSignal = AbortSignal.timeout(drawnWithinMs),
): Promise<boolean> {
  if (await caches.has(ownersCache)) return false
  const pages = await caches.open(cacheNames.pages)
  const response = await fetch(address, { redirect: 'error', signal })
  const { status, headers } = response
  const html = await response.text()
  const isThere = status === 200 && isOfThisBuild(html)
  // Anybody may answer in the server's place.
  if (!headers.has(ownHeader) || isSomebodys(headers) || (!isThere && status !== 404)) return false
  const tag = headers.get('ETag')
  const old = await pages.match(address)
  const isSame = isThere && tag !== null && tag === old?.headers.get('ETag')
  // A cache on the way may be behind what was kept.
  if (old && !isSame && !headers.has('Age')) await forgetPages(isThere ? address : undefined)
  if (isThere) await pages.put(address, new Response(stamped(html), { headers }))
  return isSame
}

/**
 * Forgets what was drawn before some news: what the owner has hidden may stand in it. The pages are kept anew with the next
 * visit at the latest.
 */
export async function forgetPages(except?: string): Promise<void> {
  const pages = await caches.open(cacheNames.pages)
  for (const { url } of await pages.keys()) if (url !== except) await pages.delete(url)
}

/**
 * Keeps what is missing of these pages, all from one answer of the server's. Rejects when nobody answered, or nothing could
 * be kept.
 */
export async function keepPages(addresses: readonly string[], signal: AbortSignal): Promise<void> {
  if (await caches.has(ownersCache)) return
  const pages = await caches.open(cacheNames.pages)
  const kept = (await pages.keys()).map(({ url }) => url)
  const missing = addresses.filter((address) => !kept.includes(address))
  // One by itself is less than all.
  if (missing.length < 2) return
  const response = await fetch(allPagesPath, { redirect: 'error', signal })
  if (!response.headers.has(ownHeader)) return
  const given = (await response.json()) as Readonly<Record<string, GivenPage>>
  for (const address of missing) {
    const page = given[new URL(address).pathname]
    const html = page && (await framed(page, await matchPrecache(shellPath)))
    if (html && isOfThisBuild(html)) {
      await pages.put(address, new Response(stamped(html), { headers: page.headers }))
    }
  }
}

/**
 * Whether this worker has all scripts and styles of the page: with those of another version it would stay dead. A page that
 * names none is somebody else's.
 */
export function isOfThisBuild(html: string): boolean {
  return (html.match(/\/assets\/[^"]+\.(?:js|css)/g) ?? ['']).every(getCacheKeyForURL)
}

/** The page with the moment, in milliseconds since 1970, at which the server drew it so. */
function stamped(html: string): string {
  return html.replace('<html', `<html data-kept="${Date.now()}"`)
}
