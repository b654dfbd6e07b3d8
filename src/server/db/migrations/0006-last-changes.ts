import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** When and on which device each thing was changed last, so that a conflict can say so. */
export function lastChanges(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('last_change')
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('changed_at', 'text', (c) => c.notNull())
        .addColumn('device', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('last_change_key', ['kind', 'id'])
        .modifyEnd(strict)
        .execute()
    },
  }
}
