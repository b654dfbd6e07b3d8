import type { Executor } from './tables.ts'

/* What the site knows of itself beside its content, such as its keys: one text under each name, in the table `site`. */

/** Undefined for a fact that was never written. */
export async function readFact(x: Executor, key: string): Promise<string | undefined> {
  const row = await x.selectFrom('site').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Writes a fact in place of the one that was there. */
export async function writeFact(x: Executor, key: string, value: string): Promise<void> {
  await x
    .insertInto('site')
    .values({ key, value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Resolves to a fact, writing this one where the site has none, and keeps whoever else holds it waiting until this
 * transaction ends.
 */
export async function lockFact(t: Executor, key: string, value: string): Promise<string> {
  const row = await t
    .insertInto('site')
    .values({ key, value })
    // Changes nothing, and holds the row.
    .onConflict((c) => c.column('key').doUpdateSet((e) => ({ value: e.ref('site.value') })))
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value
}

/**
 * Writes a fact that the site lacks, and resolves to the one that it has then: where two processes start at once, only
 * one of them makes it.
 */
export async function settleFact(x: Executor, key: string, value: string): Promise<string> {
  await x
    .insertInto('site')
    .values({ key, value })
    .onConflict((c) => c.doNothing())
    .execute()
  return (await readFact(x, key)) ?? value
}
