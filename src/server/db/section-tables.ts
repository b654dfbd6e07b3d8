import { sql, type Transaction } from 'kysely'
import { sections } from '#contract/sections/index.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownFields } from '#contract/entries/own-fields.ts'
import { namesTaken, shownIndexOf } from './own-tables.ts'
import type { Engine, Tables } from './tables.ts'

/** Any number that no other program locks on; two processes starting at once then take turns. */
const startLock = 7_401_852

/** Makes each section's table and its index, or adds the columns its definition has gained since; nothing is ever dropped. */
export async function syncSectionTables(t: Transaction<Tables>, engine: Engine): Promise<void> {
  await lockStart(t, engine)
  const tables = await t.introspection.getTables()
  const indexes = await readIndexes(t, engine)
  for (const section of sections) {
    const table = tables.find(({ name }) => name === section.key)
    if (table) await addColumns(t, section, new Set(table.columns.map(({ name }) => name)))
    else await createTable(t, section, engine)
    if (!indexes.has(shownIndexOf(section.key))) await indexShown(t, section)
  }
}

async function lockStart(t: Transaction<Tables>, engine: Engine): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${startLock})`.execute(t)
}

/**
 * The names of sections that have come since the site was last started, and that are taken, by whatever: a table is known as the
 * site's own by its index, which each start leaves to every section. Where none has one, the tables are an earlier version's, which
 * made none.
 */
export async function takenSections(
  t: Transaction<Tables>,
  engine: Engine,
): Promise<readonly string[]> {
  await lockStart(t, engine)
  const indexes = await readIndexes(t, engine)
  const unknown = sections.map(({ key }) => key).filter((key) => !indexes.has(shownIndexOf(key)))
  if (unknown.length === 0 || unknown.length === sections.length) return []
  if (engine === 'postgres') return namesTaken(t, unknown)
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema where name in (${sql.join(unknown)}) order by name`.execute(t)
  return rows.map(({ name }) => name)
}

async function createTable(t: Transaction<Tables>, section: Section, engine: Engine) {
  let table = t.schema
    .createTable(section.key)
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
  for (const name of Object.keys(ownFields(section))) {
    table = table.addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
  }
  await table.modifyEnd(engine === 'sqlite' ? sql`strict` : sql``).execute()
}

/**
 * The names of the indexes that are there. PostgreSQL locks a table against writes even for an index that it then finds: one process
 * that starts would wait for what another one writes, or each for the other.
 */
async function readIndexes(t: Transaction<Tables>, engine: Engine): Promise<ReadonlySet<string>> {
  const { rows } = await (
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'index'`
      : sql<{
          name: string
        }>`select indexname as name from pg_indexes where schemaname = current_schema()`
  ).execute(t)
  return new Set(rows.map(({ name }) => name))
}

/** A page takes the few that it shows from the end of it; without it every drawing sorted all rows with all their texts. */
async function indexShown(t: Transaction<Tables>, section: Section): Promise<void> {
  await t.schema
    .createIndex(shownIndexOf(section.key))
    .on(section.key)
    .columns([hiddenField, 'position', 'id'])
    .execute()
}

async function addColumns(t: Transaction<Tables>, section: Section, present: Set<string>) {
  for (const name of Object.keys(ownFields(section)).filter((field) => !present.has(field))) {
    await t.schema
      .alterTable(section.key)
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  }
}
