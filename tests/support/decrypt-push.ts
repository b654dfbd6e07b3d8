import { createDecipheriv, hkdfSync, type ECDH } from 'node:crypto'
import { parsePushMessage, type PushMessage } from '#contract/push.ts'

/** The half of a subscription that only the browser has. */
interface Receiver {
  readonly browser: ECDH
  readonly auth: Buffer
}

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** What a push says, read by the letter of RFC 8188 and RFC 8291 and not by the library that wrote it. Throws when it is not for this receiver. */
export function decryptPush(body: Buffer, { browser, auth }: Receiver): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const senderKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = hkdf(browser.computeSecret(senderKey), auth, info, 32)
  const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdf(secret, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const opened = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  const end = opened.lastIndexOf(2)
  if (end < 0) throw new Error('a record that does not end')
  return opened.subarray(0, end).toString()
}

/** The notification in a push. Throws for anything else. */
export function readPush(body: Buffer, receiver: Receiver): PushMessage {
  const message = parsePushMessage(JSON.parse(decryptPush(body, receiver)))
  if (!message) throw new Error('a push that is no notification')
  return message
}
