import { get } from 'idb-keyval'
import type { SentHiddenEntry } from '#contract/hidden.ts'
import { openStore, writeNow } from '#client/browser/database.ts'
import { inTime } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { getSession } from '#client/data/session.ts'

/*
 * What the device keeps of the hidden entries, so that their owner can go on with them without a connection: apart from the copy
 * that every page of the site reads, asked for in her session alone, and gone with LogOut.
 */

interface Copy {
  /** Whose entries they are. */
  readonly account: string
  readonly hidden: readonly SentHiddenEntry[]
}

const store = openStore({ database: 'tintero-hidden', store: 'kv', durability: 'relaxed' })
const key = 'entries'
/** From LogOut on until the page goes: an answer that was on its way is not kept any more. */
let isLeaving = false

/** What this device keeps for whoever is signed in; undefined where that is nothing, or another's. */
export async function readHidden(): Promise<readonly SentHiddenEntry[] | undefined> {
  try {
    const copy = await inTime(get<Copy>(key, store))
    return copy?.account === getSession().account ? copy?.hidden : undefined
  } catch {
    return undefined // a device that keeps nothing
  }
}

/** Keeps what the server answered, and nothing at all where nothing is hidden any more. */
export async function keepHidden(hidden: readonly SentHiddenEntry[]): Promise<void> {
  const { account } = getSession()
  // In another tab her session may have ended meanwhile.
  if (isLeaving || account === '') return
  await write(hidden.length > 0 ? { account, hidden } : undefined)
}

async function write(copy: Copy | undefined): Promise<void> {
  try {
    // A database that never opens holds no LogOut up.
    await inTime(writeNow(store, [[key, copy]]))
  } catch (cause) {
    logProblem('The hidden entries are not kept on this device', cause)
  }
}

/** Forgets what is kept of them, whoever's they are: somebody else may sit here next. */
export async function dropHidden(): Promise<void> {
  isLeaving = true
  await write(undefined)
}

/** Forgets them for now: whoever is signed in reads them anew. */
export async function forgetHidden(): Promise<void> {
  await write(undefined)
}
