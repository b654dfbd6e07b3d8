import type { Kysely } from 'kysely'

/** What the profile's picture says to whoever does not see it. The sections' own columns are made with their tables. */
export const alternativeTexts = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('person')
      .addColumn('alt', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
