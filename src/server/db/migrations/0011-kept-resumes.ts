import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What imported résumés say that has no place on the site. */
export function keptResumes(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('kept_resume')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('said', 'text', (c) => c.notNull())
        .addColumn('made_at', 'text', (c) => c.notNull())
        .modifyEnd(strict)
        .execute()
    },
  }
}
