import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { NetworkFirst } from 'workbox-strategies'
import { savedCopyHeader } from '#contract/api.ts'
import { cacheNames, keptLimits, serverWaitMs } from '#contract/offline.ts'

/** Whether an answer may stay on the device: our own JSON, whole, and not marked as somebody's. */
export function isKeepable(response: Response): boolean {
  const header = (name: string) => response.headers.get(name) ?? ''
  return (
    response.status === 200 &&
    !response.redirected &&
    /\bjson\b/.test(header('Content-Type')) &&
    !/\b(?:no-store|private)\b/.test(header('Cache-Control'))
  )
}

/** The same answer, telling that it is a copy. */
export function asSavedCopy(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(savedCopyHeader, '1')
  return new Response(response.body, { status: response.status, headers })
}

const honesty: WorkboxPlugin = {
  // A server in trouble is no better than none: the copy answers for it.
  fetchDidSucceed: async ({ response }) => {
    if (response.status >= 500) throw new Error(`The server answered ${response.status}`)
    return response
  },
  cacheWillUpdate: async ({ response }) => (isKeepable(response) ? response : null),
  cachedResponseWillBeUsed: async ({ cachedResponse }) =>
    cachedResponse ? asSavedCopy(cachedResponse) : null,
}

/** Asks the server, and answers from the copy when it is silent for too long. */
export function apiStrategy(): NetworkFirst {
  const { answers, days } = keptLimits
  return new NetworkFirst({
    cacheName: cacheNames.api,
    networkTimeoutSeconds: serverWaitMs / 1000,
    // A public answer is the same for everybody, whatever headers it was asked with.
    matchOptions: { ignoreVary: true },
    plugins: [
      honesty,
      new ExpirationPlugin({
        maxEntries: answers,
        maxAgeSeconds: days * 24 * 60 * 60,
        purgeOnQuotaError: true,
      }),
    ],
  })
}
