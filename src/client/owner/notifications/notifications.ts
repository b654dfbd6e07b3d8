import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownerCalls } from '#contract/owner-calls.ts'
import type {
  Device,
  FailedPush,
  PushAddress,
  PushOffer,
  TestOutcome,
} from '#contract/notifications/push.ts'
import { showAppBadge } from './app-badge.ts'
import { deviceName } from '#contract/access/device-name.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { clearNotifications } from './notification.ts'
import { ownPush, ownPushKind } from './push.ts'
import type { PushState } from './push-channel.ts'
import { getStored, setStored } from '#client/browser/device-storage.ts'
import { delay } from '#client/browser/delay.ts'
import { ApiError } from '#client/data/api.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { callAsOwner } from '#client/session/owner-call.ts'

/*
 * The browser's word alone is not enough to know whether this device rings: an address that the server does not know
 * never rings, so every start of the owner's pages tells it again.
 */

const deviceIdName = 'push-device'
/**
 * The limit for telling the server, in milliseconds; an address it is not told of stays until the push service reports
 * it gone.
 */
const leavesWithinMs = 2_000
/** The limit for telling the push service when a device is switched off, in milliseconds. */
const hearsWithinMs = 10_000

const channel = ownPush(async () => {
  const { json } = await callInBackground('GET', ownerCalls.push)
  return (json as PushOffer).publicKey
})

/** The browser's state, together with what the server is ready for. */
export const pushStateQuery = queryOptions({
  queryKey: ['push', 'state'],
  queryFn: (): Promise<PushState> => channel.state(),
  staleTime: 0,
})

/** Whether the server can send notifications at all, and why not. */
export const pushOfferQuery = queryOptions({
  queryKey: ['push', 'offer'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}?kind=${ownPushKind}`)).json as PushOffer,
  staleTime: 0,
})

export const devicesQuery = queryOptions({
  queryKey: ['push', 'devices'],
  queryFn: async () => (await callAsOwner('GET', ownerCalls.devices)).json as readonly Device[],
  staleTime: 0,
})

export const failedPushesQuery = queryOptions({
  queryKey: ['push', 'failed'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}/failed`)).json as readonly FailedPush[],
  staleTime: 0,
})

/** The server's id of this device; undefined when it does not ring. */
export function ownDeviceId(): string | undefined {
  return getStored(deviceIdName) || undefined
}

/** Call it first in a click, because the browser asks the person. */
export async function turnOn(queryClient: QueryClient): Promise<void> {
  const address = await channel.enable()
  const { json } = await callAsOwner('POST', ownerCalls.devices, { body: deviceOf(address) })
  setStored(deviceIdName, (json as Device).id)
  await refreshNotifications(queryClient)
}

/** Resolves false when the server could not be told; it then finds the address gone. */
export async function turnOff(queryClient: QueryClient): Promise<boolean> {
  const isTold = await leave()
  await refreshNotifications(queryClient)
  return isTold
}

/**
 * Runs before the session ends, so that the next person at this device is not told of messages. Takes two seconds at
 * most.
 */
export async function unsubscribeDevice(): Promise<void> {
  showAppBadge(0)
  const gone = Promise.allSettled([leave(), clearNotifications()])
  await Promise.race([gone, delay(leavesWithinMs)])
}

/**
 * Tells the server this device's address again, and gets a new one where the browser has lost it; a device that was
 * removed from the list falls silent instead. Never rejects.
 */
export async function healNotifications(queryClient: QueryClient): Promise<void> {
  try {
    const state = await channel.state()
    const wasOn = ownDeviceId() !== undefined
    if (state === 'denied' && wasOn) await leave()
    const isHealable = state === 'on' || (state === 'off' && wasOn && isAllowed())
    if (!isHealable) return
    const body = { ...deviceOf(await channel.enable()), heal: true }
    const { json } = await callInBackground('POST', ownerCalls.devices, { body })
    setStored(deviceIdName, (json as Device).id)
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === 'dispositivo-quitado') {
      // The server has no address either.
      setStored(deviceIdName, '')
      await leave()
      return refreshNotifications(queryClient)
    }
    logProblem('Could not make sure that this device rings', cause)
  }
}

/** Resolves to the outcome of a sample notification. */
export async function testDevice(queryClient: QueryClient, id: string): Promise<TestOutcome> {
  const { json } = await callAsOwner('POST', `${ownerCalls.devices}/test/${id}`)
  await refreshNotifications(queryClient)
  return json as TestOutcome
}

/** Takes a device off the list at the server, which rings it no more. */
export async function removeDevice(queryClient: QueryClient, id: string): Promise<void> {
  await callAsOwner('DELETE', `${ownerCalls.devices}/${id}`)
  await refreshNotifications(queryClient)
}

/** Sends the notification once more, or forgets it. */
export async function settleFailedPush(
  queryClient: QueryClient,
  id: string,
  what: 'retry' | 'discard',
): Promise<void> {
  if (what === 'retry') await callAsOwner('POST', `${ownerCalls.push}/failed/retry/${id}`)
  else await callAsOwner('DELETE', `${ownerCalls.push}/failed/${id}`)
  await refreshNotifications(queryClient)
}

function refreshNotifications(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['push'] })
}

/**
 * The device is silent from the first step on, whatever the network does; the push service and the server hear of it
 * together.
 */
async function leave(): Promise<boolean> {
  const id = ownDeviceId()
  setStored(deviceIdName, '')
  await channel
    .disable()
    .catch((cause: unknown) => logProblem('The browser kept its push address', cause))
  const signal = AbortSignal.timeout(hearsWithinMs)
  const [told] = await Promise.allSettled([
    id === undefined
      ? undefined
      : callInBackground('DELETE', `${ownerCalls.devices}/${id}`, { signal }),
    Promise.race([channel.forget(), delay(hearsWithinMs)]),
  ])
  return told.status === 'fulfilled'
}

function deviceOf(address: PushAddress) {
  return { address, label: deviceName(navigator) }
}

function isAllowed(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}
