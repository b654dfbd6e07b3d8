import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** The tables as they are while this runs. */
type Then = {
  session: {
    token_hash: string
    owner_id: string
    created_at: string
    seen_at: string
    sign_in_id: string
  }
  sign_in: { id: string; owner_id: string; label: string; created_at: string; seen_at: string }
  device: { session_hash: string }
}

/**
 * What the sessions of one device have in common: whose list they stand on, and what keeps the owner signed in there. Every
 * session there is becomes the first of a sign-in of its own, and the devices that are notified belong to that.
 */
export function signIns(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(before: Kysely<unknown>): Promise<void> {
      const db = before.$extendTables<Then>()
      await db.schema
        .createTable('sign_in')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner_id', 'text', (c) => c.notNull())
        .addColumn('label', 'text', (c) => c.notNull())
        .addColumn('created_at', 'text', (c) => c.notNull())
        .addColumn('seen_at', 'text', (c) => c.notNull())
        .addColumn('kept_hash', 'text')
        .addColumn('spent_hash', 'text')
        .addColumn('renewed_at', 'text')
        .addColumn('renewed_token_hash', 'text')
        .addColumn('renewal_used', 'integer', (c) => c.notNull().defaultTo(0))
        .modifyEnd(strict)
        .execute()
      for (const column of ['sign_in_id', 'revocation_hash']) {
        await db.schema
          .alterTable('session')
          .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
          .execute()
      }
      await db.schema.createIndex('session_sign_in').on('session').columns(['sign_in_id']).execute()
      await db.schema
        .createIndex('session_revocation')
        .on('session')
        .columns(['revocation_hash'])
        .execute()
      for (const session of await db.selectFrom('session').selectAll().execute()) {
        const { token_hash, owner_id, created_at, seen_at } = session
        const id = randomUUID()
        const values = { id, owner_id, label: '', created_at, seen_at }
        await db.insertInto('sign_in').values(values).execute()
        await db
          .updateTable('session')
          .set({ sign_in_id: id })
          .where('token_hash', '=', token_hash)
          .execute()
        await db
          .updateTable('device')
          .set({ session_hash: id })
          .where('session_hash', '=', token_hash)
          .execute()
      }
      await db.schema.alterTable('device').renameColumn('session_hash', 'sign_in_id').execute()
    },
  }
}
