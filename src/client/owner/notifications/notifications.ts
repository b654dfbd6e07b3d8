import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { v4 as newId } from 'uuid'
import { ownerCalls } from '#contract/owner-calls.ts'
import type {
  Device,
  FailedPush,
  PushAddress,
  PushOffer,
  TestOutcome,
} from '#contract/notifications/push.ts'
import { showAppBadge } from '#client/session/app-badge.ts'
import { deviceName } from '#contract/access/device-name.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { ownPush, ownPushKind } from './push.ts'
import { askPermission, stateAtOnce, type PushState } from './push-channel.ts'
import { getStored, setStored } from '#client/browser/device-storage.ts'
import { delay } from '#client/browser/delay.ts'
import { inTurn } from '#client/browser/in-turn.ts'
import { ApiError, callApi, type ApiAnswer } from '#client/data/api.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { asOwner, callAsOwner } from '#client/session/owner-call.ts'
import { clearNotifications } from '#client/session/shown-notifications.ts'
import { ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'
import { unlessGone } from '#client/owner/calls/unless-gone.ts'

/*
 * The browser's word alone is not enough to know whether this device rings: an address that the server does not know
 * never rings, so every start of the owner's pages tells it again.
 */

const deviceIdName = 'push-device'
/**
 * Holds what the owner last said of this device, in whichever tab, apart from whatever she said before: what was begun
 * earlier and ends later does not undo it.
 */
const lastWordName = 'push-last-word'
/** Her tabs give the device an address one after the other. */
const turn = 'tintero-push-device'
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
  // The longest sentences are of what is known at once: said late, they would push down what is read below them.
  placeholderData: () => stateAtOnce(),
  staleTime: 0,
})

