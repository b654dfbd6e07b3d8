import { mostEarlier } from '#contract/entries/history.ts'
import { imageFieldOf, type Fields, type FieldValues } from '#contract/fields.ts'
import { lastChange, type Thing } from './last-changes.ts'
import type { Executor, TableRow } from './tables.ts'

/* What entries and the profile said before: the latest versions of each, which nobody but the owner reads. */

interface Replaced {
  readonly fields: Fields
  readonly before: { readonly fields: FieldValues } | undefined
  readonly after: { readonly fields: FieldValues }
  /** Absent where nothing is to be kept. */
  readonly now: Date | undefined
}

/**
 * Keeps what a change replaced, unless it left everything as it was, in the transaction of the change and before that is
 * noted; the oldest makes way.
 */
export async function keepReplaced(
  x: Executor,
  { kind, id }: Thing,
  { fields, before: was, after, now }: Replaced,
): Promise<void> {
  const before = was?.fields
  if (!before || !now) return
  if (Object.keys(fields).every((name) => before[name] === after.fields[name])) return
  const last = await x
    .selectFrom('earlier_version')
    .select('number')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const number = (last?.number ?? 0) + 1
  const made = await lastChange(x, { kind, id })
  await x
    .insertInto('earlier_version')
    .values({
      kind,
      id,
      number,
      fields: JSON.stringify(before),
      picture: before[imageFieldOf(fields) ?? ''] ?? '',
      made_at: made?.at ?? null,
      device: made?.device ?? '',
      replaced_at: now.toISOString(),
    })
    .execute()
  await x
    .deleteFrom('earlier_version')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('number', '<=', number - mostEarlier)
    .execute()
}

/** The latest first. */
export async function readEarlier(
  x: Executor,
  { kind, id }: Thing,
): Promise<readonly TableRow<'earlier_version'>[]> {
  return x
    .selectFrom('earlier_version')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '=', id)
    .orderBy('number', 'desc')
    .execute()
}

/** Leaves out the versions of the entries with these ids. */
export async function earlierPictures(
  x: Executor,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  const rows = await x
    .selectFrom('earlier_version')
    .select('picture')
    .distinct()
    .where('picture', '!=', '')
    .$if(except.length > 0, (q) => q.where('id', 'not in', except))
    .execute()
  return rows.map(({ picture }) => picture)
}

/** Leaves the files of their pictures alone. */
export async function forgetEarlier(x: Executor, { kind, id }: Thing): Promise<void> {
  await x.deleteFrom('earlier_version').where('kind', '=', kind).where('id', '=', id).execute()
}
