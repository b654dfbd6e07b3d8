import type { PushAddress, PushKind } from '#contract/notifications/push.ts'
import {
  askPermission,
  stateWith,
  subscribe,
  unsubscribe,
  workerRegistration,
  type PushChannel,
} from './push-channel.ts'

/** The kind of address that this build makes. */
export const ownPushKind: PushKind = import.meta.env.VITE_FIREBASE_PUSH ? 'fcm' : 'webpush'

/** How this build rings devices; `publicKey` asks the server for the key that addresses are made for. */
export function ownPush(publicKey: () => Promise<string>): PushChannel {
  // Spelled out, so that a build without Firebase leaves it out.
  return import.meta.env.VITE_FIREBASE_PUSH
    ? firebasePush(import.meta.env.VITE_FIREBASE_PUSH)
    : embeddedPush(publicKey)
}

/** Web Push through the browser's own push service, without a service between. */
function embeddedPush(publicKey: () => Promise<string>): PushChannel {
  return {
    state: () => stateWith(isSubscribed),
    enable: async () => {
      await askPermission()
      return addressOf(await subscribe(await publicKey()))
    },
    disable: unsubscribe,
    // There is no service between to tell.
    forget: async () => undefined,
  }
}

function addressOf(kept: PushSubscription): PushAddress {
  const { endpoint, keys } = kept.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  return { kind: 'webpush', subscription: { endpoint: endpoint ?? '', keys: { p256dh, auth } } }
}

/** Firebase's code loads once it is needed: after the browser's question, which must follow the click at once. */
function firebasePush(vapidKey: string): PushChannel {
  return {
    state: () => stateWith(isSubscribed),
    enable: async () => {
      await askPermission()
      const { registerDevice } = await import('../firebase/push.ts')
      return registerDevice(vapidKey)
    },
    // Without Firebase's code, which may not come any more: no address, no notification.
    disable: unsubscribe,
    forget: async () => (await import('../firebase/push.ts')).forgetDevice(),
  }
}

async function isSubscribed(): Promise<boolean> {
  const registration = await workerRegistration()
  return Boolean(await registration?.pushManager.getSubscription())
}
