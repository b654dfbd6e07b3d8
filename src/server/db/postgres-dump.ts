import { sql } from 'kysely'
import type { Executor } from './tables.ts'

/*
 * A dump that somebody has put back tells nothing of it by itself. A row that says which transaction wrote it does: the
 * server keeps that beside each row, a dump leaves it out, and what puts the dump back writes the row in another one.
 */

const key = 'written-in'

/** Whether the site's rows were put there by others than the site, once; notes that they are its own. Meant for a transaction. */
export async function isPutBack(t: Executor): Promise<boolean> {
  // A process that starts at the same time waits, and finds it noted.
  const { rows } = await sql<{ isOwn: boolean }>`
    select value = xmin::text as "isOwn" from site where key = ${key} for update`.execute(t)
  const [row] = rows
  if (row?.isOwn) return false
  await sql`
    insert into site (key, value) values (${key}, (txid_current() % 4294967296)::text)
    on conflict (key) do update set value = excluded.value`.execute(t)
  return row !== undefined
}

/** Forgets it in rows that a restore puts there, which begins another life itself. */
export async function forgetWriter(t: Executor): Promise<void> {
  await t.deleteFrom('site').where('key', '=', key).execute()
}
