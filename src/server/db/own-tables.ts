import { sql, type QueryExecutorProvider, type TableMetadata } from 'kysely'
import { sections } from '#contract/sections/index.ts'
import type { Db, Tables } from './tables.ts'

/* Which tables of a database are the site's: on a PostgreSQL server another application may have its own beside them. */

/** Tables of earlier versions; a database that none has opened since still has them. */
type Earlier = 'passkey_challenge'
type Migrations = 'kysely_migration' | 'kysely_migration_lock'

const names: Readonly<Record<keyof Tables | Earlier | Migrations, true>> = {
  person: true,
  setting: true,
  site: true,
  last_change: true,
  bin: true,
  earlier_version: true,
  revision: true,
  owner: true,
  session: true,
  sign_in: true,
  passkey: true,
  kept_resume: true,
  passkey_challenge: true,
  spent_challenge: true,
  secret: true,
  one_time_link: true,
  throttle: true,
  idempotency_key: true,
  contact_message: true,
  device: true,
  removed_device: true,
  job: true,
  link_look: true,
  image: true,
  image_alias: true,
  kysely_migration: true,
  kysely_migration_lock: true,
}

/** The index that every section's table has had since it was last opened, by whose name the table is known. */
export const shownIndexOf = (table: string): string => `${table}_shown`

/** Whether the table is the site's own, in a schema with these indexes; views never are. */
export function isOwnTable(table: TableMetadata, indexes: ReadonlySet<string>): boolean {
  if (table.isView) return false
  return Object.hasOwn(names, table.name) || (holdsEntries(table) && isKnown(table, indexes))
}

/**
 * Whether it is a section's; one that is no more has left its index. An earlier version made tables without: beside others that have
 * theirs, the start refuses one that has none.
 */
function isKnown({ name }: TableMetadata, indexes: ReadonlySet<string>): boolean {
  return indexes.has(shownIndexOf(name)) || sections.some(({ key }) => key === name)
}

/** Whether it is made as every section's table is. */
function holdsEntries({ columns }: TableMetadata): boolean {
  const numbers = ['position', 'version']
  return (
    ['id', ...numbers].every((name) => columns.some((column) => column.name === name)) &&
    columns.every(({ name, dataType }) => dataType === (numbers.includes(name) ? 'int4' : 'text'))
  )
}

/**
 * The names that a site needs and that are taken in a PostgreSQL schema, by whatever. Meant to be asked before the migrations that
 * were made: they and the tables come in one transaction, so that names without any are another application's.
 */
export async function takenNames(db: Db): Promise<readonly string[]> {
  const needed = [...Object.keys(names), ...sections.map(({ key }) => key)]
  const taken = await namesTaken(db, needed)
  // Left empty by a start that was killed.
  return taken.filter((name) => !name.startsWith('kysely_migration'))
}

/** Those of the wanted names that something in a PostgreSQL schema has, in the one in use unless another is named. */
export async function namesTaken(
  x: QueryExecutorProvider,
  wanted: readonly string[],
  schema?: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = ${schema ?? sql`current_schema()`} and relname in (${sql.join(wanted)})
    order by relname`.execute(x)
  return rows.map(({ name }) => name)
}
