/*
 * The worker, as a table of contents: what happens on which event. What is decided, and how long things are kept,
 * stands in the file each line names; README.md beside this file is the worker's contract.
 */
import { clientsClaim } from 'workbox-core'
import { registerRoute } from 'workbox-routing'
import { listenForPush } from '#sw-push'
import { drainTag, kindReadAt, parseToWorker, share, type ToWorker } from '#contract/offline.ts'
import { apiStrategy } from './api.ts'
import { imageStrategy, isKeptImage } from './images.ts'
import { openPressed, showPush } from './push.ts'
import { keepShared } from './share.ts'
import { answerPages } from './shell.ts'
import { wakePages } from './sync.ts'
import { tellPages } from './tell-pages.ts'
import { isAnyoneLooking } from './update.ts'
import { isSavingData, warm } from './warm.ts'

declare const self: ServiceWorkerGlobalScope

const site = new URL(self.location.origin)
const api = {
  base: new URL(import.meta.env.VITE_API_BASE, site).href,
  kinds: import.meta.env.VITE_PUBLIC_KINDS,
}
const answers = apiStrategy()
const images = imageStrategy()
const isPublicRead = ({ href }: URL) => kindReadAt(href, api) !== undefined

// Install: the shell and its files. The new worker waits until the pages agree; the first one takes over at once.
// oxlint-disable-next-line no-underscore-dangle -- the build writes the list of files in place of this name
answerPages(self.__WB_MANIFEST)
clientsClaim()

// Fetch: what is not named here goes to the network untouched, every write and every private read among it.
registerRoute(({ url, request }) => isKeptImage(url, request, site), images)
registerRoute(({ url }) => isPublicRead(url), answers)
registerRoute(
  ({ url }) => url.origin === site.origin && url.pathname === share.path,
  ({ request }) => keepShared(request),
  'POST',
)

self.addEventListener('message', (event) => {
  const message = parseToWorker(event.data)
  if (message) event.waitUntil(obey(message, event))
})

self.addEventListener('sync', (event) => {
  if (event.tag === drainTag) event.waitUntil(wakePages(self))
})

// Notifications: our own listener comes first, since Firebase's takes presses of its own messages.
self.addEventListener('notificationclick', (event) => {
  event.waitUntil(openPressed(event.notification, self))
})
self.addEventListener('pushsubscriptionchange', (event) => {
  // A page gets the new address and tells the server, which wants to know whose it is.
  event.waitUntil(tellPages(self.clients, { type: 'PUSH_MOVED' }))
})
listenForPush((data) => showPush(data, self))

async function obey(message: ToWorker, event: ExtendableMessageEvent): Promise<void> {
  switch (message.type) {
    case 'SKIP_WAITING':
      return self.skipWaiting()
    case 'SKIP_WAITING_UNSEEN':
      return (await isAnyoneLooking(self.clients)) ? undefined : self.skipWaiting()
    case 'WARM':
      if (isSavingData(self.navigator)) return undefined
      return warm(message.urls, {
        event,
        registration: self.registration,
        strategyFor: (url) => (isPublicRead(url) ? answers : images),
      })
  }
}
