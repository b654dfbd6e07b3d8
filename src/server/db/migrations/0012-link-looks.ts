import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What the last looks at each public link found, so that one failed try says nothing. */
export function linkLooks(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('link_look')
        .addColumn('link_hash', 'text', (c) => c.primaryKey())
        .addColumn('looked_at', 'text', (c) => c.notNull())
        .addColumn('next_at', 'text', (c) => c.notNull())
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('failed_since', 'text')
        .addColumn('told', 'integer', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
    },
  }
}
