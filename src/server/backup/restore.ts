import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { absent, syncToDisk } from '../disk/disk.ts'
import { Kysely, sql, type Dialect } from 'kysely'
import { DbError } from '../db/errors.ts'
import { appliedMigrations } from '../db/as-it-is.ts'
import { fillDatabase, UnfitRows, type AnyDb } from '../db/fill.ts'
import { beginLife, lifeAt } from '../db/life.ts'
import { allMigrations } from '../db/migrations/all.ts'
import { openDb, prepareServer, type DbTarget } from '../db/open.ts'
import { namesTaken } from '../db/own-tables.ts'
import { forgetWriter } from '../db/postgres-dump.ts'
import { postgresDialect, servingName, unhurried } from '../db/postgres.ts'
import { markFile, markOf, refuseForRoot } from '../db/sqlite-file.ts'
import { serveFile } from '../db/sqlite-serving.ts'
import { sqliteDialect } from '../db/sqlite.ts'
import type { Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { digestOf } from '../images/stored-files.ts'
import type { PictureFiles } from '../images/picture-files.ts'
import { isPicture, leftOut, stampOf, type Manifest } from './manifest.ts'
import {
  openBackup,
  readRows,
  UnusableBackup,
  verifyBackup,
  type OpenedBackup,
} from './read-backup.ts'
import {
  refuseAnother,
  removeUnfinished,
  restoringFile,
  restoringSchema,
} from './unfinished-restore.ts'

interface RestoreTo {
  readonly database: DbTarget
  readonly media: PictureFiles
  readonly now: Date
}

interface Restored {
  readonly manifest: Manifest
  /** A folder or a schema with the former content; undefined where there was none. */
  readonly before: string | undefined
}

/**
 * Puts a site back as a backup has it, on either database. The whole file is checked first; what was there before is
 * put aside and nothing of it is lost. Throws, and leaves everything as it is, when the backup is not whole or the site is being served.
 */
export async function restoreBackup(file: string, to: RestoreTo): Promise<Restored> {
  const manifest = await verifyBackup(file)
  const backup = await openBackup(file)
  try {
    const { database } = to
    const before =
      database.engine === 'sqlite'
        ? await toFile(backup, { ...to, file: database.file })
        : await toServer(backup, { ...to, url: database.url })
    return { manifest, before }
  } catch (error) {
    if (!(error instanceof UnfitRows)) throw error
    const why = fill(backupTexts.faults.unfit, { name: error.table })
    throw new UnusableBackup(file, why, error)
  } finally {
    backup.close()
  }
}

const openAny = (dialect: Dialect): AnyDb => new Kysely({ dialect })

const contentOf = (backup: OpenedBackup) => ({
  migration: backup.manifest.migration,
  // One that has them all the same was made by hand: it would open sessions, or set a password by link.
  tables: Object.keys(backup.manifest.tables)
    .filter((table) => !leftOut.has(table))
    .map((table) => ({ table, rows: () => readRows(backup, table) })),
})

async function toFile(
  backup: OpenedBackup,
  { file, media, now }: RestoreTo & { readonly file: string },
): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  refuseForRoot(file)
  const served = serveFile(file)
  const fresh = restoringFile(file)
  try {
    await removeUnfinished(file)
    const db = openAny(sqliteDialect(fresh))
    try {
      await fillDatabase(db, 'sqlite', contentOf(backup))
    } finally {
      await db.destroy()
    }
    const opened = await openDb({ engine: 'sqlite', file: fresh })
    try {
      await transact(opened.db, (t) => begin(t, now))
    } finally {
      await opened.close()
    }
    await rm(markOf(fresh), { force: true })
    await putPictures(backup, media)
    const before = await putAside(file, now)
    // Empty: what was noted of the file before says nothing of this one.
    await writeFile(markOf(file), '', { mode: 0o600 })
    await rename(fresh, file)
    await syncToDisk(dirname(file))
    return before
  } finally {
    await removeUnfinished(file)
    served.close()
  }
}

async function putAside(file: string, now: Date): Promise<string | undefined> {
  if (!existsSync(file)) return undefined
  const folder = await makeAside(join(dirname(file), `before-${stampOf(now)}`))
  if (foldLog(file)) {
    // A second name: under the first it is there until the restored file takes that, so that a start finds one or the other.
    await link(file, join(folder, basename(file))).catch(() =>
      copyFile(file, join(folder, basename(file))),
    )
  } else {
    // Of no use as it is. Its mark stays: without one a start would take the missing file for a site that is to be made.
    markFile(file)
    await copyFile(markOf(file), join(folder, basename(markOf(file))))
    // The log first, which would be taken for the restored file's.
    for (const each of [`${file}-shm`, `${file}-wal`, file]) await moveInto(folder, each)
  }
  await syncToDisk(folder)
  return folder
}

/** Makes a folder of this name, or of one more: in what another restore of the same second has put aside nothing is written over. */
async function makeAside(path: string, n = 1): Promise<string> {
  const folder = n === 1 ? path : `${path}-${n}`
  try {
    await mkdir(folder, { mode: 0o700 })
    return folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return makeAside(path, n + 1)
  }
}

/** Whether the file now holds everything by itself, without a log beside it. */
function foldLog(file: string): boolean {
  try {
    const db = new DatabaseSync(file)
    try {
      db.exec('pragma wal_checkpoint(truncate)')
    } finally {
      // Left open it would hold the file, which is about to be moved.
      db.close()
    }
    return !existsSync(`${file}-wal`)
  } catch {
    return false
  }
}

async function moveInto(folder: string, file: string): Promise<void> {
  await rename(file, join(folder, basename(file))).catch(absent)
}

