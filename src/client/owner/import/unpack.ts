import {
  configure,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  type FileEntry,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { Inflate } from 'fflate'

/** What is packed is unpacked in small pieces, each of which may become a thousand times as much. */
export const piece = 16_384

/** Unpacks a piece at once: the browsers' own take the next one before what became of the last is counted. */
class Unpacking extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    const unpack = new Inflate()
    super({
      transform: (packed, controller) => {
        unpack.ondata = (part) => controller.enqueue(part)
        unpack.push(packed)
      },
    })
  }
}

configure({ chunkSize: piece, DecompressionStream: Unpacking, useWebWorkers: false })

/** The files of a ZIP, still packed. Throws for one whose end is missing or whose list leads out of it. */
export async function filesIn(zip: Uint8Array): Promise<readonly FileEntry[]> {
  // Names are compared and never become paths, and what stands around the ZIP does not matter.
  const reader = new ZipReader(new Uint8ArrayReader(zip), { strictness: 'tolerant' })
  const entries = await reader.getEntries()
  return entries.filter((entry) => !entry.directory)
}

/** A file of a ZIP; undefined where it is damaged, or not as large as it says. */
export async function contentOf(
  file: FileEntry,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await file.getData(new Uint8ArrayWriter(), { signal, onprogress: () => pause(signal) })
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** A page that draws nothing meanwhile looks as if it hung, and could not be told to stop. */
export async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  signal.throwIfAborted()
}
