import { sharedLocks } from './locks.ts'

const last = new Map<string, Promise<unknown>>()

/**
 * Runs the tasks of one name one after the other, across all pages of the browser. Where there are no locks, as without
 * https or with storage closed, the order holds within this page only.
 */
export async function inTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
  let isStarted = false
  try {
    const locks = sharedLocks()
    if (!locks) return await inOwnTurn(name, task)
    return await locks.request(name, () => {
      isStarted = true
      return task()
    })
  } catch (cause) {
    if (isStarted || !isClosed(cause)) throw cause
    return inOwnTurn(name, task)
  }
}

function inOwnTurn<T>(name: string, task: () => Promise<T>): Promise<T> {
  const turn = (last.get(name) ?? Promise.resolve()).then(task, task)
  last.set(name, turn)
  return turn
}

function isClosed(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'SecurityError'
}
