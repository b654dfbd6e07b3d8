import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Addresses that no page of ours lies at: the API, the stored pictures, and anything with a file ending. */
export const noPages: readonly RegExp[] = [/^\/(?:api|media)\//, /^[^?]*\/[^/?]+\.\w+(?:\?|$)/]

/** Keeps this build's files and answers every page with its shell, which draws itself from the device's own copy. */
export function answerPages(files: readonly (PrecacheEntry | string)[]): void {
  cleanupOutdatedCaches()
  precacheAndRoute([...files])
  registerRoute(
    new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [...noPages] }),
  )
}
