import type { Migration } from 'kysely/migration'
import type { Engine } from '../tables.ts'
import { firstMigration } from './0001-first.ts'
import { messagesAndPush } from './0002-messages-and-push.ts'
import { removedDevices } from './0003-removed-devices.ts'

/** Every migration by name, in the order of the names; a static list, so that it survives bundling. */
export function allMigrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-first': firstMigration(engine),
    '0002-messages-and-push': messagesAndPush(engine),
    '0003-removed-devices': removedDevices(engine),
  }
}
