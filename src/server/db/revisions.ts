import { sql } from 'kysely'
import { lifeStart } from './life.ts'
import type { Executor } from './tables.ts'

/** The kind of what visitors write and what the owner does with it: no page shows it, and it is counted to be missed when it is lost. */
export const messageKind = 'contact_message'
/** The kind of what the owner signs in with and what she has signed out, counted for the same reason. */
export const accessKind = 'owner'
/** The kind of the devices that she has turned on or taken off, too. */
export const deviceKind = 'device'

/** A number that grows with every change of a kind of content and never comes back: of a section, `person` or `settings`. */
export async function listRevision(x: Executor, kind: string): Promise<number> {
  const row = await x
    .selectFrom('revision')
    .select('rev')
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.rev ?? 0
}

/** One number that grows with every change of any content that pages show. */
export async function siteRevision(x: Executor): Promise<number> {
  const row = await x
    .selectFrom('revision')
    .select(sql<number>`coalesce(sum(rev), 0)`.as('rev'))
    .where('kind', 'not in', [messageKind, accessKind, deviceKind])
    .executeTakeFirstOrThrow()
  return row.rev
}

/** Notes one more change of a kind, and resolves to its number; its row's lock puts changes of one kind in order on PostgreSQL too. */
export async function raiseRevision(x: Executor, kind: string): Promise<number> {
  const { rev } = await x
    .insertInto('revision')
    .values({ kind, rev: sql<number>`${lifeStart} + 1` })
    .onConflict((c) => c.column('kind').doUpdateSet({ rev: sql<number>`revision.rev + 1` }))
    .returning('rev')
    .executeTakeFirstOrThrow()
  return rev
}
