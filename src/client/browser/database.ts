import type { UseStore } from 'idb-keyval'

interface Place {
  readonly database: string
  readonly store: string
  /**
   * With `strict` (the default here) a written value is on disk; with `relaxed`, for copies of what the server has, it
   * may be lost with the machine.
   */
  readonly durability?: 'strict' | 'relaxed'
}

/*
 * Safari freezes a page that is left, and a transaction that is open then blocks every other page for ever. So every
 * transaction not yet told to commit is aborted when the page is hidden, and run again should the page come back.
 */
const running = new Set<IDBTransaction>()
const putAway = new WeakSet<IDBTransaction>()
let isAway = false
const backHere: (() => void)[] = []

globalThis.addEventListener?.('pagehide', () => {
  isAway = true
  for (const transaction of running) putByForNow(transaction)
})
globalThis.addEventListener?.('pageshow', () => {
  isAway = false
  for (const goOn of backHere.splice(0)) goOn()
})

function putByForNow(transaction: IDBTransaction): void {
  try {
    transaction.abort()
    putAway.add(transaction)
  } catch {
    // It was ending by itself.
  }
  running.delete(transaction)
}

/** Repeats until it succeeds without the page being hidden meanwhile. */
async function throughAbsence<T>(
  begin: () => Promise<IDBTransaction>,
  run: (transaction: IDBTransaction) => T | PromiseLike<T>,
): Promise<T> {
  const transaction = await begin()
  running.add(transaction)
  for (const end of ['complete', 'abort'])
    transaction.addEventListener(end, () => running.delete(transaction))
  const result = Promise.resolve(run(transaction))
  if (isAway && running.has(transaction)) putByForNow(transaction)
  try {
    return await result
  } catch (cause) {
    if (!putAway.has(transaction)) throw cause
    if (isAway) await new Promise<void>((resolve) => backHere.push(resolve))
    return throughAbsence(begin, run)
  }
}

/**
 * An object store for the functions of idb-keyval, whose own store has no strict writes. A connection that the browser
 * closed, as when the site's data is deleted, is opened anew; every failure is a rejection.
 */
export function openStore({ database, store, durability = 'strict' }: Place): UseStore {
  let opening: Promise<IDBDatabase> | undefined
  const forget = () => (opening = undefined)

  async function begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    opening ??= openDatabase(database, { store, onClosed: forget })
    try {
      return (await opening).transaction(store, mode, { durability })
    } catch (cause) {
      forget()
      throw cause
    }
  }

  async function beginAgain(cause: unknown, mode: IDBTransactionMode): Promise<IDBTransaction> {
    // The connection was closed since it was opened.
    if (cause instanceof DOMException && cause.name === 'InvalidStateError') return begin(mode)
    throw cause
  }

  return (mode, run) =>
    throughAbsence(
      () => begin(mode).catch((cause: unknown) => beginAgain(cause, mode)),
      // This must run in the turn in which the transaction begins: an unused transaction is over after it.
      (transaction) => run(transaction.objectStore(store)),
    )
}

/** Asks for the names, because opening a database that is not there would make it. */
export async function isDatabase(name: string): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some((one) => one.name === name)
  } catch {
    return false // storage that is closed to us, or a browser that does not tell
  }
}

interface Opening {
  readonly store: string
  readonly onClosed: () => void
}

function openDatabase(name: string, { store, onClosed }: Opening): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Where storage is closed to us this throws, or the request fails.
    const request = indexedDB.open(name)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store))
    request.addEventListener('error', () =>
      reject(request.error ?? new DOMException('The database did not open')),
    )
    request.addEventListener('success', () => {
      const { result } = request
      result.addEventListener('close', onClosed)
      // An open connection would hold up a deletion of the database.
      result.addEventListener('versionchange', () => {
        onClosed()
        result.close()
      })
      resolve(result)
    })
  })
}

/**
 * Writes all values in one transaction and removes those that are undefined; rejects when they cannot be kept. It
 * commits at once, because an open transaction would die with the page.
 */
export function writeNow(
  store: UseStore,
  pairs: Iterable<readonly [key: string, value: unknown]>,
): Promise<void> {
  return store('readwrite', (objects) => {
    putAll(objects, pairs)
    return committed(objects.transaction)
  })
}

/** Removes those that are undefined. */
export function putAll(
  objects: IDBObjectStore,
  pairs: Iterable<readonly [key: string, value: unknown]>,
): void {
  for (const [key, value] of pairs) {
    if (value === undefined) objects.delete(key)
    else objects.put(value, key)
  }
}

/**
 * Writes in the transaction that read, and commits at once; resolves to what `write` gives once that is on disk. Where
 * `write` throws, nothing is written.
 */
export function writeRead<Read, T>(
  objects: IDBObjectStore,
  reading: IDBRequest<Read>,
  write: (read: Read) => T,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  reading.addEventListener('error', () => reject(reading.error ?? new DOMException('Not read')))
  reading.addEventListener('success', () => {
    try {
      const result = write(reading.result)
      committed(objects.transaction).then(() => resolve(result), reject)
    } catch (error) {
      reject(error)
      objects.transaction.abort()
    }
  })
  return promise
}

/** Commits at once; resolves once the transaction is kept and rejects when it cannot be. */
function committed(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  transaction.addEventListener('complete', () => resolve())
  transaction.addEventListener('abort', () =>
    reject(transaction.error ?? new DOMException('The write was aborted', 'AbortError')),
  )
  transaction.commit()
  running.delete(transaction)
  return promise
}
