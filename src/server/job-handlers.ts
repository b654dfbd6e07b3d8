import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import { ringDevices } from './messages/notify.ts'
import { deliverPush } from './notifications/deliver.ts'
import { guardLinks } from './links/guard.ts'
import { createLook, type Look } from './links/look.ts'
import { sendMails } from './mail/mail-jobs.ts'
import { createMailer } from './mail/mailer.ts'
import type { Log } from './log.ts'
import type { PushSender } from './notifications/sender.ts'
import type { Job } from './jobs/job-table.ts'
import type { JobHandler } from './jobs/worker.ts'

interface HandlerParts {
  readonly db: Db
  readonly now: () => Date
  readonly config: Pick<Config, 'push' | 'publicUrl' | 'smtp'>
  readonly sender: PushSender
  readonly log: Log
  /** How links are looked at; a test looks at its own. */
  readonly look?: Look | undefined
}

/** What each kind of job does. */
export function jobHandlers(parts: HandlerParts): Readonly<Record<Job['kind'], JobHandler>> {
  const { db, now, config, log, look = createLook() } = parts
  return {
    ring: ringDevices({ db, now, everyMs: config.push.ringEveryMs }),
    push: deliverPush(parts),
    mail: sendMails({ db, now, config, mailer: config.smtp && createMailer(config.smtp) }),
    links: guardLinks({ db, now, log, look }),
  }
}
