import { sharedLocks } from './locks.ts'

/** Held, shared, by every tab that has unsaved text or a change on its way. */
export const busyLock = 'tintero-busy'
/** Held, shared, by every tab that is reading something from the server. */
export const readingLock = 'tintero-reading'

/** Lets the other tabs know whether this one has something that a reload would cut short. */
export const showBusy = holder(busyLock)
/** Lets them know whether it is asking for something, which no new version should meet. */
export const showReading = holder(readingLock)

function holder(name: string): (isHeld: boolean) => void {
  let release: (() => void) | undefined
  return (isHeld) => {
    if (!isHeld) {
      release?.()
      release = undefined
    } else if (release === undefined) {
      const end = new Promise<void>((resolve) => (release = resolve))
      // Where storage is closed to us there is no worker either, so no new version takes over.
      sharedLocks()
        ?.request(name, { mode: 'shared' }, () => end)
        .catch(() => undefined)
    }
  }
}
