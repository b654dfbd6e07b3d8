import type { PushAddress, PushKind } from '#contract/notifications/push.ts'
import {
  stateWith,
  subscribe,
  unsubscribe,
  workerRegistration,
  type PushChannel,
} from './push-channel.ts'

export const ownPushKind: PushKind = import.meta.env.VITE_FIREBASE_PUSH ? 'fcm' : 'webpush'

/** `publicKey` asks the server for the key that addresses are made for. */
export function ownPush(publicKey: () => Promise<string>): PushChannel {
  // The condition is spelled out, so that a build without Firebase leaves the code out.
  return import.meta.env.VITE_FIREBASE_PUSH
    ? firebasePush(import.meta.env.VITE_FIREBASE_PUSH)
    : embeddedPush(publicKey)
}

/** Web Push through the browser's own push service, without a service between. */
function embeddedPush(publicKey: () => Promise<string>): PushChannel {
  return {
    state: () => stateWith(isSubscribed),
    enable: async () => addressOf(await subscribe(await publicKey())),
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

/** Firebase's code loads once it is needed. */
function firebasePush(vapidKey: string): PushChannel {
  return {
    state: () => stateWith(isSubscribed),
    enable: async () => {
      const { registerDevice } = await import('../firebase/push.ts')
      return registerDevice(vapidKey)
    },
    // Does without Firebase's code, which may fail to load: without an address no notification arrives.
    disable: unsubscribe,
    forget: async () => (await import('../firebase/push.ts')).forgetDevice(),
  }
}

async function isSubscribed(): Promise<boolean> {
  const registration = await workerRegistration()
  return Boolean(await registration?.pushManager.getSubscription())
}
