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
 * Whether this device rings, and which others do. The browser's word alone is not enough: an address that the server does
 * not know never rings, so every start of the owner's tells it again.
 */

const deviceIdName = 'push-device'
/** The server keeps the address of a device that leaves without its word until the push service calls it gone. */
const leavesWithinMs = 2_000
/** A device that was switched off does not wait longer than this for those who rang it to hear of it. */
const hearsWithinMs = 10_000

const channel = ownPush(async () => {
  const { json } = await callInBackground('GET', ownerCalls.push)
  return (json as PushOffer).publicKey
})

/** What the browser says of this device, together with what the server is ready for. */
export const pushStateQuery = queryOptions({
  queryKey: ['push', 'state'],
  queryFn: (): Promise<PushState> => channel.state(),
  staleTime: 0,
})

/** Whether the server can ring anybody, and why not. */
export const pushOfferQuery = queryOptions({
  queryKey: ['push', 'offer'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}?kind=${ownPushKind}`)).json as PushOffer,
  staleTime: 0,
})

/** The devices that ring. */
export const devicesQuery = queryOptions({
  queryKey: ['push', 'devices'],
  queryFn: async () => (await callAsOwner('GET', ownerCalls.devices)).json as readonly Device[],
  staleTime: 0,
})

/** The notifications that were given up. */
export const failedPushesQuery = queryOptions({
  queryKey: ['push', 'failed'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}/failed`)).json as readonly FailedPush[],
  staleTime: 0,
})

/** The id under which the server knows this device; undefined when it does not ring. */
export function ownDeviceId(): string | undefined {
  return getStored(deviceIdName) || undefined
}

/** Makes this device ring. To be called first thing in a click: the browser asks the person. */
export async function turnOn(queryClient: QueryClient): Promise<void> {
  const address = await channel.enable()
  const { json } = await callAsOwner('POST', ownerCalls.devices, { body: deviceOf(address) })
  setStored(deviceIdName, (json as Device).id)
  await refreshNotifications(queryClient)
}

/** Makes this device silent; resolves false when the server could not be told, which then finds the address gone. */
export async function turnOff(queryClient: QueryClient): Promise<boolean> {
  const isTold = await leave()
  await refreshNotifications(queryClient)
  return isTold
}

/** Before the session ends: nobody who sits here next is told of messages. Takes two seconds at most. */
export async function unsubscribeDevice(): Promise<void> {
  showAppBadge(0)
  const gone = Promise.allSettled([leave(), clearNotifications()])
  await Promise.race([gone, delay(leavesWithinMs)])
}

/**
 * Tells the server this device's address again, and gets a new one where the browser has lost it; a device that was
 * removed from the list meanwhile falls silent instead. Never rejects.
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
      // The server has no more of it than this page has.
      setStored(deviceIdName, '')
      await leave()
      return refreshNotifications(queryClient)
    }
    logProblem('Could not make sure that this device rings', cause)
  }
}

/** Has a sample notification sent to the device; the answer says in words what came of it. */
export async function testDevice(queryClient: QueryClient, id: string): Promise<TestOutcome> {
  const { json } = await callAsOwner('POST', `${ownerCalls.devices}/test/${id}`)
  await refreshNotifications(queryClient)
  return json as TestOutcome
}

/** Makes another device silent. */
export async function removeDevice(queryClient: QueryClient, id: string): Promise<void> {
  await callAsOwner('DELETE', `${ownerCalls.devices}/${id}`)
  await refreshNotifications(queryClient)
}

/** Sends a notification that was given up once more, or forgets it. */
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

/** Silent from the first step on, whatever the network does; then those who rang this device are told at once. */
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
