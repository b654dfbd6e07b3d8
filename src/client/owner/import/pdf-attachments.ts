import { strFromU8, Unzlib } from 'fflate'

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
const piece = 16_384
/** A CV of ours has one. */
const mostFiles = 20
const marks = /\/Type\s*\/EmbeddedFile\b/g

/** The files that are attached to a PDF. */
export function attachedTo(bytes: Uint8Array): Attached {
  // One character for one byte, so that places in the text are places in the file.
  const text = strFromU8(bytes, true)
  const isEncrypted = /\/Encrypt\s+\d+\s+\d+\s+R/.test(text)
  if (isEncrypted) return { attached: [], isEncrypted }
  const found = [...text.matchAll(marks)].slice(0, mostFiles)
  const attached = found.flatMap(({ index }) => {
    const file = fileAt(bytes, text, index)
    return file ? [file] : []
  })
  return { attached, isEncrypted }
}

/** The file whose dictionary says at this place that it is one. */
function fileAt(bytes: Uint8Array, text: string, place: number): Uint8Array | undefined {
  const begin = text.lastIndexOf(' obj', place)
  const start = text.indexOf('stream', place)
  const end = text.indexOf('endstream', start)
  if (begin < 0 || start < 0 || end < 0) return undefined
  const dictionary = text.slice(begin, start)
  // Behind the word there is one line's end, which does not belong to what follows.
  const from = start + 'stream'.length + (text.startsWith('\r\n', start + 'stream'.length) ? 2 : 1)
  const content = bytes.subarray(from, end)
  if (!dictionary.includes('/Filter')) return content.length > largest ? undefined : content
  return /\/Filter\s*(?:\[\s*)?\/FlateDecode\b/.test(dictionary) ? inflated(content) : undefined
}

/** The unpacked bytes; undefined where they are damaged or far too many. */
function inflated(packed: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    const unpack = new Unzlib((part) => {
      size += part.length
      if (size > largest) throw new Error('too large')
      parts.push(part)
    })
    // In small pieces, each of which may become a thousand times as much.
    for (let from = 0; from < packed.length; from += piece) {
      unpack.push(packed.subarray(from, from + piece), from + piece >= packed.length)
    }
  } catch {
    return undefined
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
