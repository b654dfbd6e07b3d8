import { sharedLocks } from './locks.ts'

/** Every tab with unsaved text or a change on its way holds this lock, shared. */
export const busyLock = 'tintero-busy'
/** Every tab that is reading from the server holds this lock, shared: a new version waits for it. */
export const readingLock = 'tintero-reading'

export const showBusy = holder(busyLock)
export const showReading = holder(readingLock)

function holder(name: string): (isHeld: boolean) => void {
  let release: (() => void) | undefined
  return (isHeld) => {
    if (!isHeld) {
      release?.()
      release = undefined
    } else if (release === undefined) {
      const end = new Promise<void>((resolve) => (release = resolve))
      // Where storage is closed there is no worker either, so no new version takes over.
      sharedLocks()
        ?.request(name, { mode: 'shared' }, () => end)
        .catch(() => undefined)
    }
  }
}
