import type { PushAddress } from '#contract/push.ts'
import { askPermission, stateWith, subscribe, type PushChannel } from './push-channel.ts'

/** Web Push without anybody between: the browser's own push service, addressed by this server's key. */
export function embeddedPush(publicKey: () => Promise<string>): PushChannel {
  return {
    state: () => stateWith(async () => (await subscription()) !== null),
    enable: async () => {
      await askPermission()
      return addressOf(await subscribe(await publicKey()))
    },
    disable: async () => {
      const kept = await subscription()
      if (kept === null) return null
      const address = addressOf(kept)
      await kept.unsubscribe()
      return address
    },
  }
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

function addressOf(kept: PushSubscription): PushAddress {
  const { endpoint, keys } = kept.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  return { kind: 'webpush', subscription: { endpoint: endpoint ?? '', keys: { p256dh, auth } } }
}
