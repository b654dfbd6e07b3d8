import { inTime, keptWithinMs } from '#client/browser/delay.ts'
import { fromStored, type StoredFile } from '#client/browser/stored-file.ts'
import type { Operation } from './operation.ts'
import type { OutboxStore, Update } from './store.ts'

interface FallbackOptions {
  /** Opens the device's store; throws where the browser has none. */
  readonly open: () => OutboxStore
  /** Told once when the device does not keep what is queued. */
  readonly onTrouble: (cause: unknown) => void
}

/** The device's store, or this page's memory while the device refuses. */
interface FallbackStore extends OutboxStore {
  /** Whether what is queued outlives the page. */
  readonly isKept: () => boolean
  /** Whether the device, while it refuses, still has any of these that the page had of it. */
  readonly isLeft: (ids: readonly string[]) => Promise<boolean>
  /** What the device had when it began to refuse; undefined while it keeps everything. */
  readonly left: () => readonly Operation[] | undefined
}

/** The queue while the device does not keep it, and what it was when the device still did. */
interface MemoryCopy {
  readonly base: readonly Operation[]
  readonly store: ReturnType<typeof memoryStore>
}

/**
 * The device's store as long as it works. When it refuses (private mode, blocked, full) or does not answer, the queue goes
 * on in this page's memory: editing online stays possible, and what the device kept before is taken along. The next change
 * tries the device again.
 */
export function fallbackStore({ open, onTrouble }: FallbackOptions): FallbackStore {
  let device: OutboxStore | undefined
  let memory: Promise<MemoryCopy> | undefined
  let left: readonly Operation[] = []
  let last: Promise<unknown> = Promise.resolve()
  const opened = () => (device ??= answering(open()))

  async function attempt<T>(run: (store: OutboxStore) => Promise<T>): Promise<T> {
    if (memory) return run((await memory).store)
    try {
      return await run(opened())
    } catch (cause) {
      if (!memory) onTrouble(cause)
      memory ??= leave()
      return run((await memory).store)
    }
  }

  async function leave(): Promise<MemoryCopy> {
    left = await readable(device)
    return { base: left, store: memoryStore(left, device) }
  }

  async function update<T>(change: Turn<T>, isOnlyKept: boolean): Promise<T> {
    if (!memory && isOnlyKept) return opened().update(change)
    if (!memory) return attempt((store) => store.update(change))
    const { base, store } = await memory
    try {
      const result = await opened().update(await mergeBack(change, { base, store }))
      memory = undefined
      return result
    } catch (cause) {
      if (isOnlyKept) throw cause
      return store.update(change) // Still refused, as was told.
    }
  }

  return {
    read: () => attempt((store) => store.read()),
    // One that cannot be read says nothing of what else the device keeps.
    picture: async (id) => (memory ? (await memory).store : opened()).picture(id),
    // One after the other: what comes back to the device is taken along once.
    update: <T>(change: Turn<T>, isOnlyKept = false): Promise<T> => {
      const turn = last.then(() => update(change, isOnlyKept))
      last = turn.catch(() => undefined)
      return turn
    },
    isKept: () => memory === undefined,
    isLeft: async (ids) => (await memory)?.base.some(({ id }) => ids.includes(id)) ?? false,
    left: () => memory && left,
  }
}

type Turn<T> = (operations: readonly Operation[]) => Update<T>

/** The change on top of what the page did meanwhile, for a device that keeps again. */
async function mergeBack<T>(change: Turn<T>, { base, store }: MemoryCopy): Promise<Turn<T>> {
  const mine = await store.read()
  return (kept) => {
    const next = change(merged(kept, { base, mine, seen: store.seen() }))
    return { ...next, pictures: { ...store.pictures(), ...next.pictures } }
  }
}

interface Meanwhile {
  readonly base: readonly Operation[]
  readonly mine: readonly Operation[]
  /** Every operation that this page had; the device may have kept one after all, too late for an answer. */
  readonly seen: ReadonlySet<string>
}

/** What the device keeps now, with what this page changed, took away and added since `base`. */
function merged(kept: readonly Operation[], { base, mine, seen }: Meanwhile): readonly Operation[] {
  const known = new Set(base.map(({ id }) => id))
  const own = new Map(mine.map((operation) => [operation.id, operation]))
  const left = kept.filter(({ id }) => own.has(id) || !seen.has(id))
  const added = mine.filter(({ id }) => !known.has(id))
  return [
    ...left.map((operation) => {
      const changed = own.get(operation.id)
      return changed && !base.includes(changed) ? changed : operation
    }),
    ...added.filter(({ id }) => !kept.some((operation) => operation.id === id)),
  ]
}

/** The device's store, which refuses what it takes too long over, and from then on everything until it has answered. */
function answering(device: OutboxStore): OutboxStore {
  let isSilent = false

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (isSilent) throw new Error('the device has still not answered')
    let isAnswered = false
    const answer = question().finally(() => (isAnswered = true))
    try {
      return await inTime(answer, keptWithinMs)
    } catch (cause) {
      isSilent = !isAnswered
      const hear = () => void (isSilent = false)
      if (isSilent) void answer.then(hear, hear)
      throw cause
    }
  }

  return {
    read: () => ask(() => device.read()),
    picture: (id) => ask(() => device.picture(id)),
    update: (change) => ask(() => device.update(change)),
    remembered: () => device.remembered?.(),
  }
}

async function readable(device: OutboxStore | undefined): Promise<readonly Operation[]> {
  if (!device) return []
  // The trouble is already told.
  return device.read().catch(() => device.remembered?.() ?? [])
}

/** A queue that lives as long as the page; pictures it was not given itself are asked of `older`. */
export function memoryStore(
  start: readonly Operation[] = [],
  older?: Pick<OutboxStore, 'picture'>,
) {
  let operations = start
  const seen = new Set(start.map(({ id }) => id))
  const pictures = new Map<string, Blob | StoredFile | undefined>()
  return {
    read: () => Promise.resolve(operations),
    /** The ids of the operations that it ever held. */
    seen: (): ReadonlySet<string> => seen,
    /** The pictures it was given, and as undefined those it was told to forget. */
    pictures: () => Object.fromEntries(pictures),
    picture: async (id: string) =>
      pictures.has(id) ? fromStored(pictures.get(id)) : older?.picture(id),
    update: <T>(change: (operations: readonly Operation[]) => Update<T>) => {
      const next = change(operations)
      operations = next.operations
      for (const { id } of operations) seen.add(id)
      for (const [id, blob] of Object.entries(next.pictures ?? {})) pictures.set(id, blob)
      return Promise.resolve(next.result)
    },
  }
}
