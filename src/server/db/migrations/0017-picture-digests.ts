import type { Kysely } from 'kysely'

/** What the files of a picture were when they were stored; those of before are taken as the next sweep finds them. */
export const pictureDigests = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('image')
      .addColumn('digests', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
