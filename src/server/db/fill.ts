import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { toDbError } from './errors.ts'
import { allMigrations } from './migrations/all.ts'
import { syncSectionTables } from './section-tables.ts'
import type { Engine } from './tables.ts'

type Value = string | number | null

/** A table's rows as a backup hands them over. */
interface TableRows {
  readonly table: string
  rows(): AsyncIterable<Readonly<Record<string, Value>>>
}

interface Content {
  /** The last migration that the tables have had. */
  readonly migration: string
  readonly tables: readonly TableRows[]
}

/** Rows that the table does not take: nobody who writes through the site could have stored them. */
export class UnfitRows extends Error {
  readonly table: string

  constructor(table: string, cause?: unknown) {
    super(`rows of ${table} do not fit`, { cause })
    this.name = 'UnfitRows'
    this.table = table
  }
}

/** A database whose tables are whatever they are. */
export type AnyDb = Kysely<Record<string, Record<string, Value>>>

const atOnce = 50
/** What others refer to comes first. */
const parents: readonly string[] = ['owner', 'device', 'image']
/** Whose rows go with the row of another table that they name. */
const references: Readonly<Record<string, Reference>> = {
  image_alias: { column: 'hash', parent: 'image', key: 'hash' },
  job: { column: 'device_id', parent: 'device', key: 'id' },
}

interface Reference {
  readonly column: string
  readonly parent: string
  readonly key: string
}

/**
 * Fills a database that nobody has used with the rows of another, whichever engine that had: its tables are made as they
 * were then, to be brought up to date afterwards. Throws when something does not fit.
 */
export async function fillDatabase(
  db: AnyDb,
  engine: Engine,
  { migration, tables }: Content,
): Promise<void> {
  await migrateTo(db, engine, migration)
  await db.transaction().execute(async (t) => {
    await syncSectionTables(t, engine)
    const present = await t.introspection.getTables()
    // What the migrations themselves have put there.
    for (const { name } of present) await t.deleteFrom(name).execute()
    for (const { table, rows } of tables.toSorted((a, b) => rank(a) - rank(b))) {
      const columns = present.find(({ name }) => name === table)?.columns.map(({ name }) => name)
      // Of a section that is no more: nothing would show its rows.
      if (columns) await fillTable(t, { table, columns, rows: rows() })
    }
  })
}

interface Filling {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: ReturnType<TableRows['rows']>
}

const rank = ({ table }: TableRows) => Number(!parents.includes(table))

async function fillTable(t: AnyDb, { table, columns, rows }: Filling): Promise<void> {
  const isLoose = await looseRowsOf(t, table)
  let waiting: Readonly<Record<string, Value>>[] = []
  const write = async () => {
    if (waiting.length === 0) return
    try {
      await t.insertInto(table).values(waiting).execute()
    } catch (error) {
      throw isRowsFault(error) ? new UnfitRows(table, error) : error
    }
    waiting = []
  }
  for await (const row of rows) {
    if (isLoose(row)) continue
    const values = Object.entries(row).filter(([name]) => columns.includes(name))
    if (!values.every(([, value]) => isValue(value))) throw new UnfitRows(table)
    waiting.push(Object.fromEntries(values))
    if (waiting.length === atOnce) await write()
  }
  await write()
}

/** A file may say anything, whatever a backup is written with. */
const isValue = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || typeof value === 'number'

/** Whether the rows are to blame, and not the disk, the server or another process. */
function isRowsFault(error: unknown): boolean {
  const fault = toDbError(error)?.fault
  return fault === undefined || fault === 'duplicate'
}

/**
 * Tells which of a table's rows refer to none that was filled in: SQLite keeps them where a program did not ask it to look
 * after them, and neither engine would take them. Nothing of the site shows them.
 */
async function looseRowsOf(t: AnyDb, table: string) {
  const reference = references[table]
  if (!reference) return () => false
  const { column, parent, key } = reference
  const found = await t.selectFrom(parent).select(key).execute()
  const there = new Set([null, ...found.map((row) => row[key])])
  return (row: Readonly<Record<string, Value>>) => !there.has(row[column])
}

async function migrateTo(db: AnyDb, engine: Engine, last: string): Promise<void> {
  const all = Object.entries(allMigrations(engine))
  if (!all.some(([name]) => name === last)) {
    throw new Error(fill(backupTexts.later, { migration: last }))
  }
  const provider = {
    getMigrations: async () => Object.fromEntries(all.filter(([name]) => name <= last)),
  }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw new Error('its tables could not be made', { cause: error })
}
