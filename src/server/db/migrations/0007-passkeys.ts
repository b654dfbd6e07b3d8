import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** The owner's passkeys, and what their next use has to sign. */
export function passkeys(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  const whole = engine === 'sqlite' ? 'integer' : 'bigint'
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('passkey')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner_id', 'text', (c) => c.notNull())
        .addColumn('credential_id', 'text', (c) => c.notNull().unique())
        .addColumn('public_key', 'text', (c) => c.notNull())
        .addColumn('counter', whole, (c) => c.notNull())
        .addColumn('transports', 'text', (c) => c.notNull())
        .addColumn('rp_id', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('created_at', 'text', (c) => c.notNull())
        .addColumn('used_at', 'text')
        .modifyEnd(strict)
        .execute()
      await db.schema
        .createTable('passkey_challenge')
        .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('holder', 'text', (c) => c.notNull())
        .addColumn('made_at', 'text', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
      await db.schema
        .createIndex('passkey_challenge_made')
        .on('passkey_challenge')
        .columns(['made_at'])
        .execute()
      await db.schema
        .createIndex('passkey_challenge_holder')
        .on('passkey_challenge')
        .columns(['holder'])
        .execute()
    },
  }
}
