import { messageOf } from '../problem.ts'

/** What went wrong in the database, as far as a caller can act on it. */
type DbFault =
  /** Another process held the lock for too long, or the server is not reachable. */
  | 'busy'
  /** The disk has no room; nothing was stored. */
  | 'full'
  /** The disk or the folder lets nothing be written. */
  | 'read-only'
  /** A row with this key is there already. */
  | 'duplicate'
  /** The file is no sound database. */
  | 'damaged'
  /** A later version of the program has changed the database. */
  | 'newer'

/** A database's refusal in the program's own terms; the engine's error is the cause. */
export class DbError extends Error {
  readonly fault: DbFault

  constructor(fault: DbFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DbError'
    this.fault = fault
  }
}

/** The database server went away, or stands still, while it was asked. */
export class LostConnection extends DbError {
  /** Whether what was asked is certainly not done, and never will be. */
  readonly undone: boolean
  /** In the words of the driver or the system. */
  readonly why: string
  /** Whether it broke, rather than that nothing came for as long as one may wait. */
  readonly isSudden: boolean

  constructor(undone: boolean, cause: unknown) {
    const why = textOf(cause)
    super('busy', `the connection to the database was lost (${why})`, cause)
    this.name = 'LostConnection'
    this.undone = undone
    this.why = why
    this.isSudden = !/timeout/i.test(why)
  }
}

function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join('; ')
  return messageOf(error)
}

/** SQLite's primary result codes: the low byte of the extended ones. */
const sqliteFaults: Readonly<Record<number, DbFault>> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  11: 'damaged',
  13: 'full',
  14: 'read-only',
  26: 'damaged',
}
const sqliteUnique = [1555, 2067]
/** A write the file system refused; SQLite does not tell a full disk from a failing one here. */
const sqliteWriteFailed = [778, 1034, 1290, 4874]

const postgresFaults: Readonly<Record<string, DbFault>> = {
  23505: 'duplicate',
  53100: 'full',
  // It went over to a copy of itself, which takes no writes yet.
  25006: 'busy',
  53300: 'busy',
  55006: 'busy',
  '55P03': 'busy',
  '57P01': 'busy',
  '57P02': 'busy',
  '57P03': 'busy',
  // The statement or the transaction took longer than it may.
  57014: 'busy',
  '25P03': 'busy',
  40001: 'busy',
  '40P01': 'busy',
  ECONNREFUSED: 'busy',
  ECONNRESET: 'busy',
  ETIMEDOUT: 'busy',
}

/** The error as a `DbError`, or undefined when it is not one the program can name. */
export function toDbError(error: unknown): DbError | undefined {
  if (error instanceof DbError) return error
  if (!(error instanceof Error)) return undefined
  const fault = faultOf(error)
  return fault && new DbError(fault, error.message, error)
}

/** Whether SQLite refused because another connection holds the lock; the statement has then done nothing. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && sqliteFault(error.errcode) === 'busy'
}

/** Whether PostgreSQL undid this transaction, since it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  const { cause = error } = Object(error) as { readonly cause?: unknown }
  return (cause as { readonly code?: unknown } | null)?.code === '40P01'
}

function faultOf(error: Error & { errcode?: unknown; code?: unknown }): DbFault | undefined {
  if (error.errcode !== undefined) return sqliteFault(error.errcode)
  return typeof error.code === 'string' ? postgresFaults[error.code] : undefined
}

function sqliteFault(errcode: unknown): DbFault | undefined {
  if (typeof errcode !== 'number') return undefined
  if (sqliteUnique.includes(errcode)) return 'duplicate'
  if (sqliteWriteFailed.includes(errcode)) return 'full'
  return sqliteFaults[errcode & 0xff]
}
