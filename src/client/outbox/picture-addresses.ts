import { logProblem } from '#client/browser/early/log.ts'
import { pictureId, type Operation } from './operation.ts'

export interface Pictures {
  /** The picture kept under an operation's picture id. */
  readonly read: (id: string) => Promise<Blob | undefined>
  /** Told that one more picture can be shown. */
  readonly onReady: () => void
}

const addresses = new Map<string, string>()
const beingRead = new Set<string>()

/** The address of a queued picture, once it has been read from the device; one that could not be read is tried at the next look. */
export function pictureAddress(operation: Operation, pictures: Pictures): string | undefined {
  const id = pictureId(operation)
  const known = addresses.get(id)
  if (known === undefined && !beingRead.has(id)) void readAddress(id, pictures)
  return known
}

async function readAddress(id: string, { read, onReady }: Pictures): Promise<void> {
  beingRead.add(id)
  try {
    const picture = await read(id)
    if (!picture) return
    addresses.set(id, URL.createObjectURL(picture))
    onReady()
  } catch (cause) {
    logProblem('A queued picture could not be read', cause)
  } finally {
    beingRead.delete(id)
  }
}

/** Frees the pictures that no queued operation shows any more. */
export function freeAddresses(queued: readonly Operation[]): void {
  const shown = new Set(queued.map(pictureId))
  for (const [id, address] of addresses) {
    if (shown.has(id)) continue
    URL.revokeObjectURL(address)
    addresses.delete(id)
  }
}
