import { sql } from 'kysely'
import { v7 as newId } from 'uuid'
import type { SiteData } from '#contract/api.ts'
import type { Draft } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, type Person } from '#contract/person.ts'
import { sections } from '#contract/sections/index.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { parseSettings } from '#contract/setting-kinds.ts'
import { defaultSettings, settingKeys } from '#contract/setting-defaults.ts'
import type { SettingValues } from '#contract/settings.ts'
import { raiseRevision } from './revisions.ts'
import type { EntryRow, Executor, Row } from './tables.ts'

/*
 * What the site says: entries, profile and settings. Every change raises its kind's revision first and in the same
 * transaction; that row's lock puts changes of one kind in order on PostgreSQL too.
 */

/** What became of a change to one row. */
export type Changed<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'missing' }
  /** The version named is no longer the current one. */
  | { readonly outcome: 'stale'; readonly current: T }

interface EntryChange {
  readonly id: string
  readonly version?: number | undefined
}

/** A section's entries in the order they were made. */
export async function listEntries(x: Executor, section: Section): Promise<readonly Entry[]> {
  const rows = await tableOf(x, section)
    .selectFrom(section.key)
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => toEntry(section, row))
}

export async function findEntry(
  x: Executor,
  section: Section,
  id: string,
): Promise<Entry | undefined> {
  const row = await tableOf(x, section)
    .selectFrom(section.key)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toEntry(section, row)
}

/** Stores a new last entry under the id given, or a new one. A used id is refused with a `DbError` by the table. */
export async function createEntry(
  x: Executor,
  section: Section,
  { id = newId(), draft }: { readonly id?: string | undefined; readonly draft: Draft },
): Promise<Entry> {
  await raiseRevision(x, section.key)
  const table = tableOf(x, section)
  const last = await table
    .selectFrom(section.key)
    .select(sql<number>`coalesce(max(position), 0)`.as('position'))
    .executeTakeFirstOrThrow()
  const row = await table
    .insertInto(section.key)
    .values({ ...pick(section.fields, draft), id, position: last.position + 1, version: 1 })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toEntry(section, row)
}

/** Changes the fields named in the patch, at the version named or at any. */
export async function updateEntry(
  x: Executor,
  section: Section,
  { id, version, patch }: EntryChange & { readonly patch: Draft },
): Promise<Changed<Entry>> {
  await raiseRevision(x, section.key)
  const row = await tableOf(x, section)
    .updateTable(section.key)
    .set({ ...presentIn(section.fields, patch), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (row) return { outcome: 'done', value: toEntry(section, row) }
  return missingOrStale(await findEntry(x, section, id))
}

/** Deletes an entry, at the version named or at any; the value is what it was. */
export async function removeEntry(
  x: Executor,
  section: Section,
  { id, version }: EntryChange,
): Promise<Changed<Entry>> {
  await raiseRevision(x, section.key)
  const row = await tableOf(x, section)
    .deleteFrom(section.key)
    .where('id', '=', id)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (row) return { outcome: 'done', value: toEntry(section, row) }
  return missingOrStale(await findEntry(x, section, id))
}

/** The one profile, which every database has from its first start. */
export async function readPerson(x: Executor): Promise<Person> {
  return toPerson(
    await x.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirstOrThrow(),
  )
}

/** Changes the profile's fields named in the patch, at the version named or at any. */
export async function updatePerson(
  x: Executor,
  { version, patch }: { readonly version?: number | undefined; readonly patch: Draft },
): Promise<Changed<Person>> {
  await raiseRevision(x, 'person')
  const row = await x
    .updateTable('person')
    .set({ ...presentIn(personFields, patch), version: sql<number>`version + 1` })
    .where('id', '=', personId)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (row) return { outcome: 'done', value: toPerson(row) }
  return { outcome: 'stale', current: await readPerson(x) }
}

/** Every setting's value; one never written has its default. */
export async function readSettings(x: Executor): Promise<SettingValues> {
  const rows = await x.selectFrom('setting').selectAll().execute()
  return parseSettings(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}

/** Writes the settings named in the patch; one that is set to its default is not kept, and follows the default from then on. */
export async function writeSettings(x: Executor, patch: Partial<SettingValues>): Promise<void> {
  await raiseRevision(x, 'settings')
  for (const key of settingKeys) {
    const value = patch[key]
    if (value === defaultSettings[key]) {
      await x.deleteFrom('setting').where('key', '=', key).execute()
    } else if (value !== undefined) {
      await x
        .insertInto('setting')
        .values({ key, value })
        .onConflict((c) => c.column('key').doUpdateSet({ value }))
        .execute()
    }
  }
}

/** Everything the pages are drawn from. Read `siteRevision` first: a change in between then only costs one more reading. */
export async function readSite(x: Executor): Promise<SiteData> {
  const [person, settings, ...lists] = await Promise.all([
    readPerson(x),
    readSettings(x),
    ...sections.map((section) => listEntries(x, section)),
  ])
  const entries = Object.fromEntries(sections.map(({ key }, i) => [key, lists[i] ?? []]))
  return { person, settings, entries }
}

/** The queries of a section's table, whose name and columns follow from its definition. */
function tableOf(x: Executor, { key }: Section) {
  return x.$extendTables<Record<typeof key, EntryRow>>()
}

/** A row of a section's table, whose columns the types cannot name. */
function toEntry(section: Section, row: Readonly<Record<string, string | number>>): Entry {
  return {
    id: String(row['id']),
    version: Number(row['version']),
    fields: pick(section.fields, row),
  }
}

function toPerson(row: Row<'person'>): Person {
  return { version: row.version, fields: pick(personFields, { ...row }) }
}

function missingOrStale<T>(current: T | undefined): Changed<T> {
  return current === undefined ? { outcome: 'missing' } : { outcome: 'stale', current }
}

/** Exactly these fields of the row, each a text. */
function pick(fields: object, row: Readonly<Record<string, string | number>>): Draft {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, String(row[name] ?? '')]))
}

/** The patch without anything that is not one of these fields. */
function presentIn(fields: object, patch: Draft): Draft {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => Object.hasOwn(fields, name)))
}
