import type { PushAddress } from '#contract/notifications/push.ts'
import {
  askPermission,
  stateWith,
  subscribe,
  unsubscribe,
  type PushChannel,
} from './push-channel.ts'
import { serviceWorkers } from '#client/browser/closable.ts'

/** Web Push without anybody between: the browser's own push service, addressed by this server's key. */
export function embeddedPush(publicKey: () => Promise<string>): PushChannel {
  return {
    state: () => stateWith(async () => (await subscription()) !== null),
    enable: async () => {
      await askPermission()
      return addressOf(await subscribe(await publicKey()))
    },
    disable: unsubscribe,
    // Nobody: the push service is the browser's own.
    forget: async () => undefined,
  }
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await serviceWorkers()?.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

function addressOf(kept: PushSubscription): PushAddress {
  const { endpoint, keys } = kept.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  return { kind: 'webpush', subscription: { endpoint: endpoint ?? '', keys: { p256dh, auth } } }
}