async function toServer(
  backup: OpenedBackup,
  to: RestoreTo & { readonly url: string },
): Promise<string | undefined> {
  const main = openAny(await postgresDialect(to.url, unhurried))
  try {
    return await main.connection().execute(async (held) => {
      await untilUnserved(held)
      await refuseAnother(held)
      try {
        await dropFresh(held)
        await fillFresh(backup, to)
        return await held.transaction().execute((t) => takePlace(t, to.now))
      } catch (error) {
        // By another connection, as this one may be what was lost. What stays all the same the next restore drops.
        await dropFresh(main).catch(() => undefined)
        throw error
      }
    })
  } finally {
    await main.destroy()
  }
}

async function dropFresh(db: AnyDb): Promise<void> {
  await sql`drop schema if exists ${sql.id(restoringSchema)} cascade`.execute(db)
}

async function fillFresh(
  backup: OpenedBackup,
  { url, media, now }: RestoreTo & { readonly url: string },
): Promise<void> {
  const beside = openAny(await postgresDialect(url, unhurried, restoringSchema))
  try {
    await sql`create schema ${sql.id(restoringSchema)}`.execute(beside)
    await refuseOtherSchema(beside, restoringSchema)
    await fillDatabase(beside, 'postgres', contentOf(backup))
  } finally {
    await beside.destroy()
  }
  await prepareServer(url, { firstLife: lifeAt(now) }, restoringSchema)
  await putPictures(backup, media)
}

/** Puts the site that is there aside, and what was made beside it in its place. */
async function takePlace(t: AnyDb, now: Date): Promise<string | undefined> {
  await refuseServed(t)
  // Once more, as the connection that held it may have been lost.
  await refuseAnother(t)
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(t)
  const own = rows[0]?.name ?? 'public'
  const move = async (tables: readonly { name: string }[], from: string, to: string) => {
    for (const { name } of tables) {
      await sql`alter table ${sql.id(from, name)} set schema ${sql.id(to)}`.execute(t)
    }
  }
  const former = await formerTables(t)
  const before = former.length > 0 ? await makeSchemaAside(t, now) : undefined
  if (before !== undefined) await move(former, own, before)
  const made = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = ${restoringSchema}`.execute(t)
  await refuseTaken(t, { names: made.rows.map(({ name }) => name), schema: own })
  await move(made.rows, restoringSchema, own)
  await sql`drop schema ${sql.id(restoringSchema)}`.execute(t)
  await begin(t, now)
  return before
}

/** Makes a schema for what was there, beside that of another restore of the same second. */
async function makeSchemaAside(t: AnyDb, now: Date): Promise<string> {
  const name = `before_${stampOf(now).toLowerCase()}`
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from pg_namespace where nspname ~ ${`^${name}(_\\d+)?$`}`.execute(t)
  const n = (rows[0]?.n ?? 0) + 1
  const aside = n === 1 ? name : `${name}_${n}`
  await sql`create schema ${sql.id(aside)}`.execute(t)
  return aside
}

/**
 * The tables of the site that is put aside: those with the site's names, where the site's own first migration is said to have
 * been made. Without that another application has made them, and they stay where they are.
 */
async function formerTables(t: AnyDb): Promise<readonly { readonly name: string }[]> {
  const [first = ''] = Object.keys(allMigrations('postgres'))
  const done = await appliedMigrations(t)
  return done.includes(first) ? t.introspection.getTables({ withInternalKyselyTables: true }) : []
}

/** Throws where something of another application has the place of a table. */
async function refuseTaken(
  t: AnyDb,
  { names, schema }: { readonly names: readonly string[]; readonly schema: string },
): Promise<void> {
  const taken = await namesTaken(t, names, schema)
  if (taken.length > 0) throw new Error(fill(backupTexts.taken, { names: taken.join(', ') }))
}

/**
 * Throws where the connections are not in the schema, which something on the way may not have handed on: filling it
 * would empty the site's tables.
 */
async function refuseOtherSchema(db: AnyDb, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  if (rows[0]?.name === schema) return
  throw new Error(backupTexts.pooled)
}

/** For how long the connections of a process that has just stopped may still be listed, in milliseconds. */
const goingMs = 5_000

/** Throws when a connection stays. */
async function untilUnserved(db: AnyDb): Promise<void> {
  const since = performance.now()
  for (;;) {
    try {
      return await refuseServed(db)
    } catch (error) {
      if (!(error instanceof DbError) || performance.now() - since > goingMs) throw error
      await wait(100)
    }
  }
}

async function refuseServed(db: AnyDb): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from pg_stat_activity where datname = current_database() and application_name = ${servingName}`.execute(
    db,
  )
  if (rows[0]?.n === 0) return
  throw new DbError('busy', backupTexts.served)
}

/** Restored content begins another life; jobs that waited to be sent then are long out of date. */
async function begin(t: Executor, now: Date): Promise<void> {
  await t.deleteFrom('job').where('kind', 'in', ['push', 'mail']).execute()
  await forgetWriter(t)
  await beginLife(t, now)
}

/**
 * A stored picture stays where it is the same, and where the backup's own was damaged: it can only be as good or
 * better.
 */
async function putPictures(backup: OpenedBackup, media: PictureFiles): Promise<void> {
  const { files, damaged } = backup.manifest
  for (const name of backup.names.filter(isPicture)) {
    const file = basename(name)
    const there = await media.read(file)
    if (there && (damaged.includes(file) || digestOf(there) === files[name]?.sha256)) continue
    await media.write([{ name: file, bytes: await buffer(await backup.open(name)) }])
  }
}
