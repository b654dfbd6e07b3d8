import { sharedLocks } from './locks.ts'

/** Every tab with unsaved text or a change on its way holds this lock, shared. */
export const busyLock = 'tintero-busy'

let release: (() => void) | undefined

export function showBusy(isBusy: boolean): void {
  if (!isBusy) {
    release?.()
    release = undefined
  } else if (!release) {
    const end = new Promise<void>((resolve) => (release = resolve))
    // Where storage is closed there is no worker either, so no new version takes over.
    sharedLocks()
      ?.request(busyLock, { mode: 'shared' }, () => end)
      .catch(() => undefined)
  }
}
