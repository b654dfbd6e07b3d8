import { randomUUID } from 'node:crypto'
import { dayMs } from '#contract/durations.ts'
import type { Executor, TableRow } from '../db/tables.ts'

/** One sign-in on one device with all its sessions, as the owner's list shows it. */
export interface SignIn {
  readonly id: string
  readonly label: string
  readonly createdAt: string
  readonly seenAt: string
  readonly isKept: boolean
}

/** A kept sign-in ends after this long without use … */
export const keptIdleMs = 90 * dayMs
/** … and after this long in any case. */
const keptAbsoluteMs = 365 * dayMs
const maxSignIns = 20

/** Beyond `maxSignIns`, the one unused for longest ends with all its sessions. */
export async function openSignIn(
  x: Executor,
  { ownerId, label, now }: { ownerId: string; label: string; now: Date },
): Promise<string> {
  const id = randomUUID()
  const moment = now.toISOString()
  const values = { id, owner_id: ownerId, label, created_at: moment, seen_at: moment }
  await x.insertInto('sign_in').values(values).execute()
  const others = await x
    .selectFrom('sign_in')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', '!=', id)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
  for (const other of others.slice(maxSignIns - 1)) await closeSignIn(x, other.id)
  return id
}

/** The one used last first. */
export async function listSignIns(x: Executor, ownerId: string): Promise<readonly SignIn[]> {
  const rows = await x
    .selectFrom('sign_in')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    isKept: row.kept_hash !== null,
  }))
}

/** Whether there is such a sign-in; until the transaction ends, whoever wants to close it waits. */
export async function lockSignIn(t: Executor, id: string): Promise<boolean> {
  const rows = await t
    .updateTable('sign_in')
    .set(({ ref }) => ({ seen_at: ref('seen_at') }))
    .where('id', '=', id)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Ends a sign-in with its sessions and stops notifications to its devices. Resolves to whether there was one. */
export async function closeSignIn(x: Executor, id: string): Promise<boolean> {
  // First: a renewal on its way is waited for, and its session ends with the others.
  const closed = await x.deleteFrom('sign_in').where('id', '=', id).returning('id').execute()
  await x.deleteFrom('session').where('sign_in_id', '=', id).execute()
  await x.deleteFrom('device').where('sign_in_id', '=', id).execute()
  return closed.length > 0
}

/**
 * Ends every sign-in of the owner except the one to keep, and stops notifications to the others' devices: somebody
 * who is signed out must not go on reading messages on a screen. A device of hers comes back when she signs in there.
 */
export async function closeSignIns(x: Executor, ownerId: string, keep = ''): Promise<void> {
  // In the order of `closeSignIn`, for the same reason.
  const signIns = x.deleteFrom('sign_in').where('owner_id', '=', ownerId)
  await signIns.where('id', '!=', keep).execute()
  const sessions = x.deleteFrom('session').where('owner_id', '=', ownerId)
  await sessions.where('sign_in_id', '!=', keep).execute()
  await x.deleteFrom('device').where('sign_in_id', '!=', keep).execute()
}

/** Whether a device where the owner keeps her session may still renew it. */
export function isKeptAlive(
  row: Pick<TableRow<'sign_in'>, 'created_at' | 'seen_at'>,
  now: Date,
): boolean {
  const time = now.getTime()
  return (
    time - Date.parse(row.seen_at) < keptIdleMs &&
    time - Date.parse(row.created_at) < keptAbsoluteMs
  )
}

/**
 * Deletes sign-ins that no session is left of and no device keeps, and those that a device may keep no longer, with what
 * is left of their sessions. Devices go on ringing, as after every end that nobody has asked for.
 */
export async function sweepSignIns(x: Executor, now: Date): Promise<void> {
  const kept = await x
    .selectFrom('sign_in')
    .selectAll()
    .where('kept_hash', 'is not', null)
    .execute()
  for (const { id } of kept.filter((row) => !isKeptAlive(row, now))) {
    await x.deleteFrom('sign_in').where('id', '=', id).execute()
    await x.deleteFrom('session').where('sign_in_id', '=', id).execute()
  }
  await x
    .deleteFrom('sign_in')
    .where('kept_hash', 'is', null)
    .where('id', 'not in', (q) => q.selectFrom('session').select('sign_in_id'))
    .execute()
}
