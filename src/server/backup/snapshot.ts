import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { DbError, toDbError } from '../db/errors.ts'
import type { DbTarget } from '../db/open.ts'
import { postgresDialect, unhurried } from '../db/postgres.ts'
import { checkPages, countLoose } from '../db/sqlite-file.ts'
import { leftOut } from './manifest.ts'

type Row = Readonly<Record<string, unknown>>

/** All rows of a database as they were at one moment, whoever writes meanwhile. */
export interface Snapshot {
  readonly migration: string
  readonly tables: readonly string[]
  /** How many rows refer to none that is there. */
  readonly loose: number
  rows(table: string): AsyncIterable<Row>
}

type AnyTables = Record<string, Record<string, unknown>>

/** Runs with a snapshot of the database, on a connection of its own. */
export async function withSnapshot<T>(
  target: DbTarget,
  run: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return target.engine === 'sqlite' ? fromFile(target.file, run) : fromServer(target.url, run)
}

/** A read transaction keeps seeing the write-ahead log as it was, and holds up nobody. */
async function fromFile<T>(file: string, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    db.exec('begin')
    refuseUnsound(db, file)
    const names = db
      .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
      .all()
    const last = db.prepare('select max(name) as name from kysely_migration').get()
    return await run({
      migration: String(last?.['name']),
      tables: kept(names.map(({ name }) => String(name))),
      loose: countLoose(db),
      async *rows(table) {
        yield* db.prepare(`select * from "${table}" order by 1`).iterate() as Iterable<Row>
      },
    })
  } finally {
    db.close()
  }
}

/** Throws, with what may help, where an index lacks rows: its table would be read shorter, and that would pass for whole. */
function refuseUnsound(db: DatabaseSync, file: string): void {
  try {
    checkPages(db)
  } catch (error) {
    const fault = toDbError(error)
    if (fault?.fault !== 'damaged') throw error
    const { message } = fault
    throw new DbError('damaged', fill(backupTexts.unsound, { file, message }), error)
  }
}

async function fromServer<T>(url: string, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const db = new Kysely<AnyTables>({ dialect: await postgresDialect(url, unhurried) })
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (t) => {
        const tables = await t.introspection.getTables({ withInternalKyselyTables: true })
        const last = await t
          .selectFrom('kysely_migration')
          .select((e) => e.fn.max('name').as('name'))
          .executeTakeFirstOrThrow()
        return run({
          migration: String(last.name),
          tables: kept(tables.map(({ name }) => name)),
          // It takes none, whoever writes.
          loose: 0,
          async *rows(table) {
            yield* await t.selectFrom(table).selectAll().execute()
          },
        })
      })
  } finally {
    await db.destroy()
  }
}

const kept = (names: readonly string[]) => names.filter((name) => !leftOut.has(name)).toSorted()
