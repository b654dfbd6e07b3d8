import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What passkeys have to sign is written down when it was signed, not when it is asked for. */
export function signedChallenges(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.dropTable('passkey_challenge').execute()
      await db.schema
        .createTable('spent_challenge')
        .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
        .addColumn('made_at', 'text', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
      await db.schema
        .createIndex('spent_challenge_made')
        .on('spent_challenge')
        .columns(['made_at'])
        .execute()
      await db.schema
        .createTable('secret')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
    },
  }
}
