import { sql } from 'kysely'
import { dayMs } from '#contract/durations.ts'
import { readFact } from './site-facts.ts'
import type { Executor } from './tables.ts'

/*
 * What lies for thirty days before it goes lies for thirty days of the site's: a clock that was wrong, or a server that was off, is to
 * take nothing away. Each daily sweep notes its moment, and all dates are as far before it as what they date has lain.
 */

/** The fact with the moment of the last sweep. */
export const sweptKey = 'swept-at'

/** Sweeps that are further apart do not tell what of that time the site has lived through. */
const mostApartMs = 2 * dayMs

/** The date of what lies from now on: never before the last sweep, for which it would have lain already. */
export async function dateFrom(x: Executor, now: Date): Promise<string> {
  const moment = now.toISOString()
  const swept = await readFact(x, sweptKey)
  return swept !== undefined && swept > moment ? swept : moment
}

/** This moment, as far as the last sweep bears it out: a clock that has jumped since takes nothing away before the next one. */
export async function livedUntil(x: Executor, now: Date): Promise<Date> {
  const swept = await readFact(x, sweptKey)
  const most = swept === undefined ? now.getTime() : Date.parse(swept) + mostApartMs
  return new Date(Math.min(now.getTime(), most))
}

export type Redate = (date: string) => string

/**
 * What a date becomes with a sweep: where more than two days are said to have passed since the last one a day of them counts, and none
 * where the clock was set back. None is yet to come.
 */
export function redateOver(last: Date, now: Date): Redate {
  const byMs = notLived(now.getTime() - last.getTime())
  return (date) => {
    const moment = Date.parse(date) + byMs
    return moment < now.getTime() ? new Date(moment).toISOString() : now.toISOString()
  }
}

function notLived(sinceMs: number): number {
  if (sinceMs < 0) return sinceMs
  return sinceMs > mostApartMs ? sinceMs - dayMs : 0
}

/** The columns with the dates. */
const dated = [
  ['bin', 'removed_at'],
  ['image', 'orphan_since'],
] as const

/** Meant for the transaction that notes the sweep. */
export async function redateKept(t: Executor, redate: Redate): Promise<void> {
  for (const [table, column] of dated) {
    const { rows } = await sql<{ was: string }>`
      select distinct ${sql.ref(column)} as was from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(t)
    const dates = rows.map(({ was }) => ({ was, is: redate(was) })).filter(isOther)
    // In the order in which none becomes one that is still to be changed.
    const upwards = dates.toSorted((a, b) => (a.was < b.was ? -1 : 1))
    const isLater = upwards.some(({ was, is }) => is > was)
    for (const { was, is } of isLater ? upwards.toReversed() : upwards) {
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${is}
        where ${sql.ref(column)} = ${was}`.execute(t)
    }
  }
}

const isOther = ({ was, is }: { readonly was: string; readonly is: string }) => was !== is
