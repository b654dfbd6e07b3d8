import { createStore, get } from 'idb-keyval'
import { outboxPlace } from '#contract/offline.ts'
import { inTurn } from '#client/platform/in-turn.ts'
import { writeNow } from '../write-now.ts'
import type { Operation } from './operation.ts'

/** Where the queue is kept; every method resolves once the data is on disk and rejects when it cannot be kept. */
export interface OutboxStore {
  /** Replaces the queue by what `change` makes of it, one page at a time; the pictures change in the same turn. */
  update<T>(change: (operations: readonly Operation[]) => Update<T>): Promise<T>
  read(): Promise<readonly Operation[]>
  picture(id: string): Promise<Blob | undefined>
}

/** One turn at the queue. */
export interface Update<T> {
  readonly operations: readonly Operation[]
  /** Pictures to keep (by operation id) or, as undefined, to forget. */
  readonly pictures?: Readonly<Record<string, Blob | undefined>>
  readonly result: T
}

/** The queue in IndexedDB: the operations in one value, their pictures in a database of their own. */
export function openOutboxStore(): OutboxStore {
  const queue = createStore(outboxPlace.database, outboxPlace.store)
  const pictures = createStore('tintero-outbox-pictures', 'pictures')
  const read = async () => (await get<readonly Operation[]>(outboxPlace.key, queue)) ?? []
  return {
    read,
    picture: (id) => get<Blob>(id, pictures),
    update: (change) =>
      inTurn('tintero-outbox-store', async () => {
        const before = await read()
        const { operations, pictures: changed = {}, result } = change(before)
        const kept = Object.entries(changed).filter(([, blob]) => blob !== undefined)
        const forgotten = Object.entries(changed).filter(([, blob]) => blob === undefined)
        // A picture is kept before the operation that names it, and forgotten after: a crash between leaves only a spare picture.
        if (kept.length > 0) await writeNow(pictures, kept)
        if (operations !== before) await writeNow(queue, [[outboxPlace.key, operations]])
        if (forgotten.length > 0) await writeNow(pictures, forgotten)
        return result
      }),
  }
}
