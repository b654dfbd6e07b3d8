import { join } from 'node:path'
import { createAuth } from './auth/auth.ts'
import type { Config } from './config.ts'
import { openDb } from './db/open.ts'
import { createLocalImages } from './images/local.ts'
import { jobHandlers } from './job-handlers.ts'
import { createJobs } from './jobs/worker.ts'
import type { Log } from './log.ts'
import { openFormAge } from './messages/form-age.ts'
import type { Parts } from './parts.ts'
import { openPush } from './push/push.ts'
import { createTypedTitle } from './typed-title/typed-title.ts'

interface OpenedParts {
  readonly parts: Parts
  close(): Promise<void>
}

const now = () => new Date()

/** Opens the database and everything that stands on it. Throws when the database or the notifications' keys cannot be used. */
export async function openParts(config: Config, log: Log): Promise<OpenedParts> {
  const push = await openPush(config, now)
  const { db, engine, close } = await openDb(config.database)
  const images = createLocalImages({ dir: join(config.dataDir, 'media'), db, now, log })
  const auth = createAuth({ db, now, log, limits: config.limits })
  const typedTitle = createTypedTitle()
  const handlers = jobHandlers({ db, now, config, sender: push.sender })
  const jobs = createJobs({ db, engine, now, log, handlers })
  const formAge = await openFormAge(db, now)
  const parts = { db, engine, config, log, now, images, auth, typedTitle, push, formAge, jobs }
  return { parts, close }
}
