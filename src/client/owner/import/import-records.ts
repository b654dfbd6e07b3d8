import { del, entries, get, type UseStore } from 'idb-keyval'
import { dayMs } from '#contract/durations.ts'
import type { FieldValues } from '#contract/fields.ts'
import { inTime } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { isDatabase, openStore, writeNow } from '#client/browser/database.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { presentAccount } from '#client/outbox/page-outbox.ts'

/** What an import changed on this device, so that it can be taken back as one. */
export interface ImportRecord {
  readonly id: string
  readonly at: string
  /** Whose it is. */
  readonly account: string
  /** The file. */
  readonly name: string
  /** The queued changes it was made of; absent in what an earlier version of the product kept. */
  readonly queued?: QueuedChanges
  readonly created: readonly Made[]
  readonly updated: readonly ({ readonly section: string; readonly id: string } & Replaced)[]
  /** The profile's texts, and the settings. */
  readonly person: Replaced
  readonly settings: Replaced
  /** What was kept of what has no place. */
  readonly parts: readonly string[]
  /** Drafts that were left to forms. */
  readonly drafts: readonly Made[]
  /** Its changes and drafts are not all known to be on this device: these are its changes, for a page that is killed meanwhile. */
  readonly unfinished?: readonly Operation[]
  /** Its drafts are with their forms, though it is unfinished. */
  readonly areDraftsLeft?: true
}

/** Queued changes by their ids, as they are counted for her: the profile is one thing, however many changes it takes. */
export interface QueuedChanges {
  readonly things: readonly (readonly string[])[]
  /** Those about what is only kept, which nobody counts beside anything that shows. */
  readonly aside: readonly string[]
}

/** An entry that an import made, or left to a form. */
export interface Made {
  readonly section: string
  readonly id: string
  /** As the import made it; absent in what an earlier version of the product kept. */
  readonly fields?: FieldValues
}

/** Values with what stood in their place before. */
export interface Replaced {
  readonly before: FieldValues
  readonly after: FieldValues
}

const place = { database: 'tintero-imports', store: 'imports' } as const
const store: UseStore = openStore(place)
const lifeMs = 30 * dayMs

/** Keeps what an import does, before it does it. Throws when the device does not take it. */
export async function keepRecord(record: ImportRecord): Promise<void> {
  await inTime(writeNow(store, new Map([[record.id, record]])))
}

/** Forgets an import: it was taken back. */
export async function forgetRecord(id: string): Promise<void> {
  await inTime(del(id, store))
}

/**
 * Forgets hers at LogOut: they hold what was said before, hidden or not, and somebody else may sit here next. What is not brought in
 * yet waits for her, as the queue does, and another account's for its own. Never rejects.
 */
export async function dropRecords(): Promise<void> {
  try {
    if (!(await inTime(hasRecords()))) return
    const records = await readRecords()
    await inTime(writeNow(store, new Map(records.map(({ id }) => [id, undefined]))))
  } catch (cause) {
    logProblem('The imports stay on this device', cause)
  }
}

/** An import as it is kept by now. */
export async function readRecord(id: string): Promise<ImportRecord | undefined> {
  return inTime(get<ImportRecord>(id, store))
}

/** The imports of the last thirty days that this account can take back here, the latest first. */
export async function readRecords(): Promise<readonly ImportRecord[]> {
  return (await keptRecords()).filter(({ unfinished }) => !unfinished)
}

/** Whether any import was ever kept here: asking for one would make a place to keep it. */
export function hasRecords(): Promise<boolean> {
  return isDatabase(place.database)
}

/** The imports of this account that are not known to be finished. */
export async function readUnfinished(): Promise<readonly ImportRecord[]> {
  return (await keptRecords()).filter(({ unfinished }) => unfinished)
}

async function keptRecords(): Promise<readonly ImportRecord[]> {
  try {
    const all = await inTime(entries<string, ImportRecord>(store))
    const account = presentAccount()?.account ?? ''
    const own = all.map(([, record]) => record).filter((record) => record.account === account)
    // What is not brought in yet waits, however long: this device's clock may have been wrong, too.
    const old = own.filter(
      ({ at, unfinished }) => !unfinished && Date.now() - Date.parse(at) > lifeMs,
    )
    for (const { id } of old) void forgetRecord(id)
    return own
      .filter((record) => !old.includes(record))
      .toSorted((a, b) => b.at.localeCompare(a.at))
  } catch (cause) {
    logProblem('The imports could not be read', cause)
    return []
  }
}
