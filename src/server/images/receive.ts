import { maxImageBytes } from '#contract/limits.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { Problem } from '../problem.ts'
import type { ImageUpload } from './store.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** How much of a refused body is read and discarded: a sender whose connection is cut while sending gets no answer. */
const maxDiscardedBytes = 2 * maxImageBytes
const firstBufferBytes = 256 * 1024

/** Holds at most `maxBytes` in memory; a larger body is refused once it has been read. */
export async function receive({
  body,
  length,
  maxBytes = maxImageBytes,
}: Pick<ImageUpload, 'body' | 'length' | 'maxBytes'>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  if (length !== undefined && length > maxBytes) return refuse(reader, maxBytes)
  let buffer = new Uint8Array(length ?? firstBufferBytes)
  let size = 0
  for (;;) {
    const chunk = await readChunk(reader)
    if (!chunk) return buffer.slice(0, size)
    if (size + chunk.length > maxBytes) return refuse(reader, maxBytes)
    if (size + chunk.length > buffer.length) buffer = grow(buffer, size + chunk.length)
    buffer.set(chunk, size)
    size += chunk.length
  }
}

/** Reads a refused body, up to a bound. */
export async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  await discardRest(body.getReader())
}

async function refuse(reader: Reader, maxBytes: number): Promise<never> {
  await discardRest(reader)
  const mensaje = fill(ownerTexts.bigImage, { n: maxBytes / 1024 / 1024 })
  throw new Problem('imagen-demasiado-grande', { mensaje })
}

async function discardRest(reader: Reader): Promise<void> {
  let left = maxDiscardedBytes
  while (left > 0) {
    const chunk = await readChunk(reader)
    if (!chunk) return
    left -= chunk.length
  }
  await reader.cancel()
}

/** Undefined at the end; a connection that the sender cut is a refusal and no fault of the server. */
async function readChunk(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value
  } catch (cause) {
    throw new Problem('peticion-no-valida', { cause })
  }
}

function grow(buffer: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(maxImageBytes, Math.max(needed, 2 * buffer.length)))
  larger.set(buffer)
  return larger
}
