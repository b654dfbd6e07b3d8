import type { PushAddress } from '#contract/notifications/push.ts'
import { isIos, isStandalone } from '#client/offline/install.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { inTurn } from '#client/browser/in-turn.ts'

/** Whether this device rings: it cannot, it was told not to, it could, it does, or it would once installed. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on' | 'needs-install'

/** How this device is rung; one side speaks to the browser alone, another through Firebase. */
export interface PushChannel {
  /** The state as far as the browser knows it. Never asks for anything. */
  state(): Promise<PushState>
  /**
   * Has the browser give out an address, asking the person first: to be called first thing in a click.
   * The same address as before when there is a good one. Rejects with `PushRefused`.
   */
  enable(): Promise<PushAddress>
  /** Gives the address back in the browser: from then on nothing arrives. Needs no connection. */
  disable(): Promise<void>
  /** Tells whoever stands between the server and the browser that the address is gone, once it is. */
  forget(): Promise<void>
}

/** Why a device cannot be rung: the person said no, the browser's push service is silent, or the browser refuses. */
export class PushRefused extends Error {
  readonly why: 'denied' | 'silent' | 'refused'

  constructor(why: PushRefused['why'], cause?: unknown) {
    super(`No push address: ${why}`, { cause })
    this.name = 'PushRefused'
    this.why = why
  }
}

/** Without a network the browser's push service never answers; then it is given up after this many milliseconds. */
const answersWithinMs = 20_000
/** Where no worker comes within this many milliseconds, as under development, there will be none. */
const registersWithinMs = 3_000

/** The state but for the address, which each side looks up in its own way. */
export async function stateWith(hasAddress: () => Promise<boolean>): Promise<PushState> {
  if (!('Notification' in globalThis) || !('PushManager' in globalThis)) {
    return isIos(navigator) && !isStandalone() ? 'needs-install' : 'unsupported'
  }
  if (!serviceWorkers()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if ((await workerRegistration()) === undefined) return 'unsupported'
  return Notification.permission === 'granted' && (await hasAddress()) ? 'on' : 'off'
}

/** Asks the person; nothing may come between the click and this, or Safari does not ask. */
export async function askPermission(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied')
}

/** The worker that will be rung; undefined where none looks after the site. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = serviceWorkers()
  if (!workers) return undefined
  if (await workers.getRegistration()) return workers.ready
  // On a first visit it is registered only once the page has loaded.
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, registersWithinMs))
  return Promise.race([workers.ready, late])
}

/** The browser's address for this server's key, made where there is none; one for another key is given back first. */
export async function subscribe(key: string): Promise<PushSubscription> {
  const registration = await workerRegistration()
  if (!registration) throw new PushRefused('refused')
  const { pushManager } = registration
  // Two at once, as a press during the look at the start, would give back the address that the other one has just made.
  const asked = inTurn('push-address', async () => {
    const kept = await pushManager.getSubscription()
    if (kept && keyOf(kept) === key) return kept
    await kept?.unsubscribe()
    const made = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    return within(answersWithinMs, made)
  })
  return within(answersWithinMs, asked)
}

/** Gives the browser's address back, where there is one. */
export async function unsubscribe(): Promise<void> {
  // Not the one that is ready: a worker that never gets there is not waited for.
  const registration = await serviceWorkers()?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const base64 = btoa(String.fromCodePoint(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new PushRefused('silent')), ms)
  try {
    return await Promise.race([promise, late])
  } catch (cause) {
    throw cause instanceof PushRefused ? cause : new PushRefused('refused', cause)
  } finally {
    clearTimeout(timer)
  }
}
