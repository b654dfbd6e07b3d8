import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { openDb, type DbTarget, type OpenedDb } from '#server/db/open.ts'
import type { Engine } from '#server/db/tables.ts'
import { createDatabase } from './postgres.ts'

/** The databases every suite that stores something runs on. */
export const engines: readonly Engine[] =
  inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres']

/** A database of the engine that nobody has used, gone when the test ends. */
export async function openFresh(engine: Engine): Promise<OpenedDb> {
  return openForTest(await freshTarget(engine))
}

/** Opens a database and closes it when the test ends. */
export async function openForTest(target: DbTarget): Promise<OpenedDb> {
  const opened = await openDb(target)
  onTestFinished(() => opened.close())
  return opened
}

/** Where a database of the engine can be made that nobody has used. */
export async function freshTarget(engine: Engine): Promise<DbTarget> {
  if (engine === 'sqlite') return { engine, file: join(await freshFolder(), 'tintero.sqlite') }
  return { engine, url: await createDatabase(inject('postgresUrl')) }
}

/** An empty folder, gone when the test ends. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tintero-${randomUUID().slice(0, 8)}-`))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
