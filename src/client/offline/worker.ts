import { drainMessage, workerPath, type ToWorker } from '#contract/offline/offline.ts'
import { busyLock } from '#client/browser/busy.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { sharedLocks } from '#client/browser/locks.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { readBy } from '#client/data/api.ts'

/*
 * The page's side of the worker: registering it, noticing a new version and letting it take over. A new version waits
 * until the person agrees or nobody looks, and never takes over under unsaved text or a change on its way, whichever tab
 * that is in; each tab then reloads once.
 */

interface Page {
  /** Resolves once nothing in this tab would suffer from a reload. */
  readonly quiet: () => Promise<void>
  /** A new version waits to be let in. */
  readonly onReady: () => void
  /** The browser has found a connection again; resolves to whether the owner's changes go from this page. */
  readonly onDrain: () => Promise<boolean>
}

const tellAgainMs = 2_000
/** From the word to the new version until the old one has left, in milliseconds; longer when it is at work. */
const leavesWithinMs = 1_000
const checkEveryMs = 60 * 60 * 1000
let registration: ServiceWorkerRegistration | undefined

/** Registers the worker once the page has loaded; resolves when it looks after the page, or never where there can be none. */
export async function startWorker(page: Page): Promise<void> {
  const workers = wantedWorkers()
  if (!workers) return forever()
  readBy(fetchInTurn)
  await loaded()
  reloadOnChange(workers, page)
  workers.addEventListener('message', (event: MessageEvent<unknown>) => {
    void answerDrain(event, page.onDrain)
  })
  try {
    const { Workbox } = await import('workbox-window')
    const workbox = new Workbox(trusted(workerPath))
    workbox.addEventListener('waiting', () => {
      applyUnseen()
      page.onReady()
    })
    registration = await workbox.register()
    lookForUpdates()
    await looksAfter(workers)
  } catch (cause) {
    logProblem('The worker was not registered', cause)
    return forever()
  }
}

/**
 * Lets the waiting version take over: `now`, or `later`, as soon as no tab has unsaved text or a change on its way.
 * Every tab then reloads.
 */
export async function applyUpdate(): Promise<'now' | 'later'> {
  if (await whenNobodyIsBusy(letIn, { orNever: true })) return 'now'
  void whenNobodyIsBusy(letIn)
  return 'later'
}

/**
 * A worker that is asked for something while it leaves starts again and stays for half a minute after it was last asked, and
 * Chromium takes no second word of the new one. So no tab reads anything until the old one has left, or for a while. The new
 * one is told again, where that helps.
 */
async function letIn(): Promise<void> {
  const waiting = registration?.waiting
  if (!waiting) return
  const hasLeft = () =>
    new Promise<void>((resolve) => {
      waiting.addEventListener('statechange', () => resolve())
      setTimeout(resolve, leavesWithinMs)
      send({ type: 'SKIP_WAITING' })
    })
  await inReadingTurn('exclusive', hasLeft)
  setTimeout(() => {
    if (registration?.waiting === waiting) void whenNobodyIsBusy(letIn)
  }, tellAgainMs)
}

const letInUnseen = () =>
  inReadingTurn('exclusive', async () => send({ type: 'SKIP_WAITING_UNSEEN' }))

/** As `fetch`, when no tab lets a new version in. */
const fetchInTurn: typeof fetch = (...asked) => inReadingTurn('shared', () => fetch(...asked))

/** Runs the task under the lock; or without it when it is not to be had for a while, since an answer may be long in coming. */
async function inReadingTurn<T>(mode: LockMode, task: () => Promise<T>): Promise<T> {
  let running: Promise<T> | undefined
  const run = () => (running ??= task())
  const signal = AbortSignal.timeout(tellAgainMs)
  await sharedLocks()
    ?.request('tintero-reading', { mode, signal }, run)
    .catch(() => undefined)
  return run()
}

/** Tells the worker that looks after the page which addresses to keep. */
export function askToKeep(urls: readonly string[]): void {
  const message: ToWorker = { type: 'WARM', urls }
  serviceWorkers()?.controller?.postMessage(message)
}

/** The build that gets rid of a broken worker must not register it again. */
function wantedWorkers(): ServiceWorkerContainer | undefined {
  const isWanted = import.meta.env.PROD && import.meta.env.VITE_WORKER !== 'off'
  return isWanted && sharedLocks() ? serviceWorkers() : undefined
}

function loaded(): Promise<void> {
  if (document.readyState === 'complete') return Promise.resolve()
  return new Promise((resolve) => addEventListener('load', () => resolve(), { once: true }))
}

function forever(): Promise<never> {
  return new Promise(() => undefined)
}

/** The part of the browser's trusted types that is used here; TypeScript's library does not have them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(path: string): string },
  ): { createScriptURL(path: string): object }
}

/** The pages' policy lets scripts be named by this function only, and it names one file. */
function trusted(path: typeof workerPath): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('pwa-sw', { createScriptURL: () => path })
  // The library hands it to register() untouched, which takes both.
  return (policy?.createScriptURL(path) ?? path) as string
}

/**
 * Resolves once a worker looks after this page. One that was on its way while the first worker took over is left out until it
 * asks, and so is one that was loaded past the worker.
 */
async function looksAfter(workers: ServiceWorkerContainer): Promise<void> {
  const registered = await workers.ready
  if (workers.controller) return
  const { promise, resolve } = Promise.withResolvers<void>()
  workers.addEventListener('controllerchange', () => resolve(), { once: true })
  const message: ToWorker = { type: 'CLAIM' }
  registered.active?.postMessage(message)
  return promise
}

function reloadOnChange(workers: ServiceWorkerContainer, { quiet }: Page): void {
  let hasController = workers.controller !== null
  let isReloading = false
  workers.addEventListener('controllerchange', () => {
    // The first worker takes over a page of its very own build.
    if (hasController && !isReloading) {
      isReloading = true
      void quiet().then(() => location.reload())
    }
    hasController = true
  })
}

function lookForUpdates(): void {
  document.addEventListener('visibilitychange', look)
  setInterval(look, checkEveryMs)
}

function look(): void {
  if (document.hidden) applyUnseen()
  // Without a connection there is nothing to find; the next look will.
  else registration?.update().catch(() => undefined)
}

/** A page in nobody's sight may change without asking. */
function applyUnseen(): void {
  if (!document.hidden || !registration?.waiting) return
  void whenNobodyIsBusy(letInUnseen, { orNever: true })
}

function send(message: ToWorker): void {
  registration?.waiting?.postMessage(message)
}

/** Does what the worker asks when the browser has found a connection, and tells it when the owner's changes go from here. */
export async function answerDrain(
  { data, ports }: Pick<MessageEvent<unknown>, 'data' | 'ports'>,
  onDrain: Page['onDrain'],
): Promise<void> {
  if (isDrain(data) && (await onDrain())) ports[0]?.postMessage(drainMessage)
}

function isDrain(data: unknown): boolean {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  return type === drainMessage.type
}

/** Runs the task as soon as no tab is busy, or, with `orNever`, only when that is now; resolves to whether it ran. */
async function whenNobodyIsBusy(
  task: () => Promise<void>,
  { orNever = false }: { readonly orNever?: boolean } = {},
): Promise<boolean> {
  const isRun = await sharedLocks()?.request(busyLock, { ifAvailable: orNever }, async (lock) => {
    if (lock) await task()
    return lock !== null
  })
  return isRun === true
}
