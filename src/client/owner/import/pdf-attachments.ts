import { strFromU8, Unzlib } from 'fflate'
import { pause, piece } from './unpack.ts'

/*
 * Our own CV carries its data as a file that is attached to it. What the format holds in the open is enough to find it: the
 * dictionary in front of an attached file is never packed, and other programs leave it so.
 */

interface Attached {
  /** What is attached, as far as it can be read. */
  readonly attached: readonly Uint8Array[]
  readonly isEncrypted: boolean
}

/** No résumé is near that: what says so is made to fill the memory. */
const largest = 5_000_000
/** A CV of ours has one. */
const mostFiles = 20
const marks = /\/Type\s*\/EmbeddedFile\b/g

/** The files that are attached to a PDF. */
export async function attachedTo(bytes: Uint8Array, signal: AbortSignal): Promise<Attached> {
  // One character for one byte, so that places in the text are places in the file.
  const text = strFromU8(bytes, true)
  const isEncrypted = /\/Encrypt\s+\d+\s+\d+\s+R/.test(text)
  if (isEncrypted) return { attached: [], isEncrypted }
  const found = [...text.matchAll(marks)].slice(0, mostFiles)
  const attached: Uint8Array[] = []
  for (const { index } of found) {
    const file = await fileAt(bytes, text, index, signal)
    if (file) attached.push(file)
  }
  return { attached, isEncrypted }
}

/** The file whose dictionary says at this place that it is one. */
async function fileAt(
  bytes: Uint8Array,
  text: string,
  place: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const begin = text.lastIndexOf(' obj', place)
  const start = text.indexOf('stream', place)
  const end = text.indexOf('endstream', start)
  if (begin < 0 || start < 0 || end < 0) return undefined
  const dictionary = text.slice(begin, start)
  // Behind the word there is one line's end, which does not belong to what follows.
  const from = start + 'stream'.length + (text.startsWith('\r\n', start + 'stream'.length) ? 2 : 1)
  const content = bytes.subarray(from, end)
  if (!dictionary.includes('/Filter')) return content.length > largest ? undefined : content
  const isPacked = /\/Filter\s*(?:\[\s*)?\/FlateDecode\b/.test(dictionary)
  return isPacked ? inflated(content, signal) : undefined
}

/** The unpacked bytes; undefined where they are damaged or more than that. */
async function inflated(packed: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  const unpack = new Unzlib((part) => {
    size += part.length
    parts.push(part)
  })
  for (let from = 0; from < packed.length; from += piece) {
    await pause(signal)
    try {
      unpack.push(packed.subarray(from, from + piece), from + piece >= packed.length)
    } catch {
      return undefined
    }
    if (size > largest) return undefined
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
