/*
 * The worker, as a table of contents: what happens on which event. What is decided, and how long things are kept,
 * stands in the file each line names; README.md beside this file is the worker's contract.
 */
import { clientsClaim } from 'workbox-core'
import { addPlugins, getCacheKeyForURL, precache, type PrecacheEntry } from 'workbox-precaching'
import { listenForPush } from '#sw-push'
import {
  cacheNames,
  drainTag,
  kindReadAt,
  laterFiles,
  oldCacheName,
  ownersFiles,
  ownersPartsKept,
  parseToWorker,
  share,
  type ToWorker,
} from '#contract/offline/offline.ts'
import { apiStrategy } from './api.ts'
import { imageStrategy, isKeptImage } from './images.ts'
import { keepLaterFiles, keepShell, onlyOwnFiles } from './later-files.ts'
import { answerPart, dropOldParts, keepOwnersParts, renewOwnersParts } from './owner-parts.ts'
import { answerPage, forgetPages, isPage, keepPages, renewPage } from './pages.ts'
import { openPressed, showPush } from './push.ts'
import { keepShared } from './share.ts'
import { drainInPages } from './sync.ts'
import { isAnyoneLooking, tellPages } from './tell-pages.ts'
import { isSavingData, warm, type Keeper } from './warm.ts'

declare const self: ServiceWorkerGlobalScope

const site = new URL(self.location.origin)
const api = {
  base: new URL(import.meta.env.VITE_API_BASE, site).href,
  kinds: import.meta.env.VITE_PUBLIC_KINDS,
}
const answers = apiStrategy(forgetPages)
const images = imageStrategy()
const pages: Keeper = {
  cacheName: cacheNames.pages,
  handleAll: ({ request }) => [renewPage(request.url, request.signal)],
}
const isPublicRead = ({ href }: URL) => kindReadAt(href, api) !== undefined

// Install: the shell and its files. The new worker waits until the pages agree; the first one takes over at once.
// oxlint-disable-next-line no-underscore-dangle -- the build writes the list of files in place of this name, none as a bare address
const files = self.__WB_MANIFEST as readonly PrecacheEntry[]
const listed = files.map(({ url }) => `/${url}`)
const owners = listed.find((url) => ownersFiles.test(url)) ?? ''
const later = listed.find((url) => laterFiles.test(url)) ?? ''
let together: Promise<unknown> | undefined
addPlugins([
  {
    cacheWillUpdate: onlyOwnFiles,
    handlerWillStart: async ({ event }) => {
      // What they do not bring is fetched by itself.
      if (event?.type === 'install') {
        await (together ??= keepLaterFiles(later)
          .then((isFirst) =>
            isFirst && !isSavingData(self.navigator) ? keepShell(self.clients) : undefined,
          )
          .catch(() => undefined))
      }
    },
  },
])
precache(files.filter(({ url }) => !url.endsWith('.json')))
clientsClaim()
self.addEventListener('install', (event) => event.waitUntil(renewOwnersParts(owners)))

// Activate: what the version before kept with the owner's token in it goes, and its pages and her parts of that version.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([
      ...[oldCacheName, cacheNames.pages].map((name) => caches.delete(name)),
      dropOldParts(owners),
    ]),
  )
})

self.addEventListener('fetch', (event) => {
  const answer = answerTo(event)
  if (answer) event.respondWith(answer)
})

self.addEventListener('message', (event) => {
  const message = parseToWorker(event.data)
  if (message) event.waitUntil(handleMessage(message, event))
})

self.addEventListener('sync', (event) => {
  if (event.tag === drainTag) event.waitUntil(drainInPages(self))
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

/** What is not named here goes to the network untouched, every write and every private read among it. */
function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { request } = event
  const { method, mode } = request
  const url = new URL(request.url)
  const isOwn = url.origin === site.origin
  if (isOwn && method === 'POST' && url.pathname === share.path) return keepShared(request)
  if (method !== 'GET') return undefined
  if (getCacheKeyForURL(url.href)) return answerPart(request)
  if (isKeptImage(url, request, site)) return images.handle({ request, event })
  if (isPublicRead(url)) return answers.handle({ request, event })
  if (!isOwn) return undefined
  if (url.pathname.startsWith('/assets/')) return answerPart(request)
  return mode === 'navigate' && isPage(url.pathname) ? answerPage(event, self.clients) : undefined
}

async function handleMessage(message: ToWorker, event: ExtendableMessageEvent): Promise<void> {
  switch (message.type) {
    case 'SKIP_WAITING':
      return self.skipWaiting()
    case 'SKIP_WAITING_UNSEEN':
      return (await isAnyoneLooking(self.clients)) ? undefined : self.skipWaiting()
    case 'CLAIM':
      return self.clients.claim()
    case 'KEEP_OWNERS_PARTS':
      // A page that asked is told why not, too: a full device has no room for them.
      return event.ports[0]?.postMessage(
        await keepOwnersParts(owners).then(() => ownersPartsKept, String),
      )
    case 'WARM':
      if (isSavingData(self.navigator)) return undefined
      return warm(message.urls, {
        event,
        registration: self.registration,
        keepTogether: (urls, signal) =>
          keepPages(
            urls.filter((url) => isOwnPage(new URL(url))),
            signal,
          ),
        keeperFor: (url) => {
          if (isPublicRead(url)) return answers
          return isPage(url.pathname) ? pages : images
        },
      })
  }
}

const isOwnPage = ({ origin, pathname }: URL) => origin === site.origin && isPage(pathname)
