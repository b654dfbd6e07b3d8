import type { TableMetadata } from 'kysely'
import type { Tables } from './tables.ts'

/* Which tables of a database are the site's: on a PostgreSQL server another application may have its own beside them. */

/** Of versions before; a database that none has opened since still has them. */
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

/** Whether the table is the site's own; views never are. */
export function isOwnTable(table: TableMetadata): boolean {
  return !table.isView && (Object.hasOwn(names, table.name) || holdsEntries(table))
}

/** Whether it is made as every section's table is; that section may be no more. */
function holdsEntries({ columns }: TableMetadata): boolean {
  const numbers = ['position', 'version']
  return (
    ['id', ...numbers].every((name) => columns.some((column) => column.name === name)) &&
    columns.every(({ name, dataType }) => dataType === (numbers.includes(name) ? 'int4' : 'text'))
  )
}
