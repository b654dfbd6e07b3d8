import type { Executor, TableRow } from '../db/tables.ts'
import { openSession } from './session.ts'
import { closeSignIn, isKeptAlive } from './sign-in.ts'
import { hashToken, newToken } from './token.ts'

/*
 * Where the owner keeps her session, a cookie `<sign-in>.<secret>` gives each tab a session of its own and is
 * exchanged for the next one each time. A secret that was exchanged before ends the whole sign-in: two parties hold
 * it, and the server cannot tell which of them is she. The one exception is an answer that was lost, see `mayRepeat`.
 */

/**
 * Browsers write cookies to the disk with some delay: one that is killed soon after a renewal comes back with the
 * secret before, although its page has used the new session; where tabs have renewed in turn, with that of any tab.
 */
const unwrittenMs = 60_000

/** A secret that was exchanged, when it first was, and the session that it gave last. */
interface Exchange {
  readonly spent_hash: string
  readonly renewed_at: string
  readonly renewed_token_hash: string
}

/** Resolves to the cookie's value, which is stored nowhere. */
export async function keepSession(x: Executor, signInId: string, now: Date): Promise<string> {
  const secret = newToken()
  await x
    .updateTable('sign_in')
    .set({
      kept_hash: hashToken(secret),
      spent_hash: null,
      renewed_at: now.toISOString(),
      renewed_token_hash: null,
      renewal_used: 0,
      earlier_renewals: '[]',
    })
    .where('id', '=', signInId)
    .execute()
  return `${signInId}.${secret}`
}

/** Its sessions go on. */
export async function endKeeping(x: Executor, signInId: string): Promise<void> {
  await x
    .updateTable('sign_in')
    .set({ kept_hash: null, spent_hash: null, renewed_token_hash: null, earlier_renewals: '[]' })
    .where('id', '=', signInId)
    .execute()
}

const cookieForm = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

interface KeptCookie {
  readonly signInId: string
  readonly secret: string
}

/** Undefined for a text that is no such cookie. */
export function readKeptCookie(value: string): KeptCookie | undefined {
  const [, signInId, secret] = cookieForm.exec(value) ?? []
  return signInId === undefined || secret === undefined ? undefined : { signInId, secret }
}

/** Asked before anything is locked or written, since the call may be a stranger's. */
export async function isStillKept(x: Executor, { signInId }: KeptCookie): Promise<boolean> {
  const row = await x
    .selectFrom('sign_in')
    .select('id')
    .where('id', '=', signInId)
    .where('kept_hash', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the cookie is the current one, or one before it that a browser may have been left with. */
export async function isOfSecret(x: Executor, { signInId, secret }: KeptCookie): Promise<boolean> {
  const hash = hashToken(secret)
  const row = await x
    .selectFrom('sign_in')
    .selectAll()
    .where('id', '=', signInId)
    .executeTakeFirst()
  return row !== undefined && (row.kept_hash === hash || placeOf(hash, lineOf(row)) !== -1)
}

/** A new session with the next cookie, or the reason why there is none. */
type Renewal =
  | { readonly is: 'renewed'; readonly token: string; readonly cookie: string }
  | { readonly is: 'unknown' }
  /** Over by this clock, which may be wrong: it renews nothing now, and is there until the daily sweep takes it. */
  | { readonly is: 'overdue' }
  /** Somebody else has used it: the sign-in is ended. */
  | { readonly is: 'replayed' }

/** Exchanges a cookie for a session and the next cookie. Meant for a transaction. */
export async function renewSession(x: Executor, given: KeptCookie, now: Date): Promise<Renewal> {
  const row = await lock(x, given.signInId)
  if (!row?.kept_hash) return { is: 'unknown' }
  const hash = hashToken(given.secret)
  const line = lineOf(row)
  const place = placeOf(hash, line)
  const repeated = line[place]
  const isRepeated = repeated !== undefined && mayRepeat(row, repeated, now)
  if (hash !== row.kept_hash && !isRepeated) {
    await closeSignIn(x, row.id)
    return { is: 'replayed' }
  }
  if (!isKeptAlive(row, now)) return { is: 'overdue' }
  const before = isRepeated ? line.slice(0, place) : line
  for (const { renewed_token_hash } of line.slice(before.length)) {
    await x.deleteFrom('session').where('token_hash', '=', renewed_token_hash).execute()
  }
  const token = await openSession(x, { signInId: row.id, ownerId: row.owner_id, now })
  const secret = newToken()
  await x
    .updateTable('sign_in')
    .set({
      kept_hash: hashToken(secret),
      spent_hash: hash,
      // A repetition does not give itself more time.
      renewed_at: isRepeated ? repeated.renewed_at : now.toISOString(),
      renewed_token_hash: hashToken(token),
      renewal_used: 0,
      earlier_renewals: JSON.stringify(before.filter((earlier) => isUnwritten(earlier, now))),
      seen_at: now.toISOString(),
    })
    .where('id', '=', row.id)
    .execute()
  return { is: 'renewed', token, cookie: `${row.id}.${secret}` }
}

/** The exchanges that led to the current secret, oldest first, as far as they are remembered. */
function lineOf(row: TableRow<'sign_in'>): readonly Exchange[] {
  const { spent_hash, renewed_at, renewed_token_hash } = row
  if (spent_hash === null || renewed_at === null || renewed_token_hash === null) return []
  const earlier = JSON.parse(row.earlier_renewals) as readonly Exchange[]
  return [...earlier, { spent_hash, renewed_at, renewed_token_hash }]
}

function placeOf(hash: string, line: readonly Exchange[]): number {
  return line.findIndex(({ spent_hash }) => spent_hash === hash)
}

/**
 * Whether a secret is taken once more because its answer was lost: the answer was the last, and its session was never
 * used, or it is so fresh that the browser may not have written the cookie to disk. That session then ends with those
 * that came of it, and their secrets are forgotten. So of two parties that hold the same secret only the later goes
 * on, and the next call of the earlier one ends the sign-in for both.
 */
function mayRepeat(row: TableRow<'sign_in'>, exchange: Exchange, now: Date): boolean {
  const isUnused = exchange.spent_hash === row.spent_hash && row.renewal_used === 0
  return isUnused || isUnwritten(exchange, now)
}

function isUnwritten({ renewed_at }: Exchange, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(renewed_at)) < unwrittenMs
}

/** Locks the row until this transaction ends: of two renewals at once, the second waits for the first. */
function lock(x: Executor, id: string): Promise<TableRow<'sign_in'> | undefined> {
  return x
    .updateTable('sign_in')
    .set(({ ref }) => ({ renewed_at: ref('renewed_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
