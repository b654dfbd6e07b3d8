import { mkdirSync } from 'node:fs'
import type { Config } from './config.ts'
import { beginLife, lifeAt } from './db/life.ts'
import { openDb, type DbTarget, type OpenedDb } from './db/open.ts'
import { serveFile } from './db/sqlite-serving.ts'
import { transact } from './db/transact.ts'
import { openDiskRoom, type DiskRoom } from './disk/space.ts'
import type { Log } from './log.ts'
import { backupsOf, createServices, type Services } from './services.ts'
import { keepPrivate } from './disk/private-folder.ts'
import { openPush } from './notifications/push.ts'

interface Opened {
  readonly services: Services
  close(): Promise<void>
}

const now = () => new Date()

/** Opens the database and everything that stands on it. Throws when the database or the notifications' keys cannot be used. */
export async function openServices(config: Config, log: Log): Promise<Opened> {
  const { dataDir, database } = config
  await keepPrivate(dataDir, log)
  const room = database.engine === 'sqlite' ? roomUnder(dataDir, log) : undefined
  const backups = backupsOf(config, database, { now, log })
  const { close, ...opened } = await openServed(database, log, () => backups.make('update'))
  const push = await openPush(opened.db, config, now)
  const services = await createServices({ opened, config, log, now, push, backups, room })
  return { services, close }
}

/** The database, held against a second process where only one can serve it. */
async function openServed(
  target: DbTarget,
  log: Log,
  beforeMigrating: () => Promise<unknown>,
): Promise<OpenedDb> {
  const life = lifeAt(now())
  if (target.engine === 'postgres') return openDb(target, life, beforeMigrating)
  const served = serveFile(target.file)
  try {
    const opened = await openDb(target, life, beforeMigrating)
    // Versions given out since the file was copied must not come again.
    if (served.isPutBack) await transact(opened.db, (t) => beginLife(t, now()))
    served.watch(log)
    const close = async () => {
      served.stopWatching()
      await opened.close()
      served.close()
    }
    return { ...opened, close }
  } catch (error) {
    served.close()
    throw error
  }
}

/** Looked at before the database is opened, which on a full disk needs what is held back. */
function roomUnder(dir: string, log: Log): DiskRoom {
  mkdirSync(dir, { recursive: true })
  const room = openDiskRoom(dir, log)
  room.isScarce()
  return room
}
