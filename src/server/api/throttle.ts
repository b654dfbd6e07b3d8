import { sql } from 'kysely'
import type { Executor } from '../db/tables.ts'

interface Limit {
  readonly limit: number
  readonly windowMs: number
  readonly now: Date
}

interface Verdict {
  readonly allowed: boolean
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterS: number
}

/**
 * Counts one more hit on the key and tells whether it is within the limit. The count lives in the database, so it
 * holds over restarts and processes; a window that seems to begin in the future (the clock was set back) starts anew.
 */
export async function hit(x: Executor, key: string, limit: Limit): Promise<Verdict> {
  const now = limit.now.getTime()
  const cut = now - limit.windowMs
  const over = sql<boolean>`throttle.since <= ${cut} or throttle.since > ${now}`
  const row = await x
    .insertInto('throttle')
    .values({ key, n: 1, since: now })
    .onConflict((c) =>
      c.column('key').doUpdateSet({
        n: sql<number>`case when ${over} then 1 else throttle.n + 1 end`,
        since: sql<number>`case when ${over} then ${now} else throttle.since end`,
      }),
    )
    .returning(['n', 'since'])
    .executeTakeFirstOrThrow()
  const leftMs = row.since + limit.windowMs - now
  return { allowed: row.n <= limit.limit, retryAfterS: Math.max(1, Math.ceil(leftMs / 1000)) }
}

/** Takes one hit back, when a call that was counted in advance turned out to be harmless. */
export async function forgive(x: Executor, key: string): Promise<void> {
  await x
    .updateTable('throttle')
    .set({ n: sql<number>`n - 1` })
    .where('key', '=', key)
    .where('n', '>', 0)
    .execute()
}

/** Opens the window of this key anew, as after a login that succeeded. */
export async function forgetHits(x: Executor, key: string): Promise<void> {
  await x.deleteFrom('throttle').where('key', '=', key).execute()
}

/** No window in use may be longer than the time since that moment. */
export async function sweepThrottle(x: Executor, before: Date): Promise<void> {
  await x.deleteFrom('throttle').where('since', '<', before.getTime()).execute()
}
