/** Undefined without https, or where the browser closes locks with storage. */
export function sharedLocks(): LockManager | undefined {
  try {
    return navigator.locks
  } catch {
    return undefined
  }
}
