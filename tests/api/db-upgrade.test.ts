import { describe, expect, test } from 'vitest'
import { findSession } from '#server/access/session.ts'
import { listSignIns } from '#server/access/sign-in.ts'
import { hashToken } from '#server/access/token.ts'
import { isHidden } from '#contract/entries/hidden.ts'
import { project } from '#contract/sections/project.ts'
import { appliedMigrations, openAsItIs } from '#server/db/as-it-is.ts'
import { listEntries, updateEntry } from '#server/db/entries.ts'
import type { DbTarget } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { readFolder } from '#server/messages/folders.ts'
import { engines, freshTarget, openForTest, openOld } from '#tests/support/database.ts'

/** What the tables of the owner's access were before sessions stood on a list. */
interface OldTables {
  owner: Record<'id' | 'user_name' | 'password' | 'created_at', string>
  session: Record<'token_hash' | 'owner_id' | 'role' | 'created_at' | 'seen_at', string>
  device: Record<
    'id' | 'kind' | 'address_key' | 'address' | 'label' | 'session_hash' | 'created_at' | 'trouble',
    string
  >
}

/** A database as the first version left it, with one message. */
async function leaveOldDatabase(target: DbTarget): Promise<void> {
  const db = await openOld<Tables>(target, '0001-first')
  const message = { id: 'm1', name: 'Eva', email: 'eva@example.com', message: 'Hola' }
  const state = { received_at: '2030-01-01T00:00:00.000Z', spam: 1, spam_reason: 'honeypot' }
  await db
    .insertInto('contact_message')
    .values({ ...message, ...state, read_at: null })
    .execute()
  await db.destroy()
}

describe.each(engines)('on %s', (engine) => {
  test('messages of the first version are in their folders, and nobody is rung for them', async () => {
    const target = await freshTarget(engine)
    await leaveOldDatabase(target)
    const { db } = await openForTest(target)
    const { messages } = await readFolder(db, 'spam')
    expect(messages).toMatchObject([
      {
        id: 'm1',
        name: 'Eva',
        answeredAt: null,
        tray: 'spam',
        spamReason: 'completar un campo que las personas no ven',
      },
    ])
    const rows = await db.selectFrom('contact_message').select('rung').execute()
    expect(rows.map(({ rung }) => rung)).toEqual([1])
    expect(await db.selectFrom('job').select('id').execute()).toEqual([])
  })

  test('an owner signed in before sessions stood on a list stays so, and her device rings', async () => {
    const target = await freshTarget(engine)
    const token = 'A'.repeat(43)
    const [token_hash, moment] = [hashToken(token), new Date().toISOString()]
    const old = await openOld<OldTables>(target, '0003-removed-devices')
    const owner = { id: 'owner', user_name: 'l@ejemplo.test', password: '' }
    await old
      .insertInto('owner')
      .values({ ...owner, created_at: moment })
      .execute()
    const session = { token_hash, owner_id: 'owner', role: 'ROLE_ADMIN' }
    await old
      .insertInto('session')
      .values({ ...session, created_at: moment, seen_at: moment })
      .execute()
    const device = { id: 'd', kind: 'webpush', address_key: 'a', address: '{}', label: 'L' }
    await old
      .insertInto('device')
      .values({ ...device, session_hash: token_hash, created_at: moment, trouble: '' })
      .execute()
    await old.destroy()
    const { db } = await openForTest(target)
    const found = await findSession(db, token, new Date())
    expect(found).toMatchObject({ tokenHash: token_hash, isKept: false })
    const list = await listSignIns(db, 'owner')
    expect(list.map(({ id, seenAt }) => [id, seenAt])).toEqual([[found?.signInId, moment]])
    const devices = await db.selectFrom('device').select('sign_in_id').execute()
    expect(devices).toEqual([{ sign_in_id: found?.signInId }])
  })

  test('entries of before they could be hidden are everybody’s, and can be hidden', async () => {
    const target = await freshTarget(engine)
    const old = await openOld<{ proyect: Record<string, string | number> }>(target, '0014-history')
    await old.schema
      .createTable('proyect')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    const row = { id: '1', position: 1, version: 1, name: 'Radio' }
    await old.insertInto('proyect').values(row).execute()
    await old.destroy()
    const { db } = await openForTest(target)
    const hiddenNow = async () => (await listEntries(db, project)).map(isHidden)
    expect(await hiddenNow()).toEqual([false])
    await updateEntry(db, project, { id: '1', patch: { hidden: 'true' } })
    expect(await hiddenNow()).toEqual([true])
  })

  test('a version from before entries could be hidden refuses to show them', async () => {
    const target = await freshTarget(engine)
    await openForTest(target)
    const applied = await openAsItIs(target)
    expect(await appliedMigrations(applied)).toContain('0015-hidden-entries')
    await applied.destroy()
    await expect(openOld(target, '0014-history')).rejects.toThrow('no old database')
  })
})
