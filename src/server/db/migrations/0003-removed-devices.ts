import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What the owner took off her list, so that it does not put itself back. */
export function removedDevices(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('removed_device')
        .addColumn('address_hash', 'text', (c) => c.primaryKey())
        .addColumn('removed_at', 'text', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
    },
  }
}
