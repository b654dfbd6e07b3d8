import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '#server/db/migrations/all.ts'
import type { DbTarget } from '#server/db/open.ts'
import { postgresDialect } from '#server/db/postgres.ts'
import { sqliteDialect } from '#server/db/sqlite.ts'
import type { Tables } from '#server/db/tables.ts'
import { readTray } from '#server/messages/trays.ts'
import { engines, freshTarget, openForTest } from '#tests/support/database.ts'

/** A database as the first version left it, with one message. */
async function leaveOldDatabase(target: DbTarget): Promise<void> {
  const dialect =
    target.engine === 'sqlite' ? sqliteDialect(target.file) : await postgresDialect(target.url)
  const db = new Kysely<Tables>({ dialect })
  const { '0001-first': first } = allMigrations(target.engine)
  const provider = { getMigrations: async () => ({ ...(first && { '0001-first': first }) }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw new Error('no old database', { cause: error })
  const message = { id: 'm1', name: 'Eva', email: 'eva@example.com', message: 'Hola' }
  const state = { received_at: '2030-01-01T00:00:00.000Z', spam: 1, spam_reason: 'honeypot' }
  await db
    .insertInto('contact_message')
    .values({ ...message, ...state, read_at: null })
    .execute()
  await db.destroy()
}

describe.each(engines)('on %s', (engine) => {
  test('messages of the first version are in their trays, and nobody is rung for them', async () => {
    const target = await freshTarget(engine)
    await leaveOldDatabase(target)
    const { db } = await openForTest(target)
    const { messages } = await readTray(db, 'spam')
    expect(messages).toMatchObject([
      {
        id: 'm1',
        name: 'Eva',
        tray: 'spam',
        spamReason: 'completar un campo que las personas no ven',
      },
    ])
    const rows = await db.selectFrom('contact_message').select('rung').execute()
    expect(rows.map(({ rung }) => rung)).toEqual([1])
    expect(await db.selectFrom('job').select('id').execute()).toEqual([])
  })
})
