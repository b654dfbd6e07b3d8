import { sharedLocks } from './locks.ts'

/** Held, shared, by every tab that has unsaved text or a change on its way. */
export const busyLock = 'tintero-busy'
let release: (() => void) | undefined

/** Lets the other tabs know whether this one has something that a reload would cut short. */
export function showBusy(isBusy: boolean): void {
  if (!isBusy) {
    release?.()
    release = undefined
  } else if (release === undefined) {
    const end = new Promise<void>((resolve) => (release = resolve))
    // Where storage is closed to us there is no worker either, so no new version takes over.
    sharedLocks()
      ?.request(busyLock, { mode: 'shared' }, () => end)
      .catch(() => undefined)
  }
}