/** Whether the server can send notifications at all, and why not. */
export const pushOfferQuery = queryOptions({
  queryKey: ['push', 'offer'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}?kind=${ownPushKind}`)).json as PushOffer,
  ...ownerRead,
})

export const devicesQuery = queryOptions({
  queryKey: ['push', 'devices'],
  queryFn: async () => (await callAsOwner('GET', ownerCalls.devices)).json as readonly Device[],
  ...ownerRead,
})

export const failedPushesQuery = queryOptions({
  queryKey: ['push', 'failed'],
  queryFn: async () =>
    (await callAsOwner('GET', `${ownerCalls.push}/failed`)).json as readonly FailedPush[],
  ...ownerRead,
})

/** The server's id of this device; undefined when it does not ring. */
export function ownDeviceId(): string | undefined {
  return getStored(deviceIdName) || undefined
}

/** Call it first in a click, because the browser asks the person. */
export async function turnOn(queryClient: QueryClient): Promise<void> {
  await askPermission()
  const word = say('on')
  // Her turn ends before she is asked to sign in: another tab may wait behind it.
  await asOwner((token) =>
    inTurn(turn, () =>
      register(word, (body) => callApi('POST', ownerCalls.devices, { body, token })),
    ),
  )
  await refreshNotifications(queryClient)
}

/** Resolves false when the server could not be told; it then finds the address gone. */
export async function turnOff(queryClient: QueryClient): Promise<boolean> {
  say('off')
  const isTold = await silence(ownDeviceId())
  await refreshNotifications(queryClient)
  return isTold
}

/**
 * Runs before the session ends, so that the next person at this device is not told of messages. Takes two seconds at
 * most.
 */
export async function unsubscribeDevice(): Promise<void> {
  showAppBadge(0)
  say('off')
  const gone = Promise.allSettled([silence(ownDeviceId()), clearNotifications()])
  await Promise.race([gone, delay(leavesWithinMs)])
}

/**
 * Tells the server this device's address again, and gets a new one where the browser has lost it; a device that was
 * removed from the list falls silent instead. Never rejects.
 */
export function healNotifications(queryClient: QueryClient): Promise<void> {
  return inTurn(turn, () => healInTurn(queryClient))
}

async function healInTurn(queryClient: QueryClient): Promise<void> {
  const word = lastWord()
  try {
    const state = await channel.state()
    const wasOn = ownDeviceId() !== undefined
    if (state === 'denied' && wasOn) await silence(ownDeviceId())
    const isHealable = state === 'on' || (state === 'off' && wasOn && isAllowed())
    if (!isHealable || isSilencedSince(word)) return
    await register(word, (body) =>
      callInBackground('POST', ownerCalls.devices, { body: { ...body, heal: true } }),
    )
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.code === 'dispositivo-quitado')) {
      return logProblem('Could not make sure that this device rings', cause)
    }
    // What she said since then counts, and is carried out by whoever heard it.
    if (lastWord() !== word) return
    // The server has no address either.
    await silence(undefined)
    await refreshNotifications(queryClient)
  }
}

/** Has the browser make an address and tells the server, unless she silences the device meanwhile. Run it in turn. */
async function register(
  word: string | undefined,
  tell: (body: ReturnType<typeof deviceOf>) => Promise<ApiAnswer>,
): Promise<void> {
  let id: string | undefined
  try {
    const address = await channel.enable()
    if (isSilencedSince(word)) return
    const { json } = await tell(deviceOf(address))
    id = (json as Device).id
    if (!isSilencedSince(word)) setStored(deviceIdName, id)
  } finally {
    // What was silenced then may not have known of this address.
    if (isSilencedSince(word)) await silence(id)
  }
}

/** Notes what the owner says of this device, before anything is done about it. */
function say(what: 'on' | 'off'): string {
  const word = `${what} ${newId()}`
  setStored(lastWordName, word)
  return word
}

function lastWord(): string | undefined {
  return getStored(lastWordName)
}

function isSilencedSince(word: string | undefined): boolean {
  const last = lastWord()
  return last !== word && last?.startsWith('off') === true
}

/** Resolves to the outcome of a sample notification. */
export async function testDevice(queryClient: QueryClient, id: string): Promise<TestOutcome> {
  const { json } = await callAsOwner('POST', `${ownerCalls.devices}/test/${id}`)
  await refreshNotifications(queryClient)
  return json as TestOutcome
}

/** Takes a device off the list at the server, which rings it no more. */
export async function removeDevice(queryClient: QueryClient, id: string): Promise<void> {
  await unlessGone(callAsOwner('DELETE', `${ownerCalls.devices}/${id}`))
  await refreshNotifications(queryClient)
}

/** Sends the notification once more, or forgets it. */
export async function settleFailedPush(
  queryClient: QueryClient,
  id: string,
  what: 'retry' | 'discard',
): Promise<void> {
  try {
    if (what === 'retry') await callAsOwner('POST', `${ownerCalls.push}/failed/retry/${id}`)
    else await unlessGone(callAsOwner('DELETE', `${ownerCalls.push}/failed/${id}`))
  } finally {
    // Another page may have settled it.
    await refreshNotifications(queryClient)
  }
}

function refreshNotifications(queryClient: QueryClient): Promise<void> {
  return readAnew(queryClient, ['push'])
}

/**
 * The device is silent from the first step on, whatever the network does; the push service and the server hear of it
 * together.
 */
async function silence(id: string | undefined): Promise<boolean> {
  setStored(deviceIdName, '')
  await channel
    .disable()
    .catch((cause: unknown) => logProblem('The browser kept its push address', cause))
  const signal = AbortSignal.timeout(hearsWithinMs)
  const [told] = await Promise.allSettled([
    id === undefined
      ? undefined
      : unlessGone(callInBackground('DELETE', `${ownerCalls.devices}/${id}`, { signal })),
    Promise.race([channel.forget(), delay(hearsWithinMs)]),
  ])
  if (told.status === 'fulfilled') return true
  logProblem('The server was not told that this device is silent', told.reason)
  return false
}

function deviceOf(address: PushAddress) {
  return { address, label: deviceName(navigator) }
}

function isAllowed(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}
