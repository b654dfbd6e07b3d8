import type { Executor } from '../db/tables.ts'

/** What the owner's devices are rung for: a night without a backup, damaged ones, and pictures that the newest lacks. */
export type Alarm = 'failed' | 'damaged' | 'incomplete'

export interface Ringing {
  readonly what: Alarm
  /** The nights, the files or the pictures that it is about. */
  readonly about: readonly string[]
  readonly now: Date
  /** Rings, in the transaction it is given; answers whether there is a device at all. */
  readonly ring: (t: Executor, what: Alarm, now: Date) => Promise<boolean>
}

/** Far more than the nights and files that a folder of backups has at a time. */
const mostRemembered = 100

/**
 * Rings for what no device was told of yet, by whichever process and however long ago. Meant for a transaction: it keeps every
 * other process waiting until what was told is written down.
 */
export async function ringOnce(t: Executor, { what, about, now, ring }: Ringing): Promise<void> {
  const key = `told-backups-${what}`
  const { value } = await t
    .insertInto('site')
    .values({ key, value: '[]' })
    // Changes nothing, and holds the row.
    .onConflict((c) => c.column('key').doUpdateSet((e) => ({ value: e.ref('site.value') })))
    .returning('value')
    .executeTakeFirstOrThrow()
  const told = JSON.parse(value) as readonly string[]
  const fresh = about.filter((each) => !told.includes(each))
  if (fresh.length > 0 && !(await ring(t, what, now))) return
  // A picture that is there again may be lost again, which is news.
  const kept = what === 'incomplete' ? about : [...fresh, ...told].slice(0, mostRemembered)
  await t
    .updateTable('site')
    .set({ value: JSON.stringify(kept) })
    .where('key', '=', key)
    .execute()
}
