import { get, type UseStore } from 'idb-keyval'
import { outboxPlace } from '#contract/offline/offline.ts'
import { openStore, putAll, writeRead } from '#client/browser/database.ts'
import { fromStored } from '#client/browser/stored-file.ts'
import type { Operation } from '#client/outbox/operation.ts'
import type { Update } from '#client/outbox/store.ts'

/** The queue as the device has it. */
export interface MarkedQueue {
  readonly operations: readonly Operation[]
  /** Goes with the database, so that one that was deleted and made again is told from one that was emptied. */
  readonly mark: string | undefined
}

interface MarkedUpdate<T> extends Update<T> {
  /** The mark that the queue is to bear. */
  readonly mark?: string
}

export interface MarkedStore {
  read(): Promise<MarkedQueue>
  picture(id: string): Promise<Blob | undefined>
  update<T>(
    change: (operations: readonly Operation[], mark: string | undefined) => MarkedUpdate<T>,
  ): Promise<T>
}

const markKey = 'since'

/** The queue in IndexedDB with its mark; `onClosed` is told when the browser takes the database away. */
export function openMarkedStore(onClosed: () => void): MarkedStore {
  const store = openStore(outboxPlace)
  const followed = new WeakSet<IDBDatabase>()
  const queue: UseStore = (mode, run) =>
    store(mode, (objects) => {
      const { db } = objects.transaction
      if (!followed.has(db)) {
        followed.add(db)
        for (const end of ['close', 'versionchange']) db.addEventListener(end, onClosed)
      }
      return run(objects)
    })
  return {
    read: () =>
      queue('readonly', (objects) =>
        turn(objects, (operations, mark) => ({ operations, result: { operations, mark } })),
      ),
    picture: async (id) => fromStored(await get<unknown>(id, queue)),
    update: (change) => queue('readwrite', (objects) => turn(objects, change)),
  }
}

function turn<T>(
  objects: IDBObjectStore,
  change: (operations: readonly Operation[], mark: string | undefined) => MarkedUpdate<T>,
): Promise<T> {
  // Asked for first, it is there with what is asked for next.
  const marking: IDBRequest<unknown> = objects.get(markKey)
  return writeRead(objects, objects.get(outboxPlace.key), (read) => {
    const marked = marking.result as string | undefined
    const before = (read as readonly Operation[] | undefined) ?? []
    const { operations, pictures = {}, mark, result } = change(before, marked)
    if (operations !== before) objects.put(operations, outboxPlace.key)
    if (mark !== undefined && mark !== marked) objects.put(mark, markKey)
    putAll(objects, Object.entries(pictures))
    return result
  })
}
