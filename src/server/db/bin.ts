import { binDays } from '#contract/entries/bin.ts'
import { dayMs } from '#contract/durations.ts'
import { imageFieldOf, type FieldValues } from '#contract/fields.ts'
import { sections } from '#contract/sections/index.ts'
import { tableOf } from './entry-rows.ts'
import { forgetEarlier } from './history.ts'
import { eraseAnswers } from './idempotency-keys.ts'
import { forgetInResumes } from './kept-resumes.ts'
import type { Db, Executor, TableRow } from './tables.ts'
import { transact } from './transact.ts'

/* What the owner deleted lately, as it was: nobody but her reads it, and it can be put back. */

export type BinnedRow = TableRow<'bin'>

/** A deleted entry of the same id makes way. */
export async function putInBin(
  x: Executor,
  { fields, ...row }: Omit<BinnedRow, 'fields'> & { readonly fields: FieldValues },
): Promise<void> {
  const values = { ...row, fields: JSON.stringify(fields) }
  await x
    .insertInto('bin')
    .values(values)
    .onConflict((c) => c.columns(['kind', 'id']).doUpdateSet(values))
    .execute()
}

type Binned = Pick<BinnedRow, 'kind' | 'id'>

type AtVersion = Binned & { readonly version?: number | undefined }

/** Undefined when the entry is not in the bin at that version. */
export async function takeFromBin(
  x: Executor,
  { kind, id, version }: AtVersion,
): Promise<BinnedRow | undefined> {
  return x
    .deleteFrom('bin')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .$if(version !== undefined, (q) => q.where('version', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst()
}

/** Deletes the entry for good, with its history; false when it is not in the bin at that version. */
export async function eraseFromBin(x: Executor, erased: AtVersion): Promise<boolean> {
  if (!(await takeFromBin(x, erased))) return false
  await forgetWords(x, erased)
  return true
}

/** Forgets what else says something of an entry that has left the bin for good. */
async function forgetWords(x: Executor, erased: Binned): Promise<void> {
  if (await isThere(x, erased)) return
  await forgetEarlier(x, erased)
  await forgetInResumes(x, erased.id)
  await eraseAnswers(x, erased)
}

/** Whether there is an entry under this id again, whose history it is then. */
async function isThere(x: Executor, { kind, id }: Binned): Promise<boolean> {
  const section = sections.find(({ key }) => key === kind)
  if (!section) return false
  const rows = tableOf(x, section).selectFrom(section.key).select('id').where('id', '=', id)
  return (await rows.executeTakeFirst()) !== undefined
}

/** What a deleted entry says, at whatever version; one whose time is over counts until the daily sweep. */
export async function findInBin(
  x: Executor,
  { kind, id }: Binned,
): Promise<FieldValues | undefined> {
  const row = await x
    .selectFrom('bin')
    .select('fields')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fieldsIn(row)
}

/** The last deleted first. */
export async function readBin(x: Executor): Promise<readonly BinnedRow[]> {
  return x.selectFrom('bin').selectAll().orderBy('removed_at', 'desc').orderBy('id').execute()
}

/** The addresses of the pictures that deleted entries and their history show. */
export async function binnedPictures(
  x: Executor,
  rows: readonly Pick<BinnedRow, 'kind' | 'id' | 'fields'>[],
): Promise<readonly { readonly id: string; readonly addresses: readonly string[] }[]> {
  const earlier = await x
    .selectFrom('earlier_version')
    .select(['kind', 'id', 'picture'])
    .where('picture', '!=', '')
    .execute()
  return rows.map(({ kind, id, fields }) => {
    const section = sections.find(({ key }) => key === kind)
    const field = imageFieldOf(section?.fields ?? {}) ?? ''
    const said = earlier.filter((each) => each.kind === kind && each.id === id)
    const now = fieldsIn({ fields })[field] ?? ''
    return { id, addresses: [now, ...said.map(({ picture }) => picture)].filter(Boolean) }
  })
}

/** Entries deleted before this moment are no longer kept. */
export function endOfBin(now: Date): string {
  return new Date(now.getTime() - binDays * dayMs).toISOString()
}

/** Deletes what has been in the bin for too long, with its history; resolves to the number of entries. */
export async function sweepBin(db: Db, now: Date): Promise<number> {
  const end = endOfBin(now)
  const gone = await db
    .selectFrom('bin')
    .select(['kind', 'id'])
    .where('removed_at', '<', end)
    .execute()
  let swept = 0
  // Each by itself, so that what she erases in this moment is not written back, and a sweep cut short finds the rest again.
  for (const each of gone) if (await transact(db, (t) => sweepOne(t, each, end))) swept++
  return swept
}

/** False for an entry that has left the bin since, or was deleted anew. */
async function sweepOne(t: Executor, { kind, id }: Binned, end: string): Promise<boolean> {
  const { numDeletedRows } = await t
    .deleteFrom('bin')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('removed_at', '<', end)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await forgetWords(t, { kind, id })
  return true
}

/** By the fields that the section had when the entry was deleted. */
export function fieldsIn({ fields }: Pick<BinnedRow, 'fields'>): FieldValues {
  return JSON.parse(fields) as FieldValues
}
