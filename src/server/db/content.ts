import { sql } from 'kysely'
import { v7 as newId } from 'uuid'
import { altIn } from '#contract/images/alternative-text.ts'
import type { Fields, FieldValues } from '#contract/fields.ts'
import { personId } from '#contract/limits.ts'
import { arranged, type NewOrder } from '#contract/entries/order.ts'
import { ownFields, ownPersonFields, saidFields } from '#contract/entries/own-fields.ts'
import { personFields, type Person } from '#contract/person/person.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { withAge } from '#contract/settings/age.ts'
import { parseSetting, parseSettings } from '#contract/settings/kinds.ts'
import { isPrivate, ownDefaults, ownKeys } from '#contract/settings/defaults.ts'
import type { OwnKey, OwnSettings, PrivateKey, SettingValues } from '#contract/settings/settings.ts'
import { altWithPicture } from './alternative-text.ts'
import { endOfBin, fieldsIn, putInBin, takeFromBin } from './bin.ts'
import { listPositions, pick, tableOf, toEntry } from './entry-rows.ts'
import { forgetEarlier, keepReplaced } from './history.ts'
import { lifeStart } from './life.ts'
import { raiseRevision } from './revisions.ts'
import type { Executor, TableRow } from './tables.ts'

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

/** A section's entries in the order they were made, the hidden ones among them. */
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
  { id = newId(), draft }: { readonly id?: string | undefined; readonly draft: FieldValues },
): Promise<Entry> {
  await raiseRevision(x, section.key)
  const table = tableOf(x, section)
  // Beyond what may still come back, too.
  const last = await table
    .selectFrom(section.key)
    .select('position')
    .unionAll(table.selectFrom('bin').select('position').where('kind', '=', section.key))
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = await table
    .insertInto(section.key)
    .values({
      ...altWithPicture(section.fields, pick(ownFields(section), draft)),
      id,
      position: (last?.position ?? 0) + 1,
      version: sql<number>`${lifeStart} + 1`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toEntry(section, row)
}

interface Patch {
  readonly patch: FieldValues
  /** When it is changed: then what it says until now is kept in its history. */
  readonly now?: Date
}

/** Changes the fields named in the patch, at the version named or at any. */
export async function updateEntry(
  x: Executor,
  section: Section,
  { id, version, patch, now }: EntryChange & Patch,
): Promise<Changed<Entry>> {
  await raiseRevision(x, section.key)
  const before = now && (await findEntry(x, section, id))
  const row = await tableOf(x, section)
    .updateTable(section.key)
    .set({ ...asStored(ownFields(section), patch), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (!row) return missingOrStale(await findEntry(x, section, id))
  const after = toEntry(section, row)
  const thing = { kind: section.key, id }
  await keepReplaced(x, thing, { fields: saidFields(section), before, after, now })
  return { outcome: 'done', value: after }
}

/**
 * Deletes an entry, at the version named or at any; the value is what it was. With a moment it is kept in the bin, else its
 * history goes with it.
 */
export async function removeEntry(
  x: Executor,
  section: Section,
  { id, version, now }: EntryChange & { readonly now?: Date },
): Promise<Changed<Entry>> {
  await raiseRevision(x, section.key)
  const row = await tableOf(x, section)
    .deleteFrom(section.key)
    .where('id', '=', id)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (!row) return missingOrStale(await findEntry(x, section, id))
  const value = toEntry(section, row)
  if (now) {
    const place = { kind: section.key, position: Number(row['position']) }
    await putInBin(x, { ...value, ...place, removed_at: now.toISOString() })
  } else await forgetEarlier(x, { kind: section.key, id })
  return { outcome: 'done', value }
}

/**
 * Puts a deleted entry back where it was, at the version it had: what was based on it still holds. One that is back already
 * stays as it is.
 */
export async function restoreEntry(
  x: Executor,
  section: Section,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<Changed<Entry>> {
  await raiseRevision(x, section.key)
  const present = await findEntry(x, section, id)
  if (present) return { outcome: 'done', value: present }
  const binned = await takeFromBin(x, { kind: section.key, id })
  if (!binned || binned.removed_at < endOfBin(now)) return { outcome: 'missing' }
  const { position, version } = binned
  const row = await tableOf(x, section)
    .insertInto(section.key)
    .values({ ...pick(ownFields(section), fieldsIn(binned)), id, position, version })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { outcome: 'done', value: toEntry(section, row) }
}

/** Gives a section's entries another order, as far as they are there; resolves to the one that they have then. */
export async function arrangeEntries(
  x: Executor,
  section: Section,
  order: NewOrder,
): Promise<readonly string[]> {
  await raiseRevision(x, section.key)
  const rows = await listPositions(x, section)
  const next = arranged(rows, order)
  // The places stay the same, so that what may still come back finds its own; none is given twice.
  let last = 0
  for (const [index, { id, position }] of next.entries()) {
    last = Math.max(rows[index]?.position ?? 0, last + 1)
    if (position === last) continue
    await tableOf(x, section)
      .updateTable(section.key)
      .set({ position: last })
      .where('id', '=', id)
      .execute()
  }
  return next.map(({ id }) => id)
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
  { version, patch, now }: Pick<EntryChange, 'version'> & Patch,
): Promise<Changed<Person>> {
  await raiseRevision(x, 'person')
  const before = now && (await readPerson(x))
  const row = await x
    .updateTable('person')
    .set({ ...asStored(ownPersonFields, patch), version: sql<number>`version + 1` })
    .where('id', '=', personId)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (!row) return { outcome: 'stale', current: await readPerson(x) }
  const after = toPerson(row)
  const thing = { kind: 'person', id: String(personId) }
  await keepReplaced(x, thing, { fields: ownPersonFields, before, after, now })
  return { outcome: 'done', value: after }
}

/** Every setting's value as everybody reads it; one never written has its default. */
export async function readSettings(x: Executor, now = new Date()): Promise<SettingValues> {
  const rows = await x.selectFrom('setting').selectAll().execute()
  const { birth_date: birth, ...written } = Object.fromEntries(
    rows.map(({ key, value }) => [key, value]),
  )
  return withAge(parseSettings(written), parseSetting('birth_date', birth) ?? '', now)
}

/** What only the owner reads of the settings. */
export async function readPrivate(x: Executor, key: PrivateKey): Promise<string> {
  const row = await x
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value ?? ownDefaults[key]
}

/** Writes the settings named in the patch; one that is set to its default is not kept, and follows the default from then on. */
export async function writeSettings(x: Executor, patch: Partial<SettingValues>): Promise<void> {
  await raiseRevision(x, 'settings')
  await putSettings(x, patch)
}

async function putSettings(x: Executor, patch: Partial<OwnSettings>): Promise<void> {
  for (const key of ownKeys) {
    const value = patch[key]
    if (value === ownDefaults[key]) {
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

interface SettingChange {
  readonly key: OwnKey
  readonly patch: Partial<OwnSettings>
  readonly now: Date
  /** Shown the present value before it is replaced; throws to keep it. */
  readonly mayReplace: (current: string) => Promise<void>
}

/** Writes one setting in place of a value that it may replace; resolves to what it is then. */
export async function writeSetting(
  x: Executor,
  { key, patch, now, mayReplace }: SettingChange,
): Promise<string> {
  await raiseRevision(x, 'settings')
  await mayReplace(await readSetting(x, key, now))
  await putSettings(x, patch)
  return readSetting(x, key, now)
}

/** One setting's value as its reader gets it. */
export async function readSetting(x: Executor, key: OwnKey, now: Date): Promise<string> {
  return isPrivate(key) ? readPrivate(x, key) : (await readSettings(x, now))[key]
}

function toPerson(row: TableRow<'person'>): Person {
  const columns = { ...row }
  return { version: row.version, fields: { ...pick(personFields, columns), ...altIn(columns) } }
}

function missingOrStale<T>(current: T | undefined): Changed<T> {
  return current === undefined ? { outcome: 'missing' } : { outcome: 'stale', current }
}

/** What the patch sets, without anything that is not one of these fields. */
function asStored(fields: Fields, patch: FieldValues) {
  const present = Object.entries(patch).filter(([name]) => Object.hasOwn(fields, name))
  return altWithPicture(fields, Object.fromEntries(present))
}
