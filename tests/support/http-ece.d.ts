/** The part of the library that is used here; it brings no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Receiver {
    readonly version: 'aes128gcm'
    readonly privateKey: ECDH
    readonly authSecret: Buffer
  }
  export function decrypt(sealed: Buffer, receiver: Receiver): Buffer
}
