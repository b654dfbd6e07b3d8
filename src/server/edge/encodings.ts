import { compress } from './compression.ts'
import type { Encoding } from './content-encoding.ts'

/** Makes each encoding when it is first asked for. */
export interface Encodings {
  readonly plain: Buffer
  /** A promise only for the first reader of an encoding. */
  as(encoding: Encoding): Buffer | Promise<Buffer>
  /** Replaces the brotli body by a better compressed one. */
  improve(brotli: Buffer): void
}

/** The bytes of one body in every encoding, each compressed when it is first asked for and then kept. */
export function encodingsOf(plain: Buffer, brotli?: Buffer): Encodings {
  const made = new Map<Encoding, Buffer>([['identity', plain]])
  if (brotli) made.set('br', brotli)
  const making = new Map<Encoding, Promise<Buffer>>()
  const make = (encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> => {
    const running = making.get(encoding)
    if (running) return running
    const started = compress(plain, encoding)
      .then((bytes) => {
        // A better one may have come first.
        const kept = made.get(encoding) ?? bytes
        made.set(encoding, kept)
        return kept
      })
      .finally(() => making.delete(encoding))
    making.set(encoding, started)
    return started
  }
  return {
    plain,
    as: (encoding) => made.get(encoding) ?? (encoding === 'identity' ? plain : make(encoding)),
    improve: (bytes) => void made.set('br', bytes),
  }
}
