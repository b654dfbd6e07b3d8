import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import { ringDevices } from './messages/ring.ts'
import { deliverPush } from './push/deliver.ts'
import type { PushSender } from './push/sender.ts'
import type { Job } from './jobs/job-table.ts'
import type { JobHandler } from './jobs/worker.ts'

interface HandlerParts {
  readonly db: Db
  readonly now: () => Date
  readonly config: Pick<Config, 'push'>
  readonly sender: PushSender
}

/** What each kind of job does. */
export function jobHandlers(parts: HandlerParts): Readonly<Record<Job['kind'], JobHandler>> {
  const { db, now, config } = parts
  return {
    ring: ringDevices({ db, now, everyMs: config.push.ringEveryMs }),
    push: deliverPush(parts),
  }
}
