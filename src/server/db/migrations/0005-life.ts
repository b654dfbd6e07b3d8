import type { Kysely } from 'kysely'
import { noteLife } from '../life.ts'
import type { Tables } from '../tables.ts'

/** What versions and revisions count from: in a database that has some already, from where they began. */
export function life(firstLife: number) {
  return {
    async up(db: Kysely<Tables>): Promise<void> {
      const person = await db.selectFrom('person').select('id').executeTakeFirst()
      await noteLife(db, person ? 0 : firstLife)
    },
  }
}
