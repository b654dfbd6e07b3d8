import { parseKept, type KeptItem, type KeptResume } from '#contract/resume/kept.ts'
import { raiseRevision } from './revisions.ts'
import type { Executor } from './tables.ts'

const kind = 'resume'

/** More parts than a thousand imports make: a site keeps no more. */
export const mostKeptParts = 2000

/** What imports kept, in the order in which they were made: their ids tell it. */
export async function listKeptResumes(
  x: Executor,
): Promise<readonly (KeptResume & { readonly id: string })[]> {
  const rows = await x.selectFrom('kept_resume').select(['id', 'said']).orderBy('id').execute()
  return rows.flatMap(({ id, said }) => {
    const kept = parseKept(said)
    return kept ? [{ ...kept, id }] : []
  })
}

/** Counts the parts, of which one import may have kept several. */
export async function countResumes(x: Executor): Promise<number> {
  const { n } = await x
    .selectFrom('kept_resume')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Keeps a part under its id, in place of what was kept under it. */
export async function keepResume(
  x: Executor,
  row: { readonly id: string; readonly said: string; readonly made_at: string },
): Promise<void> {
  await raiseRevision(x, kind)
  await x
    .insertInto('kept_resume')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet({ said: row.said }))
    .execute()
}

/** Forgets the items of which an entry alone was made, which is gone for good. */
export async function forgetInResumes(x: Executor, entryId: string): Promise<void> {
  const namesIt = () =>
    x
      .selectFrom('kept_resume')
      .select(['id', 'said'])
      .where('said', 'like', `%${entryId}%`)
      .execute()
  if ((await namesIt()).length === 0) return
  // Before they are read: of two that are erased at once, the second finds what the first has left.
  await raiseRevision(x, kind)
  for (const { id, said } of await namesIt()) {
    const kept = parseKept(said)
    if (!kept) continue
    const isLeft = ({ ids }: KeptItem) =>
      !ids.includes(entryId) || ids.some((one) => one !== null && one !== entryId)
    const next = { ...kept, items: kept.items.filter(isLeft) }
    await x
      .updateTable('kept_resume')
      .set({ said: JSON.stringify(next) })
      .where('id', '=', id)
      .execute()
  }
}

/** Forgets the part of this id, where there is one. */
export async function dropKeptResume(x: Executor, id: string): Promise<void> {
  await raiseRevision(x, kind)
  await x.deleteFrom('kept_resume').where('id', '=', id).execute()
}
