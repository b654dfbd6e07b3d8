import { contactNotification, type PushMessage } from '#contract/notifications/push.ts'
import { readFact, writeFact } from '../db/site-facts.ts'
import type { Db, Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { addJob, lockJob, removeJob, type Job } from '../jobs/job-table.ts'
import type { JobHandler, JobResult } from '../jobs/worker.ts'
import { countUnread } from './folders.ts'

interface NotifyOptions {
  readonly db: Db
  readonly now: () => Date
  readonly everyMs: number
}

const toldAtKey = 'messages-told-at'

/**
 * Carries out the one job of kind `ring`: tells every device of the inbox's messages that none was told of. While
 * messages already told of lie unread, it waits until an hour after the last time, and then tells of all that came in
 * between at once: a flood notifies once, and who reads her messages hears of the next one immediately.
 */
export function notifyDevices(options: NotifyOptions): JobHandler {
  return (job) => transact(options.db, (t) => notify(t, options, job))
}

async function notify(t: Executor, { now, everyMs }: NotifyOptions, job: Job): Promise<JobResult> {
  // Comes first, because it locks the row: a message stored meanwhile waits, and then adds the job again.
  if (!(await lockJob(t, job.id))) return { state: 'done' }
  const fresh = await findUntold(t)
  const unread = await countUnread(t)
  const moment = now()
  const toldAt = await lastTold(t)
  const isQuiet = toldAt <= moment.getTime() && moment.getTime() < toldAt + everyMs
  if (fresh.length > 0 && unread > fresh.length && isQuiet) {
    return { state: 'later', at: new Date(toldAt + everyMs) }
  }
  if (fresh.length > 0) {
    const told = await tellDevices(t, contactNotification(fresh, unread), moment)
    if (told) await writeFact(t, toldAtKey, moment.toISOString())
    const ids = fresh.map(({ id }) => id)
    await t.updateTable('contact_message').set({ rung: 1 }).where('id', 'in', ids).execute()
  }
  await removeJob(t, job.id)
  return { state: 'done' }
}

/** Oldest first. */
function findUntold(t: Executor) {
  return t
    .selectFrom('contact_message')
    .select(['id', 'name', 'message'])
    .where('spam', '=', 0)
    .where('read_at', 'is', null)
    .where('rung', '=', 0)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}

/** Resolves to whether there is any device. */
export async function tellDevices(t: Executor, payload: PushMessage, now: Date): Promise<boolean> {
  const devices = await t.selectFrom('device').select('id').execute()
  for (const { id: deviceId } of devices) await addJob(t, { kind: 'push', deviceId, payload, now })
  return devices.length > 0
}

/** In milliseconds since 1970. */
async function lastTold(t: Executor): Promise<number> {
  const told = await readFact(t, toldAtKey)
  return told === undefined ? 0 : Date.parse(told)
}
