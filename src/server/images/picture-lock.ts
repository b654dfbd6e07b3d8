import { sql } from 'kysely'
import { idleMs } from '../db/postgres.ts'
import type { Db, Engine, Executor } from '../db/tables.ts'

/** Any number that nothing else locks on. */
const pictureLock = 7_401_853

/**
 * Does what concerns the files of pictures while no other process does: what one of them has just found to be kept, another
 * could be about to remove. On SQLite there is no other. What the job asks through what it is given is answered only while
 * that is so: a lock ends with its connection, and nothing else says that it has.
 */
export async function whileAlone<T>(
  { db, engine }: { readonly db: Db; readonly engine: Engine },
  job: (held: Executor) => Promise<T>,
): Promise<T> {
  if (engine === 'sqlite') return job(db)
  return db.transaction().execute(async (t) => {
    await sql`select pg_advisory_xact_lock(${pictureLock})`.execute(t)
    // What takes longer than the server lets a transaction lie idle would lose the lock with that.
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
