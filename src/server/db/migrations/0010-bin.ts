import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What was deleted lately, so that it can be put back. */
export function bin(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('bin')
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('position', 'integer', (c) => c.notNull())
        .addColumn('version', 'integer', (c) => c.notNull())
        .addColumn('fields', 'text', (c) => c.notNull())
        .addColumn('removed_at', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('bin_key', ['kind', 'id'])
        .modifyEnd(strict)
        .execute()
    },
  }
}
