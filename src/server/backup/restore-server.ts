import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { appliedMigrations } from '../db/as-it-is.ts'
import { DbError, LostConnection } from '../db/errors.ts'
import { fillDatabase, type AnyDb } from '../db/fill.ts'
import { lifeAt } from '../db/life.ts'
import { allMigrations } from '../db/migrations/all.ts'
import { prepareServer } from '../db/open.ts'
import { namesTaken } from '../db/own-tables.ts'
import { postgresDialect, servingName, unhurried } from '../db/postgres.ts'
import { stampOf } from './manifest.ts'
import type { OpenedBackup } from './read-backup.ts'
import {
  begin,
  contentIn,
  openAny,
  putPictures,
  type Aside,
  type RestoreTo,
} from './restored-content.ts'
import {
  awaitPlace,
  noteTold,
  refuseAnother,
  restoringSchema,
  unfinishedRestores,
} from './unfinished-restore.ts'

/** Makes a schema beside the site's, whose tables then take the place of the others in one transaction. */
export async function restoreServer(
  backup: OpenedBackup,
  to: RestoreTo & { readonly url: string },
): Promise<Aside> {
  const main = openAny(await postgresDialect(to.url, unhurried))
  try {
    return await main.connection().execute(async (connection) => {
      await untilUnserved(connection)
      await refuseAnother(connection)
      for (const { schema, isDone } of await unfinishedRestores(connection)) {
        if (!isDone) continue
        to.tell?.(schema)
        await noteItIsTold(main, schema)
      }
      try {
        await dropFresh(connection)
        await fillFresh(backup, to)
        const before = await placeFresh(connection, main, to.now)
        if (before !== undefined) await noteItIsTold(main, before)
        return { before }
      } catch (error) {
        if (error instanceof UnknownEnd) throw error
        // By another connection, as this one may be what was lost. What stays all the same the next restore drops.
        await dropFresh(main).catch(() => undefined)
        throw lostMeanwhile(error) ?? error
      }
    })
  } finally {
    await main.destroy()
  }
}

/** Where that fails the next start tells of it once more. */
async function noteItIsTold(db: AnyDb, schema: string): Promise<void> {
  await noteTold(db, schema, true).catch(() => undefined)
}

/** Nobody knows whether the restored site has its place. */
class UnknownEnd extends Error {}

/** Resolves to the schema with what was there before. */
async function placeFresh(connection: AnyDb, main: AnyDb, now: Date): Promise<string | undefined> {
  let before: string | undefined
  try {
    await connection.transaction().execute(async (t) => void (before = await takePlace(t, now)))
  } catch (error) {
    if (!(error instanceof LostConnection) || error.undone) throw error
    if (!(await isPlaced(main, error))) throw error
  }
  return before
}

/** Whether a transaction that was lost while it was being committed was done: it drops the schema. */
async function isPlaced(db: AnyDb, { why: message }: LostConnection): Promise<boolean> {
  try {
    return await db.connection().execute(async (connection) => {
      // Its connection had the lock: until the server lets go of that it may still be committing.
      await awaitPlace(connection)
      const unfinished = await unfinishedRestores(connection)
      return unfinished.every(({ isDone }) => isDone)
    })
  } catch (cause) {
    throw new UnknownEnd(fill(backupTexts.unknownEnd, { message }), { cause })
  }
}

/** Says for a person that what failed because the server went away did nothing. */
function lostMeanwhile(error: unknown): Error | undefined {
  const { cause } = Object(error) as { readonly cause?: unknown }
  const lost = [error, cause].find((each) => each instanceof LostConnection)
  return lost && new Error(fill(backupTexts.lostMeanwhile, { message: lost.why }), { cause: error })
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
    await fillDatabase(beside, 'postgres', contentIn(backup))
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
  if (before !== undefined) {
    await move(former, own, before)
    await noteTold(t, before, false)
  }
  const made = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = ${restoringSchema}`.execute(t)
  await refuseTaken(t, { names: made.rows.map(({ name }) => name), schema: own })
  await move(made.rows, restoringSchema, own)
  await sql`drop schema ${sql.id(restoringSchema)}`.execute(t)
  await begin(t, { now, isAside: before !== undefined })
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
