import type { Kysely } from 'kysely'

/** What is asked of all messages at once is answered from an index, since the rows themselves lie behind their long texts. */
export const messageIndexes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('contact_message_digest').execute()
    const index = (name: string) =>
      db.schema.createIndex(`contact_message_${name}`).on('contact_message')
    await index('repeats').columns(['digest', 'received_at']).execute()
    await index('robots').columns(['spam', 'spam_reason', 'received_at', 'id']).execute()
    await index('unread').columns(['spam', 'read_at']).execute()
  },
}
