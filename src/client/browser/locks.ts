/** The locks that all pages of the browser share; undefined without https, or where the browser closes them with storage. */
export function sharedLocks(): LockManager | undefined {
  try {
    return navigator.locks
  } catch {
    return undefined
  }
}
