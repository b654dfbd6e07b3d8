import { sweepBin } from './db/bin.ts'
import { sweepKeys } from './db/idempotency-keys.ts'
import { emptyLog } from './db/sqlite-file.ts'
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
  const sweeps = {
    ...auth.sweeps,
    bin: () => sweepBin(db, now()),
    keys: () => sweepKeys(db, now()),
    jobs: () => sweepJobs(db, now()),
    images: () => images.sweep(),
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
