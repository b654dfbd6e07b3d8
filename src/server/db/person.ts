import { sql } from 'kysely'
import { altIn } from '#contract/images/alternative-text.ts'
import { ownPersonFields } from '#contract/entries/own-fields.ts'
import { personId } from '#contract/limits.ts'
import { personFields, type Person } from '#contract/person/person.ts'
import { pick } from './entry-rows.ts'
import { asStored, type Changed, type Patch } from './changes.ts'
import { keepReplaced } from './history.ts'
import { raiseRevision } from './revisions.ts'
import type { Executor, TableRow } from './tables.ts'

/** The one profile, which every database has from its first start. */
export async function readPerson(x: Executor): Promise<Person> {
  return toPerson(
    await x.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirstOrThrow(),
  )
}

/** Changes the profile's fields named in the patch, at the version named or at any. */
export async function updatePerson(
  x: Executor,
  { version, patch, now }: Patch & { readonly version?: number | undefined },
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

function toPerson(row: TableRow<'person'>): Person {
  const columns = { ...row }
  return { version: row.version, fields: { ...pick(personFields, columns), ...altIn(columns) } }
}
