import type { PictureFiles } from '../images/picture-files.ts'
import { causeOf, Problem } from '../problem.ts'

/* Each picture of a copy is read twice: before it is given out, and when its bytes go into it. */

export type ReadPicture = (name: string) => Promise<Uint8Array | undefined>

/** Two copies that wait and two that are being made hold four times as much at most. */
const mostKeptBytes = 16_000_000

/** The two readings of each picture: a folder answers both, a storage service the second only for what the first could not keep. */
export function keepingPictures(pictures: Pick<PictureFiles, 'isRemote' | 'read'>) {
  const kept = new Map<string, Uint8Array>()
  let room = pictures.isRemote ? mostKeptBytes : 0
  const first = async (name: string) => {
    const bytes = await pictures.read(name)
    if (bytes && bytes.length <= room) {
      room -= bytes.length
      kept.set(name, bytes)
    }
    return bytes
  }
  const again = async (name: string) => {
    const bytes = kept.get(name)
    kept.delete(name)
    return bytes ?? pictures.read(name)
  }
  return { first, again }
}

const readsAtOnce = 8
/** A storage service that refuses more often is down: that is said in place of a list of all pictures. */
const mostRefusals = 10

/** Those that cannot be read, and why; or that are there no more. Throws the `Problem` of a storage service that is down. */
export async function lostPictures(names: readonly string[], read: ReadPicture) {
  const lost: { readonly name: string; readonly error?: Error }[] = []
  let refusals = 0
  const look = async (name: string) => {
    try {
      if (!(await read(name))) lost.push({ name })
    } catch (error) {
      if (error instanceof Problem && ++refusals > mostRefusals) throw error
      lost.push({ name, error: causeOf(error) })
    }
  }
  for (let i = 0; i < names.length; i += readsAtOnce) {
    await Promise.all(names.slice(i, i + readsAtOnce).map(look))
  }
  return lost.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
