import { sharedLocks } from './locks.ts'

interface Held {
  users: number
  readonly release: () => void
}

/** What this page holds, by name; a name that another page holds is not among them. */
const held = new Map<string, Promise<Held | undefined>>()

/**
 * Takes a name for this page, so that no other page of the browser has it until the page lets it go or ends; undefined where
 * another has it. Where there are no locks every page gets what it asks for.
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
    // What opens in the same moment goes on with it.
    setTimeout(() => {
      if (mine.users > 0 || held.get(name) !== taking) return
      held.delete(name)
      mine.release()
    })
  }
}

/** A page that is loaded anew may still have it for a moment: how long that is waited for, in milliseconds. */
const patienceMs = 800

async function take(name: string, locks: LockManager): Promise<Held | undefined> {
  const { promise, resolve } = Promise.withResolvers<Held>()
  const keep = () => new Promise<void>((release) => resolve({ users: 0, release }))
  const asked = locks.request(name, { signal: AbortSignal.timeout(patienceMs) }, keep)
  return Promise.race([promise, asked.then(() => undefined, unlessKept)])
}

/** Waiting in vain means that another page keeps the name; where locks are closed with storage, nobody does. */
function unlessKept(cause: unknown): Held | undefined {
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return undefined
  return { users: 0, release: () => undefined }
}
