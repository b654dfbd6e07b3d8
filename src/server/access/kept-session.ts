import type { Executor, TableRow } from '../db/tables.ts'
import { openSession } from './session.ts'
import { closeSignIn, isKeptAlive } from './sign-in.ts'
import { hashToken, newToken } from './token.ts'

/*
 * Where the owner keeps her session, a cookie `<sign-in>.<secret>` gives each tab a session of its own and is exchanged for
 * the next one each time. A secret that was exchanged before gives nothing and ends the whole sign-in: two hold it, and the
 * server cannot tell which of them is she. The one exception is an answer that was lost, see `mayRepeat`.
 */

/**
 * Browsers write cookies to the disk with some delay: one that is killed soon after a renewal comes back with the secret
 * before, although its page has used the new session.
 */
const unwrittenMs = 60_000

/** Keeps a sign-in on its device; resolves to the cookie's value, which is stored nowhere. */
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
    })
    .where('id', '=', signInId)
    .execute()
  return `${signInId}.${secret}`
}

/** Keeps it no longer; its sessions go on. */
export async function endKeeping(x: Executor, signInId: string): Promise<void> {
  await x
    .updateTable('sign_in')
    .set({ kept_hash: null, spent_hash: null, renewed_token_hash: null })
    .where('id', '=', signInId)
    .execute()
}

const cookieForm = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

interface KeptCookie {
  readonly signInId: string
  readonly secret: string
}

/** The two halves of a cookie's value; undefined for what never was one. */
export function readKeptCookie(value: string): KeptCookie | undefined {
  const [, signInId, secret] = cookieForm.exec(value) ?? []
  return signInId === undefined || secret === undefined ? undefined : { signInId, secret }
}

/** Whether there is a kept sign-in of that id, before anything is locked or written for a stranger. */
export async function isStillKept(x: Executor, { signInId }: KeptCookie): Promise<boolean> {
  const row = await x
    .selectFrom('sign_in')
    .select('id')
    .where('id', '=', signInId)
    .where('kept_hash', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the cookie is the one that renews now, or the one before it, whose answer may have been lost. */
export async function isOfSecret(x: Executor, { signInId, secret }: KeptCookie): Promise<boolean> {
  const hash = hashToken(secret)
  const row = await x
    .selectFrom('sign_in')
    .select(['kept_hash', 'spent_hash'])
    .where('id', '=', signInId)
    .executeTakeFirst()
  return row?.kept_hash === hash || row?.spent_hash === hash
}

/** What became of a cookie: a new session with the next cookie, or why there is none. */
type Renewal =
  | {
      readonly is: 'renewed'
      readonly ownerId: string
      readonly token: string
      readonly cookie: string
    }
  | { readonly is: 'unknown' }
  /** Somebody else has used it: the sign-in is ended. */
  | { readonly is: 'replayed' }

/** Exchanges a cookie for a session and the next cookie. Meant for a transaction. */
export async function renewSession(x: Executor, given: KeptCookie, now: Date): Promise<Renewal> {
  const row = await lock(x, given.signInId)
  if (!row?.kept_hash) return { is: 'unknown' }
  if (!isKeptAlive(row, now)) {
    await closeSignIn(x, row.id)
    return { is: 'unknown' }
  }
  const hash = hashToken(given.secret)
  const isRepeated = hash === row.spent_hash && mayRepeat(row, now)
  if (hash !== row.kept_hash && !isRepeated) {
    await closeSignIn(x, row.id)
    return { is: 'replayed' }
  }
  if (isRepeated && row.renewed_token_hash !== null) {
    await x.deleteFrom('session').where('token_hash', '=', row.renewed_token_hash).execute()
  }
  const token = await openSession(x, { signInId: row.id, ownerId: row.owner_id, now })
  const secret = newToken()
  await x
    .updateTable('sign_in')
    .set({
      kept_hash: hashToken(secret),
      spent_hash: hash,
      // A repetition does not give itself more time.
      renewed_at: isRepeated ? row.renewed_at : now.toISOString(),
      renewed_token_hash: hashToken(token),
      renewal_used: 0,
      seen_at: now.toISOString(),
    })
    .where('id', '=', row.id)
    .execute()
  return { is: 'renewed', ownerId: row.owner_id, token, cookie: `${row.id}.${secret}` }
}

/**
 * Whether the secret before is taken once more, because its answer was lost: nobody has used what that answer brought, or it
 * is so fresh that the browser may not have written it down. What it brought then ends. So of two who hold the same secret
 * only the later goes on, and what the earlier one does next ends the sign-in for both.
 */
function mayRepeat({ renewal_used, renewed_at }: TableRow<'sign_in'>, now: Date): boolean {
  const age = Math.abs(now.getTime() - Date.parse(renewed_at ?? ''))
  return renewal_used === 0 || age < unwrittenMs
}

/** The row as it is now and stays until this transaction ends: of two that come at once, the second waits for the first. */
function lock(x: Executor, id: string): Promise<TableRow<'sign_in'> | undefined> {
  return x
    .updateTable('sign_in')
    .set(({ ref }) => ({ renewed_at: ref('renewed_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
