import { get } from 'idb-keyval'
import { share } from '#contract/offline/offline.ts'
import { openStore } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'

/** Whether something was shared to the installed app that no form has taken yet. */
export async function hasShared(): Promise<boolean> {
  try {
    return (await inTime(get(share.key, openStore(share)))) !== undefined
  } catch {
    return false // Storage is closed to us: nothing can have been shared.
  }
}
