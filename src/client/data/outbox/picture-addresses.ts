import { logProblem } from '#client/platform/log.ts'
import type { Operation } from './operation.ts'

export interface Pictures {
  readonly read: (id: string) => Promise<Blob | undefined>
  /** Told that one more picture can be shown. */
  readonly onReady: () => void
}

const addresses = new Map<string, string>()
const asked = new Set<string>()

/** The address of a queued picture, once it has been read from the device. */
export function pictureAddress({ id }: Operation, { read, onReady }: Pictures): string | undefined {
  const known = addresses.get(id)
  if (known !== undefined || asked.has(id)) return known
  asked.add(id)
  void readAddress(id, read).then(onReady)
  return undefined
}

async function readAddress(id: string, read: Pictures['read']): Promise<void> {
  try {
    const picture = await read(id)
    if (picture) addresses.set(id, URL.createObjectURL(picture))
  } catch (cause) {
    logProblem('A queued picture could not be read', cause)
  }
}

/** Frees the pictures of operations that are not queued any more. */
export function freeAddresses(queued: readonly Operation[]): void {
  for (const [id, address] of addresses) {
    if (queued.some((operation) => operation.id === id)) continue
    URL.revokeObjectURL(address)
    addresses.delete(id)
    asked.delete(id)
  }
}
