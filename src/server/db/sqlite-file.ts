import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { messageOf } from '../problem.ts'
import { DbError, toDbError } from './errors.ts'
import { untilUnlocked } from './sqlite-lock.ts'
import type { Db, Engine } from './tables.ts'

/**
 * Makes the folder of a new database and looks at an existing one, read-only. Throws a `DbError` when the file is no
 * sound database, or is missing or empty where one was before: starting an empty site over lost content would hide the loss.
 */
export async function checkFile(file: string): Promise<void> {
  if (file === ':memory:') return
  mkdirSync(dirname(file), { recursive: true })
  refuseForRoot(file)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0) return checkContent(file)
  const mark = markOf(file)
  if (existsSync(mark)) {
    const { emptied, vanished } = cliTexts
    throw new DbError('damaged', fill(existsSync(file) ? emptied : vanished, { file, mark }))
  }
}

/**
 * Throws a sentence for root where the database is another user's, who could not open what root leaves beside it: a backup made so would
 * pass for a damaged one, and a restored site would not start.
 */
export function refuseForRoot(file: string): void {
  if (process.geteuid?.() !== 0) return
  const uid = ownerOf(file) ?? ownerOf(markOf(file)) ?? 0
  if (uid === 0) return
  const folder = dirname(file)
  // There are disks on which whatever is made becomes that user's.
  const probe = mkdtempSync(join(folder, '.owner-'))
  const isAlike = ownerOf(probe) === uid
  rmdirSync(probe)
  if (!isAlike) throw new Error(fill(cliTexts.notForRoot, { folder, uid }))
}

const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid

/** Notes beside the file that it has been in use. */
export function markFile(file: string): void {
  if (file !== ':memory:') closeSync(openSync(markOf(file), 'a'))
}

/** The file beside it that tells that it has been in use, and by its last process what was in it. */
export function markOf(file: string): string {
  return `${file}.used`
}

/** Takes out of SQLite's write-ahead log what is in the file already, as far as nobody reads there; it may say what was erased. */
export async function emptyLog(db: Db, engine: Engine): Promise<void> {
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
  // SQLite does not fail then, it only says so.
  if (rows[0]?.busy !== 0) throw new Error('somebody reads in the write-ahead log')
}

/** Throws a `DbError` when a page of the open file is broken, or an index does not say what its table does. */
export function checkPages(db: DatabaseSync): void {
  const found = String(db.prepare('pragma integrity_check(1)').get()?.['integrity_check'])
  if (found !== 'ok') throw new DbError('damaged', found)
}

/** How many rows of the open file refer to none that is there, as a program leaves them that SQLite need not look after. */
export function countLoose(db: DatabaseSync): number {
  return db.prepare('pragma foreign_key_check').all().length
}

async function checkContent(file: string) {
  try {
    const findings = await untilUnlocked(() => quickCheck(file))
    if (findings !== 'ok') throw new DbError('damaged', findings)
  } catch (error) {
    if (toDbError(error)?.fault !== 'damaged') throw error
    throw new DbError('damaged', fill(cliTexts.damaged, { file, message: messageOf(error) }), error)
  }
}

function quickCheck(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    return String(db.prepare('pragma quick_check(1)').get()?.['quick_check'])
  } finally {
    db.close()
  }
}
