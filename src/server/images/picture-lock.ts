import { sql } from 'kysely'
import { idleMs } from '../db/postgres.ts'
import type { Db, Engine, Executor } from '../db/tables.ts'

/** Any number that nothing else locks on. */
const pictureLock = 7_401_853

/**
 * Runs a job on the files of pictures while no other process runs one: what one process has just found to be kept, another
 * could be about to remove. On SQLite there is only one process. The job gets the connection that holds the lock: the lock
 * is lost with it, and only a query over it tells the job so.
 */
export async function whileAlone<T>(
  { db, engine }: { readonly db: Db; readonly engine: Engine },
  job: (held: Executor) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return job(db)
  return db.transaction().execute(async (t) => {
    await sql`select pg_advisory_xact_lock(${pictureLock})`.execute(t)
    // The server ends a transaction that is idle for too long, and the lock with it.
    const holding = setInterval(() => {
      // Where the connection is lost the next question says so, or the commit.
      sql`select 1`.execute(t).catch(() => undefined)
    }, idleMs / 3)
    try {
      return await job(t)
    } finally {
      clearInterval(holding)
    }
  })
}
