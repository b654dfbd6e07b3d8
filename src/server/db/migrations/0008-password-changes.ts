import type { Kysely } from 'kysely'

/** When the owner's password was changed last; null before the first change. */
export const passwordChanges = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('owner').addColumn('password_changed_at', 'text').execute()
  },
}
