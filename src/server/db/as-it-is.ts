import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import type { DbTarget } from './open.ts'
import { looking, postgresDialect, serving } from './postgres.ts'
import { checkPages, countLoose } from './sqlite-file.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Db, Tables } from './tables.ts'

/* A database as somebody finds it: nothing is made, brought up to date or mended. */

/** Opens a database that is there, whichever version its tables are of. */
export function openAsItIs(target: DbTarget): Promise<Db> {
  return openWith(target, serving)
}

/** The same for whoever changes nothing in it, and may do so while it is restored. */
export function openToLook(target: DbTarget): Promise<Db> {
  return openWith(target, looking)
}

async function openWith(target: DbTarget, patience: typeof serving): Promise<Db> {
  const dialect =
    target.engine === 'sqlite'
      ? sqliteDialect(target.file)
      : await postgresDialect(target.url, patience)
  return new Kysely<Tables>({ dialect })
}

/** The names of the migrations that have made its tables; none where there are no tables yet. */
export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/** How many rows of the file refer to none that is there. Throws when a page of it is broken. */
export function looseRows(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    checkPages(db)
    return countLoose(db)
  } finally {
    db.close()
  }
}
