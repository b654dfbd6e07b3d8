import { sql } from 'kysely'
import { v5 as digestOf } from 'uuid'
import { revocationNamespace } from '#contract/access/access.ts'
import { dayMs, minuteMs } from '#contract/durations.ts'
import { adminRole } from '#contract/access/session.ts'
import type { Executor, TableRow } from '../db/tables.ts'
import { sweepSignIns } from './sign-in.ts'
import { hashToken, newToken } from './token.ts'

export interface SessionInfo {
  readonly ownerId: string
  readonly userName: string
  readonly role: string
  /** SHA-256 in hex: the token itself is stored nowhere. */
  readonly tokenHash: string
  readonly signInId: string
  /** Browser and system, in words; empty for older sessions. */
  readonly device: string
}

/** A session ends after this long without a call … */
const idleMs = 7 * dayMs
/** … and after this long in any case. */
const absoluteMs = 30 * dayMs
/** How fresh `seen_at` is kept: not every call costs a write. */
const seenEveryMs = 5 * minuteMs
/** How many tabs of one device may each have a session; beyond that, the one unused for longest ends. */
const maxSessions = 20

/** Resolves to the session's token. */
export async function openSession(
  x: Executor,
  { signInId, ownerId, now }: { signInId: string; ownerId: string; now: Date },
): Promise<string> {
  const token = newToken()
  const token_hash = hashToken(token)
  const moment = now.toISOString()
  await x
    .insertInto('session')
    .values({
      token_hash,
      owner_id: ownerId,
      role: adminRole,
      created_at: moment,
      seen_at: moment,
      sign_in_id: signInId,
      revocation_hash: hashToken(revocationOf(token)),
    })
    .execute()
  await x
    .deleteFrom('session')
    .where('sign_in_id', '=', signInId)
    .where('token_hash', '!=', token_hash)
    .where('token_hash', 'not in', (q) =>
      q
        .selectFrom('session')
        .select('token_hash')
        .where('sign_in_id', '=', signInId)
        .where('token_hash', '!=', token_hash)
        .orderBy('seen_at', 'desc')
        .orderBy('token_hash')
        .limit(maxSessions - 1),
    )
    .execute()
  return token
}

/**
 * A page that signs out without a connection keeps this in place of its token: it ends the session and grants no
 * access.
 */
function revocationOf(token: string): string {
  return digestOf(token, revocationNamespace)
}

/** Marks the session as seen now; undefined when it has ended. */
export async function findSession(
  x: Executor,
  token: string,
  now: Date,
): Promise<SessionInfo | undefined> {
  const row = await x
    .selectFrom('session')
    .innerJoin('owner', 'owner.id', 'session.owner_id')
    .leftJoin('sign_in', 'sign_in.id', 'session.sign_in_id')
    .select(['token_hash', 'session.owner_id', 'user_name', 'role', 'session.created_at'])
    .select(['session.seen_at', 'sign_in_id', 'renewed_token_hash', 'renewal_used'])
    .select('sign_in.label')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!row || !isAlive(row, now)) return undefined
  // The clock may have been set back, so a moment in the future is put right too.
  const isStale = Math.abs(now.getTime() - Date.parse(row.seen_at)) >= seenEveryMs
  const isFirstUse = row.renewed_token_hash === row.token_hash && row.renewal_used === 0
  if (isStale || isFirstUse) await markSeen(x, row, now)
  return {
    ownerId: row.owner_id,
    userName: row.user_name,
    role: row.role,
    tokenHash: row.token_hash,
    signInId: row.sign_in_id,
    device: row.label ?? '',
  }
}

/** Whether the session still exists; a call may have ended it since it was found. */
export async function isOpen(x: Executor, tokenHash: string): Promise<boolean> {
  const found = x.selectFrom('session').select('token_hash').where('token_hash', '=', tokenHash)
  return (await found.executeTakeFirst()) !== undefined
}

function isAlive(row: Pick<TableRow<'session'>, 'created_at' | 'seen_at'>, now: Date): boolean {
  const time = now.getTime()
  return time - Date.parse(row.seen_at) < idleMs && time - Date.parse(row.created_at) < absoluteMs
}

async function markSeen(
  x: Executor,
  { token_hash, sign_in_id }: Pick<TableRow<'session'>, 'token_hash' | 'sign_in_id'>,
  now: Date,
): Promise<void> {
  const seen_at = now.toISOString()
  // What began while the clock was ahead would last so much longer.
  const begun = sql<string>`case when created_at > ${seen_at} then ${seen_at} else created_at end`
  const seen = { seen_at, created_at: begun }
  await x.updateTable('session').set(seen).where('token_hash', '=', token_hash).execute()
  await x.updateTable('sign_in').set(seen).where('id', '=', sign_in_id).execute()
  // A caller with the new session has received the answer that brought it, and the next cookie with it.
  await x
    .updateTable('sign_in')
    .set({ renewal_used: 1 })
    .where('id', '=', sign_in_id)
    .where('renewed_token_hash', '=', token_hash)
    .execute()
}

/** Undefined when the session has ended already. */
export async function signInLeftBy(x: Executor, revocation: string): Promise<string | undefined> {
  const row = await x
    .selectFrom('session')
    .select('sign_in_id')
    .where('revocation_hash', '=', hashToken(revocation))
    .executeTakeFirst()
  return row?.sign_in_id
}

/** Deletes expired sessions, and the sign-ins without any session. */
export async function sweepSessions(x: Executor, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  await x
    .deleteFrom('session')
    .where((w) =>
      w.or([w('seen_at', '<=', before(idleMs)), w('created_at', '<=', before(absoluteMs))]),
    )
    .execute()
  await sweepSignIns(x, now)
}
