import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sections } from '#contract/sections/index.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import { createThrottledLog, type Log } from '../log.ts'
import { DbError, isLocked, toDbError } from './errors.ts'
import { markOf } from './sqlite-file.ts'

/*
 * What only the process that serves a SQLite file does: it holds the file against a second one, and notes beside it what
 * is in it, so that content which disappears with a lost write-ahead log is missed at the next start.
 */

/** How often it looks whether something was written; what a crash takes within that time is not missed. */
const noteEveryMs = 1000
/** Written over in place: on a full disk too. */
const noteBytes = 256
/** How much later than it says the system may have written a note down: it may have been busy, or have a clock elsewhere. */
const writtenWithinMs = 10_000

/** What is in the file, by counts that a person can check; `changes` never falls. */
interface Content {
  readonly changes: number
  readonly entries: number
  readonly messages: number
}

interface Note extends Content {
  /** When it was written, by this machine's clock; a note of an earlier version does not say. */
  readonly at?: number
}

interface ServedFile {
  /** Whether somebody has put the file there: it lies without its mark, or with one that was copied. */
  readonly isPutBack: boolean
  /**
   * Throws a `DbError` when less is in the open file than was noted; from then on notes what is, and logs where that
   * cannot be noted.
   */
  watch(log: Log): void
  /** Notes once more and looks no longer; the connection that closes last writes the log back into the file. */
  stopWatching(): void
  /** Lets go of the file. */
  close(): void
}

interface Looking {
  readonly look: () => void
  readonly db: DatabaseSync
  readonly timer: NodeJS.Timeout
}

/** Takes the file for this process. Throws a `DbError` when another one serves it, or when its folder cannot be written. */
export function serveFile(file: string): ServedFile {
  const lock = takeLock(file)
  const isPutBack = existsSync(file) && !isOwnMark(markOf(file))
  let looking: Looking | undefined
  let seen: unknown
  const look = (db: DatabaseSync) => {
    const version = db.prepare('pragma data_version').get()?.['data_version']
    if (version === seen) return
    writeNote(markOf(file), readContent(db))
    seen = version
  }
  return {
    isPutBack,
    watch(log) {
      const lost = lostContent(file)
      if (lost !== undefined) throw new DbError('damaged', lost)
      const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
      const trouble = createThrottledLog(log, () => new Date())
      // Whatever holds it up is tried again a second later: what is there can be read all the same.
      const tryToLook = () => {
        try {
          look(db)
        } catch (error) {
          if (toDbError(error)) return
          trouble('note-failed', '', () => ({ file: markOf(file), error: String(error) }))
        }
      }
      const timer = setInterval(tryToLook, noteEveryMs)
      timer.unref()
      looking = { look: tryToLook, db, timer }
      tryToLook()
    },
    stopWatching() {
      if (!looking) return
      clearInterval(looking.timer)
      looking.look()
      looking.db.close()
      looking = undefined
    },
    close: () => lock.close(),
  }
}

/**
 * Takes the lock that is named after the file, or throws a `DbError` where it stays another process's for so long. The system frees
 * the lock of a process that dies. An empty database never writes anything, however full the disk.
 */
export function takeLock(file: string, withinMs = 0): DatabaseSync {
  try {
    const lock = new DatabaseSync(lockBeside(file), { timeout: withinMs })
    try {
      lock.exec('begin exclusive')
      return lock
    } catch (error) {
      lock.close()
      throw error
    }
  } catch (error) {
    if (!isLocked(error)) throw toDbError(error) ?? error
    throw new DbError('busy', fill(cliTexts.served, { file }), error)
  }
}

/** Whether a process has the lock that is named after the file. Whoever takes it in the moment of this look has to wait. */
export function isLockTaken(file: string): boolean {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(lockBeside(file), { readOnly: true, timeout: 0 })
    lock.prepare('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    if (isLocked(error)) return true
    // Whoever had it takes it away.
    if (!existsSync(lockBeside(file))) return false
    throw toDbError(error) ?? error
  } finally {
    lock?.close()
  }
}

export const lockBeside = (file: string) => `${file}.lock`

/** What is said, to a person, of a file that holds less than was noted; undefined where all is there. */
export function lostContent(file: string): string | undefined {
  const noted = readNote(markOf(file))
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    const found = readContent(db)
    return noted && noted.changes > found.changes ? missing(file, noted, found) : undefined
  } finally {
    db.close()
  }
}

function readContent(db: DatabaseSync): Content {
  const number = (sql: string) => Number(db.prepare(sql).get()?.['n'])
  return {
    changes: number('select coalesce(sum(rev), 0) as n from revision'),
    entries: sections.reduce((sum, { key }) => sum + number(`select count(*) as n from ${key}`), 0),
    messages: number('select count(*) as n from contact_message'),
  }
}

/**
 * Whether the mark is the file that a process of the site has written. The system notes when a file was last changed, and
 * lets no program that copies one set that.
 */
function isOwnMark(mark: string): boolean {
  const found = statSync(mark, { throwIfNoEntry: false })
  return (
    found !== undefined && found.ctimeMs - (readNote(mark)?.at ?? found.ctimeMs) < writtenWithinMs
  )
}

function writeNote(mark: string, content: Content): void {
  const note: Note = { ...content, at: Date.now() }
  const handle = openSync(mark, existsSync(mark) ? 'r+' : 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(note).padEnd(noteBytes - 1)}\n`, 0)
  } finally {
    closeSync(handle)
  }
}

/** What was noted; nothing where an earlier version left an empty mark, or where it was cut off. */
function readNote(mark: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(mark, 'utf8')) as Note
  } catch {
    return undefined
  }
}

function missing(file: string, noted: Content, found: Content): string {
  const says = (content: Content) => fill(cliTexts.content, { ...content })
  const both = { noted: says(noted), found: says(found) }
  return fill(cliTexts.lost, { file, mark: markOf(file), ...both })
}
