import type { PushAddress } from '#contract/notifications/push.ts'
import { isIos, isStandalone } from '#client/offline/install.ts'
import { serviceWorkers } from '#client/browser/closable.ts'
import { inTurn } from '#client/browser/in-turn.ts'

/** `denied`: the person refused; `off`: it could ring; `needs-install`: it could once the application is installed. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on' | 'needs-install'

export interface PushChannel {
  /** The state as far as the browser knows it; never asks the person. */
  state(): Promise<PushState>
  /**
   * Gets an address from the browser, which the person has allowed before. A valid address stays the same. Rejects with
   * `PushRefused`.
   */
  enable(): Promise<PushAddress>
  /** Gives the address back in the browser: from then on no notification arrives. Needs no connection. */
  disable(): Promise<void>
  /** Tells a service between the server and the browser that the address is gone. */
  forget(): Promise<void>
}

/** The person refused, the browser's push service did not answer, or the browser refused. */
export class PushRefused extends Error {
  readonly why: 'denied' | 'silent' | 'refused'

  constructor(why: PushRefused['why'], cause?: unknown) {
    super(`No push address: ${why}`, { cause })
    this.name = 'PushRefused'
    this.why = why
  }
}

/** Without a network a push service never answers, so the wait ends after so many milliseconds. */
const answersWithinMs = 20_000
/** Where no worker comes within so many milliseconds, as under development, there will be none. */
const registersWithinMs = 3_000

/** The state where the browser knows it without its worker; undefined where the worker has to say. */
export function stateAtOnce(): Exclude<PushState, 'on' | 'off'> | undefined {
  if (!('Notification' in globalThis) || !('PushManager' in globalThis)) {
    return isIos(navigator) && !isStandalone() ? 'needs-install' : 'unsupported'
  }
  if (!serviceWorkers()) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : undefined
}

/** Each side looks up the address in its own way. */
export async function stateWith(hasAddress: () => Promise<boolean>): Promise<PushState> {
  const known = stateAtOnce()
  if (known) return known
  if ((await workerRegistration()) === undefined) return 'unsupported'
  return Notification.permission === 'granted' && (await hasAddress()) ? 'on' : 'off'
}

/** Call it right in the click, or Safari does not ask. Rejects with `PushRefused`. */
export async function askPermission(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied')
}

/** Undefined where the site has no worker. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = serviceWorkers()
  if (!workers) return undefined
  if (await workers.getRegistration()) return workers.ready
  // On a first visit the worker is registered only once the page has loaded.
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
    return answered(made)
  })
  return answered(asked)
}

/** Gives this browser's push address up. */
export async function unsubscribe(): Promise<void> {
  // Does not wait for `ready`, which never comes for a worker that fails to start.
  const registration = await serviceWorkers()?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const base64 = btoa(String.fromCodePoint(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What a push service answers. Rejects with `PushRefused`, also when it is silent for too long. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new PushRefused('silent')), answersWithinMs)
  try {
    return await Promise.race([answer, late])
  } catch (cause) {
    throw cause instanceof PushRefused ? cause : new PushRefused('refused', cause)
  } finally {
    clearTimeout(timer)
  }
}
