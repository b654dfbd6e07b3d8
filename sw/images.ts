import type { WorkboxPlugin } from 'workbox-core'
import { CacheFirst } from 'workbox-strategies'
import { typingCall } from '#contract/api.ts'
import { pictureVariants } from '#contract/images/picture-widths.ts'
import { cacheNames, keptLimits } from '#contract/offline/offline.ts'
import { keptAtMost, plainKey } from './api.ts'

/** Our own pictures, and fonts that only some names need; their addresses change with their content, so a copy never grows old. */
const ownPictures = [/^\/(?:media|sample)\/|\.woff2$/, new RegExp(`^/api/${typingCall}$`)]

/**
 * Whether the worker keeps a picture. Another host's only when it was asked for with CORS: an opaque answer may be a
 * failure, and browsers charge some seven megabytes of quota for each.
 */
export function isKeptImage(
  url: URL,
  request: Pick<Request, 'mode' | 'destination' | 'headers'>,
  site: URL,
): boolean {
  // Part of a file cannot be kept.
  if (request.headers.has('Range')) return false
  if (url.origin === site.origin) return ownPictures.some((path) => path.test(url.pathname))
  return request.destination === 'image' && request.mode === 'cors'
}

/** Without a connection, another width of the same picture does as well. */
const otherWidth: WorkboxPlugin = {
  handlerDidError: async ({ request }) => {
    const kept = await caches.open(cacheNames.images)
    const url = new URL(request.url)
    for (const pathname of pictureVariants(url.pathname)) {
      const match = await kept.match(new URL(pathname, url), { ignoreVary: true })
      if (match) return match
    }
    return undefined
  },
}

/** Whether what came for a file may be kept: a portal's page in its place would stay as long as the file itself. */
export function isFile({ status, headers }: Response): boolean {
  return status === 200 && !/\bhtml\b/.test(headers.get('Content-Type') ?? '')
}

const onlyPictures: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => (isFile(response) ? response : null),
}

/** Answers from the copy and asks the server only for pictures the device does not have. */
export function imageStrategy(): CacheFirst {
  return new CacheFirst({
    cacheName: cacheNames.images,
    matchOptions: { ignoreVary: true },
    plugins: [plainKey, otherWidth, onlyPictures, keptAtMost(keptLimits.images)],
  })
}
