import { sql } from 'kysely'
import { v7 as newId } from 'uuid'
import type { FieldValues } from '#contract/fields.ts'
import { arranged, type NewOrder } from '#contract/entries/order.ts'
import { ownFields, saidFields } from '#contract/entries/own-fields.ts'
import type { Entry, Section } from '#contract/sections/section.ts'
import { endOfBin, fieldsIn, putInBin, takeFromBin } from './bin.ts'
import { altWithPicture, asStored, type Changed, type Patch } from './changes.ts'
import { listPositions, pick, tableOf, toEntry } from './entry-rows.ts'
import { forgetEarlier, keepReplaced } from './history.ts'
import { lifeStart } from './life.ts'
import { dateFrom, livedUntil } from './lived-days.ts'
import { raiseRevision } from './revisions.ts'
import type { Executor } from './tables.ts'

interface EntryChange {
  readonly id: string
  readonly version?: number | undefined
}

/** In the order they were made, hidden ones included. */
export async function listEntries(x: Executor, section: Section): Promise<readonly Entry[]> {
  const rows = await tableOf(x, section)
    .selectFrom(section.key)
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => toEntry(section, row))
}

/** Finds hidden entries, too; undefined when there is none of this id. */
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
  { id = newId(), values }: { readonly id?: string | undefined; readonly values: FieldValues },
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
      ...altWithPicture(section.fields, pick(ownFields(section), values)),
      id,
      position: (last?.position ?? 0) + 1,
      version: sql<number>`${lifeStart} + 1`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toEntry(section, row)
}

/** Changes only the fields named in the patch, at the version named or at any. */
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
    await putInBin(x, { ...value, ...place, removed_at: await dateFrom(x, now) })
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
  const end = endOfBin(await livedUntil(x, now))
  if (!binned || binned.removed_at < end) return { outcome: 'missing' }
  const { position, version } = binned
  const row = await tableOf(x, section)
    .insertInto(section.key)
    .values({ ...pick(ownFields(section), fieldsIn(binned)), id, position, version })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { outcome: 'done', value: toEntry(section, row) }
}

/** Ignores ids that are gone; resolves to the resulting order. */
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

function missingOrStale<T>(current: T | undefined): Changed<T> {
  return current === undefined ? { outcome: 'missing' } : { outcome: 'stale', current }
}
