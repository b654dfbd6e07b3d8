import type { Operation } from './operation.ts'
import type { OutboxStore, Update } from './store.ts'

interface SteadyParts {
  /** Opens the device's store; throws where the browser has none. */
  readonly open: () => OutboxStore
  /** Told once when the device does not keep what is queued. */
  readonly onTrouble: (cause: unknown) => void
}

/**
 * The device's store as long as it works. When it refuses (private mode, blocked, full) the queue goes on in this page's memory:
 * editing online stays possible, and what the device kept before is taken along.
 */
export function steadyStore({ open, onTrouble }: SteadyParts): OutboxStore {
  let device: OutboxStore | undefined
  let memory: Promise<OutboxStore> | undefined
  const attempt = async <T>(run: (store: OutboxStore) => Promise<T>): Promise<T> => {
    if (memory) return run(await memory)
    try {
      device ??= open()
      return await run(device)
    } catch (cause) {
      if (!memory) onTrouble(cause)
      memory ??= leave(device)
      return run(await memory)
    }
  }
  return {
    read: () => attempt((store) => store.read()),
    picture: (id) => attempt((store) => store.picture(id)),
    update: (change) => attempt((store) => store.update(change)),
  }
}

async function leave(device: OutboxStore | undefined): Promise<OutboxStore> {
  return memoryStore(await readable(device), device)
}

async function readable(device: OutboxStore | undefined): Promise<readonly Operation[]> {
  if (!device) return []
  // A store that cannot be read has nothing to take along; the trouble is already told.
  return device.read().catch(() => [])
}

/** A queue that lives as long as the page; pictures it was not given itself are asked of `older`. */
export function memoryStore(
  start: readonly Operation[] = [],
  older?: Pick<OutboxStore, 'picture'>,
): OutboxStore {
  let operations = start
  const pictures = new Map<string, Blob | undefined>()
  return {
    read: () => Promise.resolve(operations),
    picture: async (id) => (pictures.has(id) ? pictures.get(id) : older?.picture(id)),
    update: <T>(change: (operations: readonly Operation[]) => Update<T>) => {
      const next = change(operations)
      operations = next.operations
      for (const [id, blob] of Object.entries(next.pictures ?? {})) pictures.set(id, blob)
      return Promise.resolve(next.result)
    },
  }
}
