import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { hiddenPlace } from '#contract/offline/offline.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { isQueueFilled } from '#client/data/queue-note.ts'
import { openOutboxStore } from '#client/outbox/store.ts'
import { setOutboxListener } from '#client/outbox/outbox-events.ts'
import { askForOwnersParts } from './owner-parts.ts'
import { followMissingParts, type Arrivals } from './missing-parts.ts'
import { keepOffline } from './persist.ts'
import { refreshSettings } from './refresh-settings.ts'
import { rereadCopies } from './reread-copies.ts'
import { getSession, isKept, isSomebody, onSession } from '#client/data/session.ts'
import { quiet } from '#client/data/unsaved.ts'
import { warmUp } from './warm.ts'
import { watchNetwork } from '#client/browser/connection.ts'
import { isDatabase } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'
import { askAgain } from '#client/data/part.ts'
import { caughtInstallPrompt } from '#client/browser/early/install-event.ts'
import { countVisit, mayOffer, offerAfterMs, thisMoment } from './install-offer.ts'
import { installing, showInstallOffer, watchInstall } from './install.ts'
import { keptSince } from '#client/browser/early/kept-page.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { leftName, getStored } from '#client/browser/device-storage.ts'
import { applyUpdate, startWorker } from './worker.ts'
import { queueNotices } from '#client/outbox/queue-notices.ts'
import { showNotice } from '#client/ui/notices.ts'

const outboxStore = openOutboxStore()
/** The longest time a timer takes, in milliseconds: the offer stays until it is answered. */
const stays = 2 ** 31 - 1
/** From letting a new version in to the reload that it brings, in milliseconds, at the latest. */
const reloadsWithinMs = 5_000

/** Lets the page live without a connection; resolves once what the device kept is in the cache. */
export async function startOffline(queryClient: QueryClient, router: Arrivals): Promise<void> {
  askForOwnersTools()
  setOutboxListener(queueNotices)
  watchNetwork()
  rereadCopies(queryClient)
  const onDrain = () => {
    askForOwnersParts()
    void sendQueued(queryClient)
  }
  onSession(onDrain)
  addEventListener('online', onDrain)
  document.addEventListener('visibilitychange', onDrain)
  const queued = sendQueued(queryClient)
  void forgetUnreadHidden().catch(logged('Hidden entries were not looked for'))
  // The library assumes a connection until it hears otherwise.
  onlineManager.setOnline(navigator.onLine)
  // What stands in a page that the worker had kept is as old as that.
  if (keptSince()) void queryClient.invalidateQueries()
  const kept = keepOffline({ queryClient, onTrouble: queueNotices.nothingKept })
  void startWorker({
    quiet: () => quiet(''),
    onReady: () => void offerUpdate(),
    onDrain: () => sendQueued(queryClient),
  })
    .then(askForOwnersParts)
    .then(() => kept)
    .then(whenIdle)
    .then(() => warmUp(queryClient))
  followMissingParts(router)
  startInstallOffer(router)
  // A database that never opens must not keep the page from being drawn, nor code that is long in coming; each says so itself.
  await Promise.all([kept, inTime(queued).catch(() => undefined)])
  refreshSettings(queryClient)
  if (import.meta.env.VITE_FIREBASE_CONFIG) {
    // Without a connection its code does not come; the device's copy is shown by then.
    void followFirebase(queryClient).catch(logged('Firebase was not asked'))
  }
}

/** The owner's tools come while the device's own copy is read, where nothing is drawn before that. */
function askForOwnersTools(): void {
  if (!isSomebody(getSession()) || document.getElementById('state')) return
  // A sheet that did not come is passed over by whoever asks for the part later.
  loadOwnersTools().catch(() => askAgain(loadOwnersTools))
}

async function loadOwnersTools(): Promise<void> {
  await import('#client/owner/shell/owner-tools.tsx')
}

const logged = (what: string) => (cause: unknown) => logProblem(what, cause)

/** The settings that are published at Firebase, in a build that asks for them there. */
async function followFirebase(queryClient: QueryClient): Promise<void> {
  const { followRemoteSettings } = await import('#client/data/remote-settings.ts')
  await followRemoteSettings(queryClient, async (...news) =>
    (await import('#client/browser/firebase/remote-config.ts')).followRemoteConfig(...news),
  )
}

/**
 * Opens the queue of changes where there may be one, and sends it; a visitor with nothing to send never loads its code.
 * Resolves to whether the owner's changes are sent from here.
 */
async function sendQueued(queryClient: QueryClient): Promise<boolean> {
  const isNobodyYet = getSession().token === undefined && isKept()
  const renewal = getStored(leftName) || isNobodyYet ? caughtUp() : undefined
  if (!isSomebody(getSession()) && !(await hasQueue())) return false
  try {
    const { mayPublish, pageOutbox } = await import('#client/outbox/page-outbox.ts')
    const outbox = pageOutbox(queryClient)
    await outbox.opened
    await renewal
    void outbox.drain()
    return mayPublish()
  } catch (cause) {
    // Its code does not come to a page that is just being left; what waits is sent from the next one.
    logProblem('The queue was not opened', cause)
    return false
  }
}

async function caughtUp(): Promise<void> {
  await import('#client/session/renewal.ts')
    .then(({ catchUp }) => catchUp())
    .catch(logged('No code for sessions came'))
}

/** What she hides is on no disk for longer than somebody may read it: her session may have ended while the browser was closed. */
async function forgetUnreadHidden(): Promise<void> {
  if (isSomebody(getSession()) || !(await isDatabase(hiddenPlace.database))) return
  await (await import('#client/session/hidden-copy.ts')).forgetUnread()
}

/** Whether an earlier page, which may have been killed, left something in the queue: only the database itself knows. */
async function hasQueue(): Promise<boolean> {
  if (isQueueFilled()) return true
  try {
    return (await inTime(outboxStore.read())).length > 0
  } catch {
    return false // Where storage is closed to us nothing was kept either; that is told for the copy.
  }
}

/** Offers to install at a good moment. */
function startInstallOffer(router: Arrivals): void {
  countVisit(Date.now())
  watchInstall(caughtInstallPrompt())
  installing.subscribe(considerOffer)
  router.subscribe('onRendered', considerOffer)
  setTimeout(considerOffer, Math.max(0, offerAfterMs - performance.now()))
  considerOffer()
}

/** A page with a form that was `drawn` takes it away; whoever asks for it over one gets it. */
function considerOffer(drawn?: object): void {
  const isOverForm = document.querySelector('main form') !== null
  if (isOverForm && drawn) showInstallOffer(false)
  else if (!isOverForm && mayOffer(thisMoment())) showInstallOffer(true)
}

/** A notice that stands, or was accepted, lets in whatever version is the newest by then. */
let isOffered = false

async function offerUpdate(): Promise<void> {
  if (isOffered) return
  isOffered = true
  const { updateReady, updateApply, updateLater } = offlineTexts
  const options = { action: updateApply, stays }
  isOffered = await showNotice('info-snackbar', updateReady, options)
  if (!isOffered) return
  // What is pressed from here on would be lost with the page; and a link under the pointer would fetch ahead.
  document.body.inert = true
  const when = await applyUpdate()
  if (when === 'later') void showNotice('info-snackbar', updateLater)
  setTimeout(() => (document.body.inert = false), when === 'later' ? 0 : reloadsWithinMs)
}

function whenIdle(): Promise<void> {
  const later = globalThis.requestIdleCallback ?? setTimeout
  return new Promise((resolve) => later(() => resolve()))
}
