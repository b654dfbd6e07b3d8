import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { personId } from '#contract/limits.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { appliedMigrations, openAsItIs } from './as-it-is.ts'
import { DbError, isDeadlock, toDbError } from './errors.ts'
import { lifeAt, lifeStart } from './life.ts'
import { allMigrations } from './migrations/all.ts'
import { takenNames } from './own-tables.ts'
import { postgresDialect, unhurried } from './postgres.ts'
import { syncSectionTables, takenSections } from './section-tables.ts'
import { checkFile, markFile } from './sqlite-file.ts'
import type { Db, Engine, Tables } from './tables.ts'

/** Which database to open; the SQLite file may be `:memory:`. */
export type DbTarget =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export interface OpenedDb {
  readonly db: Db
  readonly target: DbTarget
  readonly engine: Engine
  close(): Promise<void>
}

/**
 * Opens the database with its tables up to date, making it when there is none. Throws a `DbError` with the reason, and
 * changes nothing, when the file is damaged or a later version of the program has changed it.
 */
export async function openDb(
  target: DbTarget,
  firstLife = lifeAt(new Date()),
  beforeMigrating?: BeforeMigrating,
): Promise<OpenedDb> {
  const { engine } = target
  if (target.engine === 'sqlite') await checkFile(target.file)
  if (target.engine === 'postgres') await prepareServer(target.url, { firstLife, beforeMigrating })
  const db = await openAsItIs(target)
  try {
    if (target.engine === 'sqlite') {
      await prepare(db, { engine, firstLife, beforeMigrating })
      markFile(target.file)
    }
  } catch (error) {
    await db.destroy()
    throw toDbError(error) ?? error
  }
  return { db, engine, target, close: () => db.destroy() }
}

/** Brings the tables of a schema up to date. That may take longer than any call may wait, so it has connections of its own. */
export async function prepareServer(
  url: string,
  { firstLife, beforeMigrating }: Omit<Schema, 'engine'>,
  schema?: string,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: await postgresDialect(url, unhurried, schema) })
  try {
    await besideOthers(db, () => prepare(db, { engine: 'postgres', firstLife, beforeMigrating }))
  } catch (error) {
    throw toDbError(error) ?? error
  } finally {
    await db.destroy()
  }
}

const tries = 4

/**
 * Other processes of the site may start in the same moment, or serve it: what fails because another has brought the tables
 * up to date, or because each waited for the other, is done again with the tables as they are by then.
 */
async function besideOthers(db: Db, bringUpToDate: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await appliedMigrations(db)
    try {
      return await bringUpToDate()
    } catch (error) {
      const isAgain =
        isDeadlock(error) ||
        (await appliedMigrations(db).catch(() => before)).length > before.length
      if (!isAgain || attempt === tries) throw error
    }
  }
}

interface Schema {
  readonly engine: Engine
  /** What the versions of a new database count from. */
  readonly firstLife: number
  /** What has to be done before tables with content are changed; when it fails they are not. */
  readonly beforeMigrating?: BeforeMigrating | undefined
}

/** Called with the last migration that the tables have had. */
export type BeforeMigrating = (last: string) => Promise<unknown>

/** Brings the tables up to date. */
async function prepare(db: Db, { engine, firstLife, beforeMigrating }: Schema): Promise<void> {
  const migrations = allMigrations(engine, firstLife)
  const taken = engine === 'postgres' ? await takenNames(db) : []
  const done = await appliedMigrations(db)
  refuseNewer(done, migrations)
  if (done.length === 0) refuseTaken(taken, cliTexts.taken)
  else {
    const later = await db.transaction().execute((t) => takenSections(t, engine))
    refuseTaken(later, cliTexts.takenSections)
  }
  const last = done.toSorted().at(-1)
  if (last !== undefined && Object.keys(migrations).length > done.length) {
    await beforeMigrating?.(last)
  }
  await migrate(db, migrations)
  await db.transaction().execute(async (t) => {
    await syncSectionTables(t, engine)
    await t
      .insertInto('person')
      .values(nobody)
      .onConflict((c) => c.doNothing())
      .execute()
  })
}

/** The profile before anybody has written it. */
const nobody = {
  id: personId,
  name: '',
  lastname: '',
  title: '',
  description: '',
  image: '',
  version: sql<number>`${lifeStart} + 1`,
}

type Migrations = ReturnType<typeof allMigrations>

function refuseNewer(done: readonly string[], known: Migrations): void {
  const unknown = done.filter((name) => !(name in known))
  if (unknown.length === 0) return
  throw new DbError('newer', fill(cliTexts.later, { names: unknown.join(', ') }))
}

function refuseTaken(names: readonly string[], sentence: string): void {
  if (names.length > 0) throw new Error(fill(sentence, { names: names.join(', ') }))
}

async function migrate(db: Db, migrations: Migrations) {
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error === undefined) return
  throw (
    toDbError(error) ?? new Error('the tables could not be brought up to date', { cause: error })
  )
}
