import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sql, type QueryExecutorProvider } from 'kysely'
import { backupTexts } from '#contract/texts/backup.ts'
import { DbError } from '../db/errors.ts'
import type { AnyDb } from '../db/fill.ts'
import { markOf } from '../db/sqlite-file.ts'
import { isLockTaken, lockBeside } from '../db/sqlite-serving.ts'
import { absent, syncToDisk } from '../disk/disk.ts'

/*
 * How processes see of each other that a database is being restored: by a lock, and by what is made beside the site's and outlives
 * it, a schema on PostgreSQL and a file on SQLite.
 */

/** The schema beside the site's in which everything is made, until it takes its place in one transaction. */
export const restoringSchema = 'tintero_restoring'

/** Throws where another restore is being made into this database; from then on this connection holds that place. */
export async function refuseAnother(db: AnyDb): Promise<void> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_lock(hashtext(${restoringSchema})) as locked`.execute(db)
  if (rows[0]?.locked !== true) throw new DbError('busy', backupTexts.restoring)
}

/** The same, waiting for whoever holds it. */
export async function awaitPlace(db: AnyDb): Promise<void> {
  await sql`select pg_advisory_lock(hashtext(${restoringSchema}))`.execute(db)
}

/** What is noted of a schema with what was there before, until somebody is told of it. */
const untold = 'tintero-untold'

/** Notes whether somebody has yet to be told of the schema. */
export async function noteTold(
  x: QueryExecutorProvider,
  schema: string,
  isTold: boolean,
): Promise<void> {
  const words = isTold ? sql`null` : sql.lit(untold)
  await sql`comment on schema ${sql.id(schema)} is ${words}`.execute(x)
}

/** What a database has of a restore that is being made into it, or that was killed. */
interface UnfinishedRestore {
  readonly schema: string
  /** Whether the restored site has its place, and the schema what was there before, which nobody was told. */
  readonly isDone: boolean
  readonly isRunning: boolean
}

/** Restores of a PostgreSQL database that have not ended, or that were killed. */
export async function unfinishedRestores(
  x: QueryExecutorProvider,
): Promise<readonly UnfinishedRestore[]> {
  // A lock whose number is one alone is listed as its two halves.
  const { rows } = await sql<UnfinishedRestore>`
    select nspname as schema, nspname <> ${restoringSchema} as "isDone", exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) | objid::bigint = hashtext(${restoringSchema})
    ) as "isRunning"
    from pg_namespace
    where nspname = ${restoringSchema} or obj_description(oid, 'pg_namespace') = ${untold}
    order by nspname`.execute(x)
  return rows
}

/** The file beside the site's in which everything is made, until it takes its place. */
export function restoringFile(file: string): string {
  return `${file}${unfinished}`
}

/** What the folder for what was there before is called, until the restored file has its place. */
export function asideFolder(before: string): string {
  return `${before}${unfinished}`
}

const unfinished = '.restoring'

/** All that a restore may leave there, the file itself last: while anything of it stays the rest is still looked for. */
function filesMade(file: string): readonly string[] {
  const made = restoringFile(file)
  return [`${made}-journal`, `${made}-wal`, `${made}-shm`, markOf(made), made]
}

/** What a restore of a SQLite file that has not ended, or that was killed, has left. */
interface UnfinishedFile {
  readonly file: string
  /** The folder with what was there before, as far as it has come. */
  readonly aside: string | undefined
  /** Not done, and where the site's own file is then; or done, which nobody was told. */
  readonly is: 'undone' | 'away' | 'done'
  readonly isRunning: boolean
}

/** A restore of a SQLite file that has not ended, or that was killed; undefined where there is none. */
export function unfinishedFile(file: string): UnfinishedFile | undefined {
  const look = () => {
    const aside = asideOf(file)
    const isThere = aside !== undefined || filesMade(file).some((each) => existsSync(each))
    return isThere ? { aside } : undefined
  }
  if (!look()) return undefined
  const isRunning = isLockTaken(restoringFile(file))
  // Once more: it may have ended in between.
  const left = look()
  if (!left) return undefined
  const { aside } = left
  const is = aside === undefined ? 'undone' : stateOf(file, aside)
  return { file: restoringFile(file), aside, is, isRunning }
}

function asideOf(file: string): string | undefined {
  const folder = dirname(file)
  const names = readdirSync(folder)
  const name = names.find((each) => each.startsWith('before-') && each.endsWith(unfinished))
  return name === undefined ? undefined : join(folder, name)
}

function stateOf(file: string, aside: string): UnfinishedFile['is'] {
  const [there, former] = [file, join(aside, basename(file))].map((each) =>
    statSync(each, { bigint: true, throwIfNoEntry: false }),
  )
  if (!there) return 'away'
  // While the former file has its place, what lies aside is its second name, or a copy beside what is to be restored.
  const isPlaced = former && former.ino !== there.ino && !existsSync(restoringFile(file))
  return isPlaced ? 'done' : 'undone'
}

/**
 * Ends what a restore has left there, for whoever holds the file and so knows that no other one runs. Where the restored file has its
 * place, what was there before gets its name; else all is as it was before the restore. Undefined where nothing was left.
 */
export async function endRestore(
  file: string,
): Promise<{ readonly before: string | undefined } | undefined> {
  const aside = asideOf(file)
  const is = aside === undefined ? 'undone' : stateOf(file, aside)
  if (aside !== undefined && is !== 'done') await putBack(file, aside)
  const left = filesMade(file).filter((each) => existsSync(each))
  for (const each of left) await rm(each, { force: true })
  const lock = lockBeside(restoringFile(file))
  if (!isLockTaken(restoringFile(file))) {
    for (const each of [`${lock}-journal`, lock]) await rm(each, { force: true })
  }
  if (aside === undefined) return left.length > 0 ? { before: undefined } : undefined
  if (is !== 'done') return { before: undefined }
  const before = aside.slice(0, -unfinished.length)
  await rename(aside, before)
  return { before }
}

async function putBack(file: string, aside: string): Promise<void> {
  // What cannot be used is moved, behind a copy of its mark; anything else has only its second name there.
  const isMoved = !existsSync(file) || existsSync(join(aside, basename(markOf(file))))
  // The file last: nobody is to open it without its log.
  for (const each of isMoved ? [`${file}-wal`, `${file}-shm`, file] : []) {
    if (!existsSync(each)) await rename(join(aside, basename(each)), each).catch(absent)
  }
  await syncToDisk(dirname(file))
  await rm(aside, { recursive: true, force: true })
}
