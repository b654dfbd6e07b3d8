import { sql } from 'kysely'
import { writeFact } from './site-facts.ts'
import type { Executor } from './tables.ts'

/*
 * Versions and revisions of a database that was put back from a backup, or begun anew, must not repeat those that its
 * lost successor gave out: a change made to lost content would be taken for one made to what is there now, and an old
 * list for the current one. So each life of a database counts from the second it began, and no life ever changes
 * anything as often as there were seconds before the next.
 */

const firstSecond = Date.parse('2026-01-01T00:00:00Z') / 1000
/** The fact with the number that this life counts from. */
export const lifeKey = 'life'

/** The number that a life beginning now counts from; versions fit nine digits for three decades. */
export function lifeAt(now: Date): number {
  return Math.floor(now.getTime() / 1000) - firstSecond
}

/** Inside a statement: the number that this life counts from. */
export const lifeStart = sql<number>`coalesce((select cast(value as integer) from site where key = ${lifeKey}), 0)`

/** Writes the first life down; nothing has a version yet. */
export async function noteLife(x: Executor, life: number): Promise<void> {
  await x
    .insertInto('site')
    .values({ key: lifeKey, value: String(life) })
    .execute()
}

/** Begins another life: every version and revision jumps ahead of all that were ever given out. Meant for a transaction. */
export async function beginLife(t: Executor, now: Date): Promise<void> {
  const versioned = (await t.introspection.getTables())
    .filter(({ columns }) => columns.some(({ name }) => name === 'version'))
    .map(({ name }) => name)
  // Two lives may begin in one second: what is there tells how far the last one came.
  const given = [
    ...versioned.map((name) => highest(t, name, 'version')),
    highest(t, 'revision', 'rev'),
  ]
  const life = Math.max(lifeAt(now), ...(await Promise.all(given)).map((number) => number + 1))
  await writeFact(t, lifeKey, String(life))
  await t.updateTable('revision').set({ rev: life }).execute()
  for (const name of versioned) {
    await sql`update ${sql.table(name)} set version = ${life}`.execute(t)
  }
}

async function highest(t: Executor, table: string, column: string): Promise<number> {
  const { rows } = await sql<{
    highest: number | string | null
  }>`select max(${sql.ref(column)}) as highest from ${sql.table(table)}`.execute(t)
  return Number(rows[0]?.highest ?? 0)
}
