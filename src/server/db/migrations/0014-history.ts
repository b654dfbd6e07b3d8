import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What entries and the profile said before they were changed. */
export function history(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('earlier_version')
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('number', 'integer', (c) => c.notNull())
        .addColumn('fields', 'text', (c) => c.notNull())
        .addColumn('picture', 'text', (c) => c.notNull())
        .addColumn('made_at', 'text')
        .addColumn('device', 'text', (c) => c.notNull())
        .addColumn('replaced_at', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('earlier_version_key', ['kind', 'id', 'number'])
        .modifyEnd(strict)
        .execute()
    },
  }
}
