import { sql, type Kysely } from 'kysely'
import type { Engine } from '../tables.ts'

/** What the inbox asks of messages, the devices that are notified, and the work that waits for its turn. */
export function messagesAndPush(engine: Engine) {
  const strict = engine === 'sqlite' ? sql`strict` : sql``
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const table = (name: string) => db.schema.createTable(name).modifyEnd(strict)
      await db.schema
        .alterTable('contact_message')
        .addColumn('rung', 'integer', (c) => c.notNull().defaultTo(1))
        .execute()
      await db.schema
        .alterTable('contact_message')
        .addColumn('digest', 'text', (c) => c.notNull().defaultTo(''))
        .execute()
      await db.schema
        .createIndex('contact_message_tray')
        .on('contact_message')
        .columns(['spam', 'received_at'])
        .execute()
      await db.schema
        .createIndex('contact_message_digest')
        .on('contact_message')
        .columns(['digest'])
        .execute()
      await table('device')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('address_key', 'text', (c) => c.notNull().unique())
        .addColumn('address', 'text', (c) => c.notNull())
        .addColumn('label', 'text', (c) => c.notNull())
        .addColumn('session_hash', 'text', (c) => c.notNull())
        .addColumn('created_at', 'text', (c) => c.notNull())
        .addColumn('last_sent_at', 'text')
        .addColumn('trouble', 'text', (c) => c.notNull())
        .execute()
      await table('job')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('dedupe', 'text', (c) => c.unique())
        .addColumn('device_id', 'text', (c) => c.references('device.id').onDelete('cascade'))
        .addColumn('payload', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('due_at', 'text', (c) => c.notNull())
        .addColumn('lease_until', 'text')
        .addColumn('why', 'text', (c) => c.notNull())
        .addColumn('created_at', 'text', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('job_due').on('job').columns(['state', 'due_at']).execute()
      await db.schema.createIndex('job_device').on('job').columns(['device_id']).execute()
    },
  }
}
