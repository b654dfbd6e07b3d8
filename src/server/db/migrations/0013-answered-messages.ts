import type { Kysely } from 'kysely'

/** When the owner marked a message as answered; null for all that are there. */
export const answeredMessages = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('contact_message').addColumn('answered_at', 'text').execute()
  },
}
