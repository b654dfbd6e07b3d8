import { sharedLocks } from './locks.ts'

interface PageLock {
  users: number
  readonly release: () => void
}

/** The locks that this page has, or is asking for. */
const taken = new Map<string, Promise<PageLock | undefined>>()

/**
 * Locks a name until the page releases it or ends; undefined where another page has it. Where there are no locks every
 * page gets it.
 */
export async function lockForPage(name: string): Promise<(() => void) | undefined> {
  const locks = sharedLocks()
  if (!locks) return () => undefined
  const taking = taken.get(name) ?? take(name, locks)
  taken.set(name, taking)
  const mine = await taking
  if (!mine) {
    taken.delete(name)
    return undefined
  }
  mine.users++
  return () => {
    mine.users--
    // Whatever opens in the same moment shares the lock.
    setTimeout(() => {
      if (mine.users > 0 || taken.get(name) !== taking) return
      taken.delete(name)
      mine.release()
    })
  }
}

/** How long to wait for a page that is being reloaded and may still have the name, in milliseconds. */
const patienceMs = 800

async function take(name: string, locks: LockManager): Promise<PageLock | undefined> {
  const { promise, resolve } = Promise.withResolvers<PageLock>()
  const keep = () => new Promise<void>((release) => resolve({ users: 0, release }))
  const asked = locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, keep)
  return Promise.race([promise, asked.then(() => undefined, unlessKept)])
}

/** A timeout means that another page keeps the name; where locks are closed with storage, no page does. */
function unlessKept(cause: unknown): PageLock | undefined {
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return undefined
  return { users: 0, release: () => undefined }
}
