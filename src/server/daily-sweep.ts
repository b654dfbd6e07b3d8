import { hourMs } from '#contract/durations.ts'
import { sweepBin } from './db/bin.ts'
import { sweepKeys } from './db/idempotency-keys.ts'
import { redateKept, redateOver, sweptKey } from './db/lived-days.ts'
import { lockFact, writeFact } from './db/site-facts.ts'
import { emptyLog } from './db/sqlite-file.ts'
import type { Db, Executor } from './db/tables.ts'
import { transact } from './db/transact.ts'
import { redateSharing } from './images/found-pictures.ts'
import { sweepJobs } from './jobs/job-table.ts'
import { causeOf } from './problem.ts'
import type { Services } from './services.ts'

type SweptServices = Pick<Services, 'auth' | 'images' | 'db' | 'engine' | 'now' | 'log'>

/**
 * Deletes what has expired. Whatever fails keeps nothing else from being tried, and is tried again the next day. Begins
 * nothing more once the signal is given: the database is about to be closed, which is no failure.
 */
export async function sweepDaily(services: SweptServices, stopping: AbortSignal): Promise<void> {
  const { auth, images, db, engine, now, log } = services
  let asOf = nothingOver
  const sweeps = {
    moment: async () => void (asOf = await lastSweep(db, now())),
    ...auth.sweeps,
    sessions: () => auth.sweeps.sessions(asOf),
    bin: () => sweepBin(db, asOf),
    keys: () => sweepKeys(db, asOf),
    jobs: () => sweepJobs(db, asOf),
    images: () => images.sweep(asOf),
    // After everything that is not to stay there.
    log: () => emptyLog(db, engine),
  }
  for (const [what, sweep] of Object.entries(sweeps)) {
    if (stopping.aborted) return
    try {
      await sweep()
    } catch (error) {
      if (stopping.aborted) return
      const { stack, message } = causeOf(error)
      log('sweep-failed', { what, error: stack ?? message })
    }
  }
}

/** No right clock calls for another sweep sooner: it is a start, or another process of the site. */
const apartMs = 20 * hourMs
/** Before anything was. */
const nothingOver = new Date(0)

/**
 * When the last sweep was, which is as of when this one deletes what would be missed: what a clock that is ahead for some
 * hours calls over is there when it is set right. Where there was none, or not a day ago, nothing is over.
 */
async function lastSweep(db: Db, now: Date): Promise<Date> {
  const take = async (t: Executor) => {
    const last = new Date(await lockFact(t, sweptKey, now.toISOString()))
    const sinceMs = now.getTime() - last.getTime()
    if (sinceMs >= 0 && sinceMs < apartMs) return nothingOver
    await writeFact(t, sweptKey, now.toISOString())
    const redate = redateOver(last, now)
    await redateKept(t, redate)
    await redateSharing(t, redate)
    return sinceMs < 0 ? nothingOver : last
  }
  return transact(db, take, { repeatable: true })
}
