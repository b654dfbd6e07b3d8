import { hourMs } from '#contract/durations.ts'
import type { Db, Engine } from '../db/tables.ts'
import type { Log } from '../log.ts'
import {
  claimJobs,
  failJob,
  freeLeases,
  delayDevice,
  nextDue,
  postponeJob,
  removeJob,
  type Job,
} from './job-table.ts'

export type JobResult =
  | { readonly state: 'done' }
  /** Nothing failed; the job's time has not come yet. */
  | { readonly state: 'later'; readonly at: Date }
  | { readonly state: 'retry'; readonly afterMs?: number; readonly why: string }
  | { readonly state: 'dead'; readonly why: string }

/** A handler may run twice for one job: a process that dies between doing and noting it leaves the job due. */
export type JobHandler = (job: Job) => Promise<JobResult>

export interface Jobs {
  /** Looks for due work soon; call it after a commit that added some. */
  wake(): void
  /** Does everything that is due and resolves to the number of jobs. */
  runDue(): Promise<number>
  /** Looks by itself from then on, until stopped. */
  start(): Promise<void>
  /** Begins nothing more and waits for what is under way. */
  stop(): Promise<void>
}

interface JobsOptions {
  readonly db: Db
  readonly engine: Engine
  readonly now: () => Date
  readonly log: Log
  readonly handlers: Readonly<Record<Job['kind'], JobHandler>>
  /** From 0 to 1; spreads tries so that they do not come all at once. */
  readonly random?: () => number
}

/** Longer than one try takes; a crash delays the jobs under way by this time. */
const leaseMs = 15_000
const most = 10
const maxAttempts = 12
const firstRetryMs = 5_000
const longestRetryMs = hourMs
/** The worker sleeps no longer: another process may add work, and clocks are set. */
const longestSleepMs = 30_000

/** The delay is 5 s, doubled after each failure up to an hour, give or take a fifth. */
export function retryDelayMs(failures: number, random: number): number {
  const doubled = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1))
  return Math.round(doubled * (0.8 + random * 0.4))
}

/**
 * A time that the other side names holds; from the second failure on it is no sooner than the own delay, or "in a
 * second" would use up all tries at once.
 */
function waitMs(namedMs: number | undefined, failures: number, random: number): number {
  const ownMs = retryDelayMs(failures, random)
  if (namedMs === undefined) return ownMs
  return failures === 1 ? namedMs : Math.max(namedMs, ownMs)
}

/** Carries out one batch at a time. */
export function createJobs(options: JobsOptions): Jobs {
  const { db, engine, now, log } = options
  let started = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number> | undefined
  let wanted = false
  let stopping = false

  /** It is done once more when its lease is over; the others are waited for all the same. */
  const unnoted = (error: unknown) => log('job-not-noted', { error: String(error) })
  const runDue = async (): Promise<number> => {
    let count = 0
    for (;;) {
      const jobs = await claimJobs(db, { now: now(), leaseMs, most })
      await Promise.all(jobs.map((job) => carryOut(options, job).catch(unnoted)))
      count += jobs.length
      if (jobs.length === 0 || stopping) return count
    }
  }
  const look = (): void => {
    clearTimeout(timer)
    wanted = false
    running = runDue()
      .catch((error: unknown) => {
        log('jobs-failed', { error: String(error) })
        return 0
      })
      .finally(() => {
        running = undefined
        if (wanted && started) return look()
        void sleep()
      })
  }
  const sleep = async (): Promise<void> => {
    const due = await nextDue(db).catch(() => undefined)
    if (!started || running) return
    const ms = due === undefined ? longestSleepMs : due - now().getTime()
    clearTimeout(timer)
    timer = setTimeout(look, Math.min(longestSleepMs, Math.max(50, ms)))
    timer.unref()
  }
  return {
    runDue,
    wake() {
      if (!started) return
      wanted = true
      if (!running) look()
    },
    async start() {
      // With one process per SQLite file, the process that had taken these is gone.
      if (engine === 'sqlite') await freeLeases(db)
      started = true
      look()
    },
    async stop() {
      started = false
      stopping = true
      clearTimeout(timer)
      await running
    },
  }
}

async function carryOut({ db, now, log, handlers, random = Math.random }: JobsOptions, job: Job) {
  const result = await handlers[job.kind](job).catch((error: unknown): JobResult => {
    log('job-failed', {
      kind: job.kind,
      error: error instanceof Error ? error.stack : String(error),
    })
    return { state: 'retry', why: '' }
  })
  if (result.state === 'done') return removeJob(db, job.id)
  if (result.state === 'later') return postponeJob(db, job, result.at)
  const failures = job.attempts + 1
  const { why } = result
  if (result.state === 'dead' || failures >= maxAttempts) {
    log('job-given-up', { kind: job.kind, attempts: failures })
    return failJob(db, job, { why, retryAt: undefined })
  }
  const { afterMs } = result
  const after = (ms: number) => new Date(now().getTime() + ms)
  await failJob(db, job, { why, retryAt: after(waitMs(afterMs, failures, random())) })
  if (afterMs !== undefined && job.device_id !== null) {
    await delayDevice(db, job.device_id, after(afterMs))
  }
}
