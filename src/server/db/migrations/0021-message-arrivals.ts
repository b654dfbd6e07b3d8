import type { Kysely } from 'kysely'

/** In which order messages came, whatever the clock said; 0 for all that are there. */
export const messageArrivals = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('contact_message')
      .addColumn('arrival', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
