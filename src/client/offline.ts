import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { offlineTexts } from '#contract/texts-offline.ts'
import { isQueueFilled } from './data/outbox/remember-queue.ts'
import { setVoice } from './data/outbox/voice.ts'
import { keepOffline } from './data/persist.ts'
import { refreshSettings } from './data/refresh-settings.ts'
import { rereadCopies } from './data/reread-copies.ts'
import { getSession, onSession } from './data/session.ts'
import { quiet } from './data/unsaved.ts'
import { warmUp } from './data/warm.ts'
import { watchNetwork } from './platform/connection.ts'
import { caughtInstallPrompt } from './platform/install-event.ts'
import { countVisit, mayOffer, offerAfterMs, thisMoment } from './platform/install-offer.ts'
import { followInstall, showInstallOffer, watchInstall } from './platform/install.ts'
import { logProblem } from './platform/log.ts'
import { applyUpdate, startWorker } from './platform/worker.ts'
import { queueVoice } from './sections/queue-voice.ts'
import { notify } from './ui/notices.ts'

/** The longest time a timer takes, in milliseconds: the offer stays until it is answered. */
const stays = 2 ** 31 - 1
/** From letting a new version in to the reload that it brings, in milliseconds, at the latest. */
const reloadsWithinMs = 5_000

interface Arrivals {
  subscribe(event: 'onRendered', listener: () => void): () => void
}

/** Lets the page live without a connection; resolves once what the device kept is in the cache. */
export async function startOffline(queryClient: QueryClient, router: Arrivals): Promise<void> {
  setVoice(queueVoice)
  watchNetwork()
  rereadCopies(queryClient)
  const onDrain = () => void sendQueued(queryClient)
  onSession(onDrain)
  addEventListener('online', onDrain)
  document.addEventListener('visibilitychange', onDrain)
  const queued = sendQueued(queryClient)
  // The library assumes a connection until it hears otherwise.
  onlineManager.setOnline(navigator.onLine)
  const kept = keepOffline({ queryClient, onTrouble: queueVoice.nothingKept })
  void startWorker({
    quiet: () => quiet(''),
    onReady: () => void offerUpdate(queryClient),
    onDrain: () => sendQueued(queryClient),
  })
    .then(() => kept)
    .then(whenIdle)
    .then(() => warmUp(queryClient))
  startInstallOffer(router)
  await Promise.all([kept, queued])
  refreshSettings(queryClient)
  if (import.meta.env.VITE_FIREBASE_CONFIG) void followFirebase(queryClient)
}

/** The settings that are published at Firebase, in a build that asks for them there. */
async function followFirebase(queryClient: QueryClient): Promise<void> {
  try {
    const { followRemoteSettings } = await import('./data/remote-settings.ts')
    await followRemoteSettings(queryClient, async (freshMs, onNews) => {
      const { followRemoteConfig } = await import('./platform/firebase/remote-config.ts')
      await followRemoteConfig(freshMs, onNews)
    })
  } catch (cause) {
    // Without a connection its code does not come; the device's copy is shown by then.
    logProblem('Firebase was not asked for the settings', cause)
  }
}

/**
 * Opens the queue of changes where there may be one, and sends it; a visitor with nothing to send never loads its code.
 * Resolves to whether the owner's changes are sent from here.
 */
async function sendQueued(queryClient: QueryClient): Promise<boolean> {
  if (getSession().token === undefined && !isQueueFilled()) return false
  const { mayPublish, pageOutbox } = await import('./data/outbox/page-outbox.ts')
  const outbox = pageOutbox(queryClient)
  await outbox.opened
  outbox.wake()
  return mayPublish()
}

/** Offers to install at a good moment. */
function startInstallOffer(router: Arrivals): void {
  countVisit(Date.now())
  watchInstall(caughtInstallPrompt())
  followInstall(considerOffer)
  router.subscribe('onRendered', considerOffer)
  setTimeout(considerOffer, Math.max(0, offerAfterMs - performance.now()))
  considerOffer()
}

function considerOffer(): void {
  const isOverForm = document.querySelector('main form') !== null
  if (isOverForm) showInstallOffer(false)
  else if (mayOffer(thisMoment())) showInstallOffer(true)
}

async function offerUpdate(queryClient: QueryClient): Promise<void> {
  const { updateReady, updateApply, updateLater } = offlineTexts
  const options = { action: updateApply, stays }
  const isWanted = await notify('info-snackbar', updateReady, options)
  if (!isWanted) return
  // What is pressed from here on would be lost with the page; and a link under the pointer would fetch ahead.
  document.body.inert = true
  await fetched(queryClient)
  const when = await applyUpdate()
  if (when === 'later') void notify('info-snackbar', updateLater)
  setTimeout(() => (document.body.inert = false), when === 'later' ? 0 : reloadsWithinMs)
}

/** Resolves once no query is on its way: a request that meets a worker which is just leaving starts it again, and it stays. */
function fetched(queryClient: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (queryClient.isFetching() > 0) return
      stop()
      resolve()
    }
    const stop = queryClient.getQueryCache().subscribe(check)
    check()
  })
}

function whenIdle(): Promise<void> {
  const later = globalThis.requestIdleCallback ?? setTimeout
  return new Promise((resolve) => later(() => resolve()))
}
