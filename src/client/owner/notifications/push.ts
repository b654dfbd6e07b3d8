import type { PushKind } from '#contract/notifications/push.ts'
import {
  askPermission,
  stateWith,
  unsubscribe,
  workerRegistration,
  type PushChannel,
} from './push-channel.ts'
import { embeddedPush } from './push-embedded.ts'

/** The kind of address that this build makes. */
export const ownPushKind: PushKind = import.meta.env.VITE_FIREBASE_PUSH ? 'fcm' : 'webpush'

/** How this build rings devices; `publicKey` asks the server for the key that addresses are made for. */
export function ownPush(publicKey: () => Promise<string>): PushChannel {
  // Spelled out, so that a build without Firebase leaves it out.
  return import.meta.env.VITE_FIREBASE_PUSH
    ? firebasePush(import.meta.env.VITE_FIREBASE_PUSH)
    : embeddedPush(publicKey)
}

/** Through Firebase, whose code comes once it is needed: after the question, which must follow the click at once. */
function firebasePush(vapidKey: string): PushChannel {
  return {
    state: () =>
      stateWith(async () => {
        const registration = await workerRegistration()
        return Boolean(await registration?.pushManager.getSubscription())
      }),
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
