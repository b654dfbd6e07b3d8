import { LostConnection } from './errors.ts'
import type { Db, Executor } from './tables.ts'

const tries = 4

interface Repeat {
  /** Whether running it again is right even if the first run was committed after all. */
  readonly repeatable?: boolean
}

/**
 * Runs a transaction, again when the connection is lost before it can have been committed. Lost while committing, it
 * may have been: then only what is `repeatable` runs again, and everything else is refused as a `LostConnection`.
 */
export async function transact<T>(
  db: Db,
  run: (t: Executor) => Promise<T>,
  { repeatable = false }: Repeat = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(run)
    } catch (error) {
      const isSafe = error instanceof LostConnection && (error.undone || repeatable)
      if (!isSafe || !error.isSudden || attempt === tries) throw error
    }
  }
}
