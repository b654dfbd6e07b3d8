import { deleteInstallations, getInstallations } from 'firebase/installations'
import {
  getMessaging,
  onRegistered,
  onUnregistered,
  register,
  unregister,
  type Messaging,
} from 'firebase/messaging'
import type { PushAddress } from '#contract/notifications/push.ts'
import { logProblem } from '#client/browser/early/log.ts'
import {
  answered,
  PushRefused,
  subscribe,
  workerRegistration,
} from '../notifications/push-channel.ts'
import { getStored, setStored } from '#client/browser/device-storage.ts'
import { firebaseApp } from '#client/browser/firebase/app.ts'

/** The push address that Firebase was last told. */
const endpointName = 'firebase-endpoint'

/** Registers this browser's subscription with Firebase and resolves to its id there. */
export async function registerDevice(vapidKey: string): Promise<PushAddress> {
  const { endpoint } = await subscribe(vapidKey)
  // Her tabs take turns at it, so a service that never answers would hold up all of them.
  return answered(registered(vapidKey, endpoint))
}

async function registered(vapidKey: string, endpoint: string): Promise<PushAddress> {
  const messaging = getMessaging(firebaseApp())
  // Firebase's code looks at the subscription only once a week, so it would not notice a new one until then.
  if (getStored(endpointName) !== endpoint) await beginAnew(messaging)
  const serviceWorkerRegistration = await workerRegistration()
  if (!serviceWorkerRegistration) throw new PushRefused('refused')
  const { promise, resolve } = Promise.withResolvers<string>()
  const stop = onRegistered(messaging, resolve)
  try {
    await register(messaging, { vapidKey, serviceWorkerRegistration })
    const fid = await promise
    setStored(endpointName, endpoint)
    return { kind: 'fcm', fid }
  } finally {
    stop()
  }
}

async function beginAnew(messaging: Messaging): Promise<void> {
  if (!getStored(endpointName)) return
  const isForgotten = (await leave(messaging)) !== undefined
  // A registration that Firebase has lost cannot be deleted there, and its code would take it for valid here: only
  // another id helps.
  if (!isForgotten) await deleteInstallations(getInstallations(firebaseApp()))
}

/** For a browser whose subscription is gone already. */
export async function forgetDevice(): Promise<void> {
  const isForgotten = (await leave(getMessaging(firebaseApp()))) !== undefined
  // As long as Firebase has not forgotten it, the next registration has to begin anew.
  if (isForgotten) setStored(endpointName, '')
}

async function leave(messaging: Messaging): Promise<string | undefined> {
  let left: string | undefined
  const stop = onUnregistered(messaging, (fid) => (left = fid))
  try {
    await unregister(messaging)
  } catch (cause) {
    logProblem('Firebase does not know this device', cause)
  } finally {
    stop()
  }
  return left
}
