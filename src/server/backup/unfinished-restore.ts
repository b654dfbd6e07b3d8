import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { backupTexts } from '#contract/texts/backup.ts'
import { DbError } from '../db/errors.ts'
import type { AnyDb } from '../db/fill.ts'
import { markOf } from '../db/sqlite-file.ts'
import { isHeld } from '../db/sqlite-serving.ts'
import type { Db } from '../db/tables.ts'

/*
 * How processes see of each other that a database is being restored: by a lock, and by what is made beside the site's and outlives
 * it, a schema on PostgreSQL and a file on SQLite.
 */

/** The schema beside the site's in which everything is made, until it takes its place in one transaction. */
export const restoringSchema = 'tintero_restoring'

/** Throws where another restore is being made into this database; from then on this connection holds that place. */
export async function refuseAnother(db: AnyDb): Promise<void> {
  const { rows } = await sql<{
    held: boolean
  }>`select pg_try_advisory_lock(hashtext(${restoringSchema})) as held`.execute(db)
  if (rows[0]?.held !== true) throw new DbError('busy', backupTexts.restoring)
}

/** What the database has of a restore that is being made into it, or that was killed. */
interface UnfinishedRestore {
  /** Where that lies. */
  readonly schema: string
  readonly isRunning: boolean
}

/** A restore of a PostgreSQL database that has not ended, or that was killed and is to be done again; undefined where there is none. */
export async function unfinishedRestore(db: Db): Promise<UnfinishedRestore | undefined> {
  // A lock whose number is one alone is listed as its two halves.
  const { rows } = await sql<UnfinishedRestore>`
    select nspname as schema, exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) | objid::bigint = hashtext(${restoringSchema})
    ) as "isRunning"
    from pg_namespace where nspname = ${restoringSchema}`.execute(db)
  return rows[0]
}

/** The file beside the site's in which everything is made, until it takes its place. */
export function restoringFile(file: string): string {
  return `${file}.restoring`
}

/** All that a restore may leave there, the file itself last: while anything of it stays the rest is still looked for. */
function filesMade(file: string): readonly string[] {
  const made = restoringFile(file)
  return [`${made}-journal`, `${made}-wal`, `${made}-shm`, markOf(made), made]
}

/** A restore of a SQLite file that has not ended, or that was killed and is to be done again; undefined where there is none. */
export function unfinishedFile(
  file: string,
): { readonly file: string; readonly isRunning: boolean } | undefined {
  const isThere = filesMade(file).some((each) => existsSync(each))
  return isThere ? { file: restoringFile(file), isRunning: isHeld(file) } : undefined
}

/** Removes what a restore of the file has left, for whoever holds the file and so knows that none runs; resolves to whether there was any. */
export async function removeUnfinished(file: string): Promise<boolean> {
  const left = filesMade(file).filter((each) => existsSync(each))
  for (const each of left) await rm(each, { force: true })
  return left.length > 0
}
