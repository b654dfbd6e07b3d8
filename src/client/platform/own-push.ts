import type { PushChannel } from './push-channel.ts'
import { embeddedPush } from './push-embedded.ts'

/** How this build rings devices; `publicKey` asks the server for the key that addresses are made for. */
export function ownPush(publicKey: () => Promise<string>): PushChannel {
  return embeddedPush(publicKey)
}
