import { stat } from 'node:fs/promises'
import { cliTexts } from '#contract/texts/cli.ts'
import { appliedMigrations, openAsItIs } from '../db/as-it-is.ts'
import { allMigrations } from '../db/migrations/all.ts'
import type { DbTarget } from '../db/open.ts'
import { checkFile, markOf } from '../db/sqlite-file.ts'
import type { Db } from '../db/tables.ts'

/**
 * Lends the database of a site that is there, beside its server or without. Throws, in a sentence for a person, where there
 * is none or where its tables are of another version: bringing them up to date is for a start, which makes a backup before.
 */
export function withSite<T>(target: DbTarget, act: (db: Db) => Promise<T>): Promise<T> {
  return withTables(target, (db, names) => {
    const known = Object.keys(allMigrations(target.engine))
    if (names.length !== known.length || names.some((name) => !known.includes(name))) {
      throw new Error(cliTexts.otherVersion)
    }
    return act(db)
  })
}

/** Throws, in a sentence for a person, where there is no site, of any version, or no sound file of one. */
export function refuseNoSite(target: DbTarget): Promise<void> {
  return withTables(target, () => Promise.resolve())
}

async function withTables<T>(
  target: DbTarget,
  act: (db: Db, migrations: readonly string[]) => Promise<T>,
): Promise<T> {
  if (target.engine === 'sqlite') await refuseNoFile(target.file)
  const db = await openAsItIs(target)
  try {
    const names = await appliedMigrations(db)
    if (names.length === 0) throw new Error(cliTexts.noSite)
    return await act(db, names)
  } finally {
    await db.destroy()
  }
}

async function refuseNoFile(file: string): Promise<void> {
  if (!(await isThere(file)) && !(await isThere(markOf(file)))) throw new Error(cliTexts.noSite)
  await checkFile(file)
}

/** Throws where the folder does not tell. */
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
