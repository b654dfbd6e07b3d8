import type { ECDH } from 'node:crypto'
import { decrypt } from 'http_ece'
import { parsePushMessage, type PushMessage } from '#contract/notifications/push.ts'

/** The half of a subscription that only the browser has. */
interface Receiver {
  readonly browser: ECDH
  readonly auth: Buffer
}

/** What a push says, read by the reference implementation of RFC 8188. Throws when it is not for this receiver. */
export function decryptPush(body: Buffer, { browser, auth }: Receiver): string {
  const receiver = { version: 'aes128gcm', privateKey: browser, authSecret: auth } as const
  return decrypt(body, receiver).toString()
}

/** The notification in a push. Throws for anything else. */
export function readPush(body: Buffer, receiver: Receiver): PushMessage {
  const message = parsePushMessage(JSON.parse(decryptPush(body, receiver)))
  if (!message) throw new Error('a push that is no notification')
  return message
}
