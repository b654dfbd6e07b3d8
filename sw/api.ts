import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { NetworkFirst } from 'workbox-strategies'
import { ownHeader, savedCopyHeader } from '#contract/api.ts'
import { cacheNames, keptLimits, serverWaitMs } from '#contract/offline/offline.ts'

/** Whether an answer may stay on the device: our own JSON, whole, and not marked as somebody's. */
export function isKeepable(response: Response): boolean {
  const { status, redirected, headers } = response
  const isJson = /\bjson\b/.test(headers.get('Content-Type') ?? '')
  return status === 200 && !redirected && isJson && !isSomebodys(headers)
}

/** Whether an answer is for one person, or not to stay anywhere. */
export function isSomebodys(headers: Headers): boolean {
  return /\b(?:no-store|private)\b/.test(headers.get('Cache-Control') ?? '')
}

/** The same answer, telling that it is a copy, and of which moment. */
export function asSavedCopy(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(savedCopyHeader, headers.get('Date') ?? '')
  return new Response(response.body, { status: response.status, headers })
}

/**
 * Whatever is kept is kept under its address alone: a request carries the session's token, and a cache writes the whole
 * of it to the disk.
 */
export const plainKey: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => request.url,
}

/** What counts as an answer, what may stay of it, and that a copy says what it is. */
export const markSavedCopy: WorkboxPlugin = {
  // A server in trouble is no better than none, nor is somebody else's answer: the copy answers for it.
  fetchDidSucceed: async ({ response }) => {
    const { status, headers } = response
    if (status >= 500 || !headers.has(ownHeader)) throw new Error(`Not answered: ${status}`)
    return response
  },
  cacheWillUpdate: async ({ response }) => (isKeepable(response) ? response : null),
  cachedResponseWillBeUsed: async ({ cachedResponse }) =>
    cachedResponse ? asSavedCopy(cachedResponse) : null,
}

/** Tells when an answer says something else than the copy that it takes the place of, whatever their tags. */
export function tellOfNews(onNews: () => Promise<void>): WorkboxPlugin {
  return {
    cacheDidUpdate: async ({ oldResponse, newResponse }) => {
      if (oldResponse && (await oldResponse.text()) !== (await newResponse.text())) await onNews()
    },
  }
}

/** Drops what is too old, and the oldest of what is too much or has no room any more. */
export function keptAtMost(maxEntries: number): WorkboxPlugin {
  return new ExpirationPlugin({
    maxEntries,
    maxAgeSeconds: keptLimits.days * 24 * 60 * 60,
    purgeOnQuotaError: true,
  })
}

/** Asks the server, and answers from the copy when it is silent for too long. */
export function apiStrategy(onNews: () => Promise<void>): NetworkFirst {
  return new NetworkFirst({
    cacheName: cacheNames.api,
    networkTimeoutSeconds: serverWaitMs / 1000,
    // A public answer is the same for everybody, whatever headers it was asked with.
    matchOptions: { ignoreVary: true },
    plugins: [plainKey, markSavedCopy, tellOfNews(onNews), keptAtMost(keptLimits.answers)],
  })
}
