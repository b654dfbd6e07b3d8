import type { ExpressionBuilder } from 'kysely'
import { v7 as newId } from 'uuid'
import { dayMs } from '#contract/durations.ts'
import type { Executor, TableRow, Tables } from '../db/tables.ts'

export type Job = TableRow<'job'>

interface NewJob {
  readonly kind: Job['kind']
  readonly now: Date
  readonly payload?: unknown
  readonly deviceId?: string
}

/** Meant for the transaction of the job's cause. */
export async function addJob(x: Executor, { kind, now, payload, deviceId }: NewJob): Promise<void> {
  await x
    .insertInto('job')
    .values(rowOf({ kind, now, payload, deviceId, dedupe: null }))
    .execute()
}

/** Like `addJob`, for a kind of which one job is enough: a waiting job is made due at once instead. */
export async function addOnce(x: Executor, { kind, now }: Pick<NewJob, 'kind' | 'now'>) {
  await x
    .insertInto('job')
    .values(rowOf({ kind, now, dedupe: kind }))
    .onConflict((c) =>
      c.column('dedupe').doUpdateSet({ due_at: now.toISOString(), state: 'pending' }),
    )
    .execute()
}

/** Like `addJob`, for a kind that never ends: a waiting job keeps its time. */
export async function addRecurring(x: Executor, { kind, now }: Pick<NewJob, 'kind' | 'now'>) {
  await x
    .insertInto('job')
    .values(rowOf({ kind, now, dedupe: kind }))
    .onConflict((c) => c.column('dedupe').doNothing())
    .execute()
}

function rowOf(
  job: Omit<NewJob, 'deviceId'> & { deviceId?: string | undefined; dedupe: string | null },
): Job {
  const moment = job.now.toISOString()
  return {
    id: newId(),
    kind: job.kind,
    dedupe: job.dedupe,
    device_id: job.deviceId ?? null,
    payload: JSON.stringify(job.payload ?? null),
    state: 'pending',
    attempts: 0,
    due_at: moment,
    lease_until: null,
    why: '',
    created_at: moment,
  }
}

interface Claim {
  readonly now: Date
  readonly leaseMs: number
  readonly most: number
}

/** No right clock lays a job aside for longer, nor does anybody work on one for so long. */
const longestWaitMs = 2 * dayMs

/** Leases due jobs, oldest first; no two callers get the same one. What a clock that was ahead has noted holds nothing up. */
export async function claimJobs(
  x: Executor,
  { now, leaseMs, most }: Claim,
): Promise<readonly Job[]> {
  const moment = now.toISOString()
  const isFree = (w: ExpressionBuilder<Tables, 'job'>) =>
    w.or([
      w('lease_until', 'is', null),
      w('lease_until', '<=', moment),
      w('lease_until', '>', later(now, longestWaitMs)),
    ])
  return (
    x
      .updateTable('job')
      .set({ lease_until: later(now, leaseMs) })
      .where('id', 'in', (q) =>
        q
          .selectFrom('job')
          .select('id')
          .where('state', '=', 'pending')
          .where((w) =>
            w.or([w('due_at', '<=', moment), w('due_at', '>', later(now, longestWaitMs))]),
          )
          .where(isFree)
          .orderBy('due_at')
          .orderBy('id')
          .limit(most),
      )
      // The condition is repeated outside: a second caller that waited for the row would otherwise take it too.
      .where('state', '=', 'pending')
      .where(isFree)
      .returningAll()
      .execute()
  )
}

/** Keeps the job from changing until the transaction ends; resolves to whether it still exists. */
export async function lockJob(t: Executor, id: string): Promise<boolean> {
  const locked = await t
    .updateTable('job')
    .set((e) => ({ attempts: e.ref('attempts') }))
    .where('id', '=', id)
    .returning('id')
    .execute()
  return locked.length > 0
}

/** Removes a job that is done. */
export async function removeJob(x: Executor, id: string): Promise<void> {
  await x.deleteFrom('job').where('id', '=', id).execute()
}

/** Does nothing when the job was made due again meanwhile. */
export async function postponeJob(x: Executor, { id, due_at: due }: Job, until: Date) {
  await x
    .updateTable('job')
    .set((e) => ({
      due_at: e
        .case()
        .when('due_at', '=', due)
        .then(until.toISOString())
        .else(e.ref('due_at'))
        .end(),
      lease_until: null,
    }))
    .where('id', '=', id)
    .execute()
}

interface Failure {
  readonly why: string
  /** When to try again; undefined gives the job up. */
  readonly retryAt: Date | undefined
}

/** The job is tried again at `retryAt`, or is dead and waits for the owner. */
export async function failJob(x: Executor, job: Job, { why, retryAt }: Failure): Promise<void> {
  await x
    .updateTable('job')
    .set({
      attempts: job.attempts + 1,
      why,
      lease_until: null,
      ...(retryAt ? { due_at: retryAt.toISOString() } : { state: 'dead', dedupe: null }),
    })
    .where('id', '=', job.id)
    .execute()
}

/** Delays every job of the device until the moment at least. */
export async function delayDevice(x: Executor, deviceId: string, until: Date): Promise<void> {
  const moment = until.toISOString()
  await x
    .updateTable('job')
    .set({ due_at: moment })
    .where('device_id', '=', deviceId)
    .where('state', '=', 'pending')
    .where('due_at', '<', moment)
    .execute()
}

/** In milliseconds since 1970; undefined when nothing waits. */
export async function nextDue(x: Executor): Promise<number | undefined> {
  const rows = await x
    .selectFrom('job')
    .select(['due_at', 'lease_until'])
    .where('state', '=', 'pending')
    .orderBy('due_at')
    .limit(100)
    .execute()
  const moments = rows.map(({ due_at: due, lease_until: lease }) =>
    Date.parse(lease !== null && lease > due ? lease : due),
  )
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** How long the owner sees a job that was given up. */
const deadKeptMs = 30 * dayMs

/** Forgets jobs that were given up long ago. Meant to run daily. */
export async function sweepJobs(x: Executor, now: Date): Promise<void> {
  await x
    .deleteFrom('job')
    .where('state', '=', 'dead')
    .where('due_at', '<', later(now, -deadKeptMs))
    .execute()
}

/** Frees the jobs of a process that is gone. Only where there is one process per database. */
export async function freeLeases(x: Executor): Promise<void> {
  await x
    .updateTable('job')
    .set({ lease_until: null })
    .where('lease_until', 'is not', null)
    .execute()
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}
