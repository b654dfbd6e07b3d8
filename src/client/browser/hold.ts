import { sharedLocks } from './locks.ts'

interface Held {
  users: number
  readonly release: () => void
}

/** The names that this page holds, or is asking for. */
const held = new Map<string, Promise<Held | undefined>>()

/**
 * Holds a name until the page releases it or ends; undefined where another page has it. Where there are no locks every
 * page gets it.
 */
export async function hold(name: string): Promise<(() => void) | undefined> {
  const locks = sharedLocks()
  if (!locks) return () => undefined
  const taking = held.get(name) ?? take(name, locks)
  held.set(name, taking)
  const mine = await taking
  if (!mine) {
    held.delete(name)
    return undefined
  }
  mine.users++
  return () => {
    mine.users--
    // Whatever opens in the same moment shares the hold.
    setTimeout(() => {
      if (mine.users > 0 || held.get(name) !== taking) return
      held.delete(name)
      mine.release()
    })
  }
}

/** How long to wait for a page that is being reloaded and may still hold the name, in milliseconds. */
const patienceMs = 800

async function take(name: string, locks: LockManager): Promise<Held | undefined> {
  const { promise, resolve } = Promise.withResolvers<Held>()
  const keep = () => new Promise<void>((release) => resolve({ users: 0, release }))
  const asked = locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, keep)
  return Promise.race([promise, asked.then(() => undefined, unlessKept)])
}

/** A timeout means that another page keeps the name; where locks are closed with storage, no page does. */
function unlessKept(cause: unknown): Held | undefined {
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return undefined
  return { users: 0, release: () => undefined }
}
