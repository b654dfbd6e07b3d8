import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { openDb, type DbTarget } from '#server/db/open.ts'
import type { Db } from '#server/db/tables.ts'
import { openFresh } from '#tests/support/database.ts'

/* What the tests on PostgreSQL begin with: each test here is about what the one before it has left. */

describe.skipIf(inject('postgresUrl') === '')('a database that a test has left', () => {
  const left: { target?: DbTarget; rows?: string } = {}
  const changed: DbTarget[] = []

  test('is used', async () => {
    const { db, target } = await openFresh('postgres')
    Object.assign(left, { target, rows: await readAll(db) })
    await db.deleteFrom('site').execute()
    await db.updateTable('person').set({ name: 'Ana' }).execute()
    await db.insertInto('setting').values({ key: 'age_text', value: 'Otro' }).execute()
    expect(await readAll(db)).not.toBe(left.rows)
  })

  test('has nothing of it for the next', async () => {
    const { db, target } = await openFresh('postgres')
    expect(target).toEqual(left.target)
    expect(await readAll(db)).toBe(left.rows)
  })

  test.each<[string, string]>([
    ['a column', 'alter table person add column age integer'],
    ['one column less', 'alter table person drop column title'],
    ['a table', 'create table otra (x integer)'],
    ['an index', 'create index otro on person (name)'],
    ['a schema', 'create schema otro'],
    ['a function', `create function otra() returns integer language sql as 'select 1'`],
    [
      'many rows',
      `insert into site select n::text, repeat('x', 100) from generate_series(1, 20000) n`,
    ],
    [
      'a setting',
      `do $$ begin execute format('alter database %I set jit = off', current_database()); end $$`,
    ],
  ])('is not used again when it was given %s', async (_, change) => {
    const { db, target } = await openFresh('postgres')
    expect(await readAll(db)).toBe(left.rows)
    expect(changed).not.toContainEqual(target)
    changed.push(target)
    await sql.raw(change).execute(db)
  })

  test('is not used again when somebody is still connected to it', async () => {
    const { target } = await openFresh('postgres')
    expect(changed).not.toContainEqual(target)
    changed.push(target)
    const { db, close } = await openDb(target)
    await sql`select`.execute(db)
    afterAll(close)
  })

  test('is as nobody has used it after all of them', async () => {
    const { db, target } = await openFresh('postgres')
    expect(await readAll(db)).toBe(left.rows)
    expect(changed).not.toContainEqual(target)
  })
})

/** Every row of every table. */
async function readAll(db: Db): Promise<string> {
  const tables = await db.introspection.getTables()
  const rows = tables.map(async ({ name }) => {
    const found = await sql`select * from ${sql.table(name)} as t order by t::text`.execute(db)
    return [name, found.rows]
  })
  return JSON.stringify(await Promise.all(rows))
}
