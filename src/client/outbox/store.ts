import { get } from 'idb-keyval'
import { outboxPlace } from '#contract/offline/offline.ts'
import { committed, openStore } from '#client/browser/database.ts'
import { fromStored, type StoredFile } from '#client/browser/stored-file.ts'
import type { Operation } from './operation.ts'

/** Where the queue is kept; every method resolves once the data is on disk and rejects when it cannot be kept. */
export interface OutboxStore {
  /** Replaces the queue by what `change` makes of it, one page at a time; the pictures change in the same turn. `change` may run twice. */
  update<T>(change: (operations: readonly Operation[]) => Update<T>): Promise<T>
  read(): Promise<readonly Operation[]>
  picture(id: string): Promise<Blob | undefined>
}

/** One turn at the queue. */
export interface Update<T> {
  readonly operations: readonly Operation[]
  /** Pictures to keep (by operation id) or, as undefined, to forget. */
  readonly pictures?: Readonly<Record<string, Blob | StoredFile | undefined>>
  readonly result: T
}

/**
 * The queue in IndexedDB: the operations in one value and each picture in one of its own, so that reading the first never
 * loads the second. One transaction reads and writes, which keeps the pages apart and a crash from leaving half of a turn.
 */
export function openOutboxStore(): OutboxStore {
  const queue = openStore(outboxPlace)
  return {
    read: async () => (await get<readonly Operation[]>(outboxPlace.key, queue)) ?? [],
    picture: async (id) => fromStored(await get<unknown>(id, queue)),
    update: (change) => queue('readwrite', (objects) => turn(objects, change)),
  }
}

function turn<T>(
  objects: IDBObjectStore,
  change: (operations: readonly Operation[]) => Update<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const reading = objects.get(outboxPlace.key)
  reading.addEventListener('error', () => reject(reading.error ?? new DOMException('Not read')))
  reading.addEventListener('success', () => {
    try {
      const before = (reading.result as readonly Operation[] | undefined) ?? []
      const { operations, pictures = {}, result } = change(before)
      if (operations !== before) objects.put(operations, outboxPlace.key)
      for (const [id, picture] of Object.entries(pictures)) {
        if (picture === undefined) objects.delete(id)
        else objects.put(picture, id)
      }
      committed(objects.transaction).then(() => resolve(result), reject)
    } catch (error) {
      reject(error)
      objects.transaction.abort()
    }
  })
  return promise
}
