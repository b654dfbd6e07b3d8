import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { inject, onTestFinished } from 'vitest'
import { openAsItIs } from '#server/db/as-it-is.ts'
import { allMigrations } from '#server/db/migrations/all.ts'
import { openDb, type DbTarget, type OpenedDb } from '#server/db/open.ts'
import { postgresDialect } from '#server/db/postgres.ts'
import { markFile } from '#server/db/sqlite-file.ts'
import { sqliteDialect } from '#server/db/sqlite.ts'
import type { Engine } from '#server/db/tables.ts'
import { takeDatabase } from './kept-databases.ts'
import { createDatabase } from './postgres.ts'

/** Whether every call goes to the next of two processes on one PostgreSQL: the whole suite has to hold there, too. */
export const isPaired = process.env['TINTERO_API'] === 'pair' && inject('postgresUrl') !== ''

/** The databases every suite that stores something runs on. */
export const engines: readonly Engine[] = enginesHere()

function enginesHere(): readonly Engine[] {
  if (inject('postgresUrl') === '') return ['sqlite']
  return isPaired ? ['postgres'] : ['sqlite', 'postgres']
}

/**
 * A database of the engine that nobody has used, gone when the test ends. It is a copy of one that the product itself has
 * made: making the tables anew for each of a thousand tests took most of their time.
 */
export async function openFresh(engine: Engine): Promise<OpenedDb> {
  const opened = await openBeside(await copiedTarget(engine))
  // Nothing that is copied has to outlast a power cut, as on the tests' PostgreSQL.
  if (engine === 'sqlite') await sql`pragma synchronous = off`.execute(opened.db)
  return opened
}

/** Opens a database whose tables the product has made, as one process more of its site; closed when the test ends. */
export async function openBeside(target: DbTarget): Promise<OpenedDb> {
  const db = await openAsItIs(target)
  onTestFinished(() => db.destroy())
  return { db, target, engine: target.engine, close: () => db.destroy() }
}

async function copiedTarget(engine: Engine): Promise<DbTarget> {
  if (engine === 'postgres') {
    return { engine, url: await takeDatabase() }
  }
  const file = join(await freshFolder(), 'tintero.sqlite')
  await writeFile(file, await madeFile())
  markFile(file)
  return { engine, file }
}

let made: Promise<Buffer> | undefined

/** What stands in the file of a database that the product has made, and nobody has used. */
async function madeFile(): Promise<Buffer> {
  return (made ??= makeFile())
}

async function makeFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tintero-made-'))
  try {
    const file = join(folder, 'tintero.sqlite')
    await (await openDb({ engine: 'sqlite', file }, 0)).close()
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens a database and closes it when the test ends; versions of a new one count from 1. */
export async function openForTest(target: DbTarget): Promise<OpenedDb> {
  const opened = await openDb(target, 0)
  onTestFinished(() => opened.close())
  return opened
}

/** Where a database of the engine can be made that nobody has used. */
export async function freshTarget(engine: Engine): Promise<DbTarget> {
  if (engine === 'sqlite') return { engine, file: join(await freshFolder(), 'tintero.sqlite') }
  return { engine, url: await createDatabase(inject('postgresUrl')) }
}

/** A database as the version left it whose last migration is named. */
export async function openOld<Then>(target: DbTarget, last: string): Promise<Kysely<Then>> {
  const dialect =
    target.engine === 'sqlite' ? sqliteDialect(target.file) : await postgresDialect(target.url)
  const db = new Kysely<Then>({ dialect })
  const known = Object.entries(allMigrations(target.engine)).filter(([name]) => name <= last)
  const provider = { getMigrations: async () => Object.fromEntries(known) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw new Error('no old database', { cause: error })
  return db
}

/** An empty folder, gone when the test ends. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tintero-${randomUUID().slice(0, 8)}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
