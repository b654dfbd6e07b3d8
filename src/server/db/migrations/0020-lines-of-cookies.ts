import type { Kysely } from 'kysely'

/** Which exchanges of a device's cookie came shortly before the last one. */
export const linesOfCookies = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('sign_in')
      .addColumn('earlier_renewals', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
