import { logProblem } from '#client/browser/early/log.ts'
import { pictureId, type Operation } from './operation.ts'

export interface Pictures {
  /** The picture kept under an operation's picture id. */
  readonly read: (id: string) => Promise<Blob | undefined>
  /** Told that one more picture can be shown. */
  readonly onReady: () => void
}

/** A queued picture and where the page shows it. */
export interface ShownPicture {
  readonly url: string
  readonly picture: Blob
}

const addresses = new Map<string, ShownPicture>()
const beingRead = new Map<string, Promise<void>>()

/** The address of a queued picture, once it has been read from the device; one that could not be read is tried at the next look. */
export function pictureAddress(operation: Operation, pictures: Pictures): string | undefined {
  const id = pictureId(operation)
  const known = addresses.get(id)?.url
  if (known === undefined && !beingRead.has(id)) beingRead.set(id, readAddress(id, pictures))
  return known
}

/** Resolves once the pictures of these operations can be shown, as far as the device has them. */
export async function picturesRead(
  operations: readonly Operation[],
  pictures: Pictures,
): Promise<void> {
  for (const one of operations) if (one.image) pictureAddress(one, pictures)
  await Promise.all(beingRead.values())
}

async function readAddress(id: string, { read, onReady }: Pictures): Promise<void> {
  try {
    const picture = await read(id)
    if (!picture) return
    addresses.set(id, { url: URL.createObjectURL(picture), picture })
    onReady()
  } catch (cause) {
    logProblem('A queued picture could not be read', cause)
  } finally {
    beingRead.delete(id)
  }
}

/** The queued picture that is shown at this address; undefined where none is. */
export function pictureAt(address: string | undefined): ShownPicture | undefined {
  return [...addresses.values()].find(({ url }) => url === address)
}

/** The picture that the page shows of this picture id, in its memory. */
export function pictureInMemory(id: string): Blob | undefined {
  return addresses.get(id)?.picture
}

/** Frees the pictures that no queued operation shows any more. */
export function freeAddresses(queued: readonly Operation[]): void {
  const shown = new Set(queued.map(pictureId))
  for (const [id, { url }] of addresses) {
    if (shown.has(id)) continue
    URL.revokeObjectURL(url)
    addresses.delete(id)
  }
}
