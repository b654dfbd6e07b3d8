import type { Operation } from './operation.ts'
import type { OutboxStore, Update } from './store.ts'

interface SteadyParts {
  /** Opens the device's store; throws where the browser has none. */
  readonly open: () => OutboxStore
  /** Told once when the device does not keep what is queued. */
  readonly onTrouble: (cause: unknown) => void
}

/** The device's store, or this page's memory while the device refuses. */
export interface SteadyStore extends OutboxStore {
  /** Whether what is queued outlives the page. */
  readonly isKept: () => boolean
}

/** The queue while the device does not keep it, and what it was when the device still did. */
interface Refuge {
  readonly base: readonly Operation[]
  readonly store: ReturnType<typeof memoryStore>
}

/**
 * The device's store as long as it works. When it refuses (private mode, blocked, full) the queue goes on in this page's memory:
 * editing online stays possible, and what the device kept before is taken along. The next change tries the device again.
 */
export function steadyStore({ open, onTrouble }: SteadyParts): SteadyStore {
  let device: OutboxStore | undefined
  let refuge: Promise<Refuge> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function attempt<T>(run: (store: OutboxStore) => Promise<T>): Promise<T> {
    if (refuge) return run((await refuge).store)
    try {
      device ??= open()
      return await run(device)
    } catch (cause) {
      if (!refuge) onTrouble(cause)
      refuge ??= leave(device)
      return run((await refuge).store)
    }
  }

  async function update<T>(change: Change<T>): Promise<T> {
    if (!refuge) return attempt((store) => store.update(change))
    const { base, store } = await refuge
    try {
      device ??= open()
      const result = await device.update(await takenAlong(change, { base, store }))
      refuge = undefined
      return result
    } catch {
      return store.update(change) // Still refused, as was told.
    }
  }

  return {
    read: () => attempt((store) => store.read()),
    picture: (id) => attempt((store) => store.picture(id)),
    // One after the other: what comes back to the device is taken along once.
    update: <T>(change: Change<T>): Promise<T> => {
      const turn = last.then(() => update(change))
      last = turn.catch(() => undefined)
      return turn
    },
    isKept: () => refuge === undefined,
  }
}

type Change<T> = (operations: readonly Operation[]) => Update<T>

async function leave(device: OutboxStore | undefined): Promise<Refuge> {
  const base = await readable(device)
  return { base, store: memoryStore(base, device) }
}

/** The change on top of what the page did meanwhile, for a device that keeps again. */
async function takenAlong<T>(change: Change<T>, { base, store }: Refuge): Promise<Change<T>> {
  const mine = await store.read()
  return (kept) => {
    const next = change(rejoin(kept, { base, mine }))
    return { ...next, pictures: { ...store.pictures(), ...next.pictures } }
  }
}

/** What the device keeps now, with what this page changed, took away and added since `base`. */
function rejoin(
  kept: readonly Operation[],
  { base, mine }: { base: readonly Operation[]; mine: readonly Operation[] },
): readonly Operation[] {
  const known = new Set(base.map(({ id }) => id))
  const own = new Map(mine.map((operation) => [operation.id, operation]))
  const left = kept.filter(({ id }) => own.has(id) || !known.has(id))
  const added = mine.filter(({ id }) => !known.has(id))
  return [
    ...left.map((operation) => {
      const changed = own.get(operation.id)
      return changed && !base.includes(changed) ? changed : operation
    }),
    ...added.filter(({ id }) => !kept.some((operation) => operation.id === id)),
  ]
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
) {
  let operations = start
  const pictures = new Map<string, Blob | undefined>()
  return {
    read: () => Promise.resolve(operations),
    /** The pictures it was given, and as undefined those it was told to forget. */
    pictures: () => Object.fromEntries(pictures),
    picture: async (id: string) => (pictures.has(id) ? pictures.get(id) : older?.picture(id)),
    update: <T>(change: (operations: readonly Operation[]) => Update<T>) => {
      const next = change(operations)
      operations = next.operations
      for (const [id, blob] of Object.entries(next.pictures ?? {})) pictures.set(id, blob)
      return Promise.resolve(next.result)
    },
  }
}
