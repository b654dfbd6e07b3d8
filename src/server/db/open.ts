import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { personId } from '#contract/limits.ts'
import { DbError, toDbError } from './errors.ts'
import { allMigrations } from './migrations/all.ts'
import { postgresDialect } from './postgres.ts'
import { syncSectionTables } from './section-tables.ts'
import { checkFile, markFile } from './sqlite-file.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Db, Engine, Tables } from './tables.ts'

/** Which database to open; the SQLite file may be `:memory:`. */
export type DbTarget =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export interface OpenedDb {
  readonly db: Db
  readonly engine: Engine
  close(): Promise<void>
}

/**
 * Opens the database with its tables up to date, making it when there is none. Throws a `DbError` with the reason, and
 * changes nothing, when the file is damaged or a later version of the program has changed it.
 */
export async function openDb(target: DbTarget): Promise<OpenedDb> {
  const { engine } = target
  if (target.engine === 'sqlite') await checkFile(target.file)
  const db = new Kysely<Tables>({
    dialect:
      target.engine === 'sqlite' ? sqliteDialect(target.file) : await postgresDialect(target.url),
  })
  try {
    await refuseNewer(db, engine)
    await migrate(db, engine)
    await db.transaction().execute(async (t) => {
      await syncSectionTables(t, engine)
      await t
        .insertInto('person')
        .values(nobody)
        .onConflict((c) => c.doNothing())
        .execute()
    })
    if (target.engine === 'sqlite') markFile(target.file)
  } catch (error) {
    await db.destroy()
    throw toDbError(error) ?? error
  }
  return { db, engine, close: () => db.destroy() }
}

/** The profile before anybody has written it. */
const nobody = {
  id: personId,
  name: '',
  lastname: '',
  title: '',
  description: '',
  image: '',
  version: 1,
}

async function refuseNewer(db: Db, engine: Engine) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return
  const known = allMigrations(engine)
  const done = await db
    .$extendTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = done.map(({ name }) => name).filter((name) => !(name in known))
  if (unknown.length === 0) return
  throw new DbError(
    'newer',
    `A later version of the program has changed this database (${unknown.join(', ')}). Start that version, or put back the backup made before it.`,
  )
}

async function migrate(db: Db, engine: Engine) {
  const provider = { getMigrations: async () => allMigrations(engine) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error === undefined) return
  throw (
    toDbError(error) ?? new Error('the tables could not be brought up to date', { cause: error })
  )
}
