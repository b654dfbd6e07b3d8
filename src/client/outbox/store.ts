import { get } from 'idb-keyval'
import { outboxPlace } from '#contract/offline/offline.ts'
import { openStore, putAll, writeRead } from '#client/browser/database.ts'
import { fromStored, type StoredFile } from '#client/browser/stored-file.ts'
import type { Operation } from './operation.ts'

/** Where the queue is kept; every method resolves once the data is on disk and rejects when it cannot be kept. */
export interface OutboxStore {
  /**
   * Replaces the queue by what `change` makes of it, one page at a time; the pictures change in the same turn. `change` may
   * run twice. With `isOnlyKept` a page's memory is no place for what the device refuses.
   */
  update<T>(
    change: (operations: readonly Operation[]) => Update<T>,
    isOnlyKept?: boolean,
  ): Promise<T>
  read(): Promise<readonly Operation[]>
  picture(id: string): Promise<Blob | undefined>
  /** What the page knows of a queue that cannot be read any more. */
  remembered?(): readonly Operation[] | undefined
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
  return writeRead(objects, objects.get(outboxPlace.key), (read) => {
    const before = (read as readonly Operation[] | undefined) ?? []
    const { operations, pictures = {}, result } = change(before)
    if (operations !== before) objects.put(operations, outboxPlace.key)
    putAll(objects, Object.entries(pictures))
    return result
  })
}
