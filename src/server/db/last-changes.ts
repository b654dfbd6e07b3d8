import type { LastChange } from '#contract/api.ts'
import type { Executor } from './tables.ts'

/** What somebody may change: an entry of a section, the profile, a setting. */
export interface Thing {
  readonly kind: string
  readonly id: string
}

/** Writes down when and on which device a thing was changed last, in the transaction of the change. */
export async function noteChange(
  x: Executor,
  { kind, id }: Thing,
  { now, device }: { readonly now: Date; readonly device: string },
): Promise<void> {
  const change = { changed_at: now.toISOString(), device }
  await x
    .insertInto('last_change')
    .values({ kind, id, ...change })
    .onConflict((c) => c.columns(['kind', 'id']).doUpdateSet(change))
    .execute()
}

/** When and on which device a thing was changed last; undefined where nobody wrote it down. */
export async function lastChange(
  x: Executor,
  { kind, id }: Thing,
): Promise<LastChange | undefined> {
  const row = await x
    .selectFrom('last_change')
    .select(['changed_at', 'device'])
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  return { at: row.changed_at, ...(row.device !== '' && { device: row.device }) }
}

/** Nobody asks about what is gone. */
export async function forgetChange(x: Executor, { kind, id }: Thing): Promise<void> {
  await x.deleteFrom('last_change').where('kind', '=', kind).where('id', '=', id).execute()
}
