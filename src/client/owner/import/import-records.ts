import { clear, del, entries, type UseStore } from 'idb-keyval'
import { dayMs } from '#contract/durations.ts'
import type { FieldValues } from '#contract/fields.ts'
import { inTime } from '#client/browser/delay.ts'
import { logProblem } from '#client/browser/early/log.ts'
import { isDatabase, openStore, writeNow } from '#client/browser/database.ts'
import { presentAccount } from '#client/outbox/page-outbox.ts'

/** What an import changed on this device, so that it can be taken back as one. */
export interface ImportRecord {
  readonly id: string
  readonly at: string
  /** Whose it is. */
  readonly account: string
  /** The file. */
  readonly name: string
  /** The queued changes it was made of. */
  readonly operations: readonly string[]
  readonly created: readonly { readonly section: string; readonly id: string }[]
  readonly updated: readonly ({ readonly section: string; readonly id: string } & Replaced)[]
  /** The profile's texts, and the settings. */
  readonly person: Replaced
  readonly settings: Replaced
  /** What was kept of what has no place. */
  readonly parts: readonly string[]
  /** Drafts that were left to forms. */
  readonly drafts: readonly {
    readonly place: string
    readonly section: string
    readonly id: string
  }[]
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

/** Forgets all of them at LogOut: they hold what was said before, hidden or not, and somebody else may sit here next. Never rejects. */
export async function dropRecords(): Promise<void> {
  try {
    if (await inTime(isDatabase(place.database))) await inTime(clear(store))
  } catch (cause) {
    logProblem('The imports stay on this device', cause)
  }
}

/** The imports of the last thirty days that this account can take back here, the latest first. */
export async function readRecords(): Promise<readonly ImportRecord[]> {
  try {
    const all = await inTime(entries<string, ImportRecord>(store))
    const old = all.filter(([, { at }]) => Date.now() - Date.parse(at) > lifeMs)
    for (const [id] of old) void forgetRecord(id)
    const account = presentAccount()?.account ?? ''
    return all
      .map(([, record]) => record)
      .filter((record) => record.account === account && !old.some(([id]) => id === record.id))
      .toSorted((a, b) => b.at.localeCompare(a.at))
  } catch (cause) {
    logProblem('The imports could not be read', cause)
    return []
  }
}
