import type { Readable } from 'node:stream'

/**
 * A file or an archive as the body of an answer. Node's own way, `Readable.toWeb`, throws where nobody catches it when a
 * reader leaves before what was ready is handed over, and that would end the process.
 */
export function streamBody(source: Readable): ReadableStream<Uint8Array> {
  // Whoever reads is told by the iterator; a source that fails while nobody reads is told to nobody.
  source.on('error', () => undefined)
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: () => void source.destroy(),
  })
}
