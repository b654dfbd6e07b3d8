import { sql, type Transaction } from 'kysely'
import { sections } from '#contract/sections/index.ts'
import { hiddenField } from '#contract/entries/hidden.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownFields } from '#contract/entries/own-fields.ts'
import type { Engine, Tables } from './tables.ts'

/** Any number that no other program locks on; two processes starting at once then take turns. */
const startLock = 7_401_852

/** Makes each section's table and its index, or adds the columns its definition has gained since; nothing is ever dropped. */
export async function syncSectionTables(t: Transaction<Tables>, engine: Engine): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${startLock})`.execute(t)
  const tables = await t.introspection.getTables()
  const indexes = await readIndexes(t, engine)
  for (const section of sections) {
    const table = tables.find(({ name }) => name === section.key)
    if (table) await addColumns(t, section, new Set(table.columns.map(({ name }) => name)))
    else await createTable(t, section, engine)
    if (!indexes.has(indexOf(section))) await indexShown(t, section)
  }
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

const indexOf = ({ key }: Section): string => `${key}_shown`

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
    .createIndex(indexOf(section))
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
