import { adminRole } from '#contract/session.ts'
import type { Executor, Row } from '../db/tables.ts'
import { hashToken, newToken } from './token.ts'

/** Who makes a call, as far as the server knows. */
export interface SessionInfo {
  readonly ownerId: string
  readonly userName: string
  readonly role: string
  /** SHA-256 of the token, in hex: the token itself is kept nowhere. */
  readonly tokenHash: string
}

const dayMs = 24 * 60 * 60_000
/** A session ends after this long without a call … */
const idleMs = 7 * dayMs
/** … and after this long in any case. */
const absoluteMs = 30 * dayMs
/** How fresh `seen_at` is kept: not every call costs a write. */
const seenEveryMs = 5 * 60_000
const maxSessions = 20

/** The token of a new session; beyond the number kept, the one unused for longest ends. */
export async function openSession(x: Executor, ownerId: string, now: Date): Promise<string> {
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
    })
    .execute()
  await x
    .deleteFrom('session')
    .where('owner_id', '=', ownerId)
    .where('token_hash', '!=', token_hash)
    .where('token_hash', 'not in', (q) =>
      q
        .selectFrom('session')
        .select('token_hash')
        .where('owner_id', '=', ownerId)
        .where('token_hash', '!=', token_hash)
        .orderBy('seen_at', 'desc')
        .orderBy('token_hash')
        .limit(maxSessions - 1),
    )
    .execute()
  return token
}

/** The living session of a token, marked as seen now. */
export async function findSession(
  x: Executor,
  token: string,
  now: Date,
): Promise<SessionInfo | undefined> {
  const row = await x
    .selectFrom('session')
    .innerJoin('owner', 'owner.id', 'session.owner_id')
    .select(['token_hash', 'owner_id', 'user_name', 'role', 'session.created_at', 'seen_at'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!row || !isAlive(row, now)) return undefined
  // The clock may have been set back, so a moment in the future is put right too.
  if (Math.abs(now.getTime() - Date.parse(row.seen_at)) >= seenEveryMs) {
    await markSeen(x, row.token_hash, now)
  }
  return {
    ownerId: row.owner_id,
    userName: row.user_name,
    role: row.role,
    tokenHash: row.token_hash,
  }
}

function isAlive(row: Pick<Row<'session'>, 'created_at' | 'seen_at'>, now: Date): boolean {
  const time = now.getTime()
  return time - Date.parse(row.seen_at) < idleMs && time - Date.parse(row.created_at) < absoluteMs
}

async function markSeen(x: Executor, tokenHash: string, now: Date): Promise<void> {
  await x
    .updateTable('session')
    .set({ seen_at: now.toISOString() })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends a session; the devices it put on the list are rung no more. Meant for a transaction. */
export async function closeSession(x: Executor, tokenHash: string): Promise<void> {
  await x.deleteFrom('device').where('session_hash', '=', tokenHash).execute()
  await x.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/**
 * Ends every session of the owner, but for the one to keep. The devices of the others are rung no more: whoever is shut
 * out must not go on reading messages on a screen. One of hers comes back when she signs in there.
 */
export async function closeSessions(x: Executor, ownerId: string, keep = ''): Promise<void> {
  await x.deleteFrom('device').where('session_hash', '!=', keep).execute()
  await x
    .deleteFrom('session')
    .where('owner_id', '=', ownerId)
    .where('token_hash', '!=', keep)
    .execute()
}

/** Deletes the sessions that have ended by themselves. */
export async function sweepSessions(x: Executor, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  await x
    .deleteFrom('session')
    .where((w) =>
      w.or([w('seen_at', '<=', before(idleMs)), w('created_at', '<=', before(absoluteMs))]),
    )
    .execute()
}
