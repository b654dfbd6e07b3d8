import { setTimeout as wait } from 'node:timers/promises'
import { adminRole, type Session } from '#contract/session.ts'
import type { Config } from '../config.ts'
import type { Db, Executor } from '../db/tables.ts'
import { Problem } from '../http/problem.ts'
import type { Log } from '../log.ts'
import { canonicalName, findOwner, type Owner } from './owner.ts'
import type { Passwords } from './password.ts'
import { openSession } from './session.ts'
import { forget, forgive, hit } from './throttle.ts'
import { hashToken } from './token.ts'

/*
 * Signing in. Attempts are counted before anything is hashed. An address that tries too often is refused; an account
 * that is tried too often from everywhere is only answered slowly, so that no outsider can lock the owner out.
 * A name nobody has costs the same work as the owner's.
 */

export interface LoginAttempt {
  readonly userName: string
  readonly password: string
  /** Where it comes from, as `clientAddress` tells. */
  readonly address: string
}

export interface LoginParts {
  readonly db: Db
  readonly now: () => Date
  readonly log: Log
  readonly limits: Pick<Config['limits'], 'login' | 'account'>
  readonly passwords: Passwords
  /** Resolves after so many milliseconds; a test need not wait. */
  readonly pause: (ms: number) => Promise<void>
}

/** One address may try so many accounts' worth of attempts before all its attempts are refused. */
const accountsPerAddress = 6
const slowMs = 1000
/** How many slowed attempts may wait at once; one more is told to come back. */
const maxSlowed = 50

export const realPause = (ms: number): Promise<void> => wait(ms)

/** The function that answers login attempts; see `Auth.login`. */
export function createLogin(parts: LoginParts): (attempt: LoginAttempt) => Promise<Session> {
  const { db, now, log, passwords } = parts
  const slowDown = createBrake(parts.pause)
  return async (attempt) => {
    const keys = keysOf(attempt)
    const from = attempt.address.replace(/\.\d+$/, '.0/24')
    const { isSlow, retryAfterS } = await count(parts, keys)
    if (retryAfterS > 0) {
      log('login', { outcome: 'throttled', from })
      refuseFor(retryAfterS)
    }
    let owner: Owner | undefined
    try {
      if (isSlow) await slowDown()
      owner = await findOwner(db, attempt.userName)
      if (!(await passwords.verify(attempt.password, owner?.password))) owner = undefined
    } catch (error) {
      await takeBack(db, keys) // nothing was tried: a busy server must not use up the owner's attempts
      throw error
    }
    if (!owner) {
      log('login', { outcome: 'refused', from })
      throw new Problem('credenciales-incorrectas')
    }
    const session = await succeed(db, { owner, keys, now: now() })
    log('login', { outcome: 'ok', from, session: hashToken(session.token).slice(0, 8) })
    return session
  }
}

/** A new session in the form the login answers. */
export async function startSession(
  x: Executor,
  owner: Pick<Owner, 'id' | 'user_name'>,
  now: Date,
): Promise<Session> {
  const token = await openSession(x, owner.id, now)
  return { token, userName: owner.user_name, authorities: [{ authority: adminRole }] }
}

/** Throws 429 for a refused attempt. */
export function refuseFor(retryAfterS: number): never {
  throw new Problem('demasiados-intentos', { headers: { 'retry-after': String(retryAfterS) } })
}

interface Keys {
  readonly pair: string
  readonly address: string
  readonly account: string
}

function keysOf({ userName, address }: LoginAttempt): Keys {
  const account = hashToken(canonicalName(userName))
  return {
    pair: `login:${address}:${account}`,
    address: `login:${address}`,
    account: `login:*:${account}`,
  }
}

/** Counts the attempt; the address comes first, so that a refused one leaves no new rows however many names it makes up. */
async function count({ db, now, limits }: LoginParts, keys: Keys) {
  const { login, account } = limits
  const moment = now()
  const address = { ...login, limit: login.limit * accountsPerAddress, now: moment }
  // One transaction, because each waits for the disk once.
  return db.transaction().execute(async (t) => {
    const byAddress = await hit(t, keys.address, address)
    if (!byAddress.allowed) return { isSlow: false, retryAfterS: byAddress.retryAfterS }
    const byPair = await hit(t, keys.pair, { ...login, now: moment })
    if (!byPair.allowed) return { isSlow: false, retryAfterS: byPair.retryAfterS }
    const byAccount = await hit(t, keys.account, { ...account, now: moment })
    return { isSlow: !byAccount.allowed, retryAfterS: 0 }
  })
}

function succeed(
  db: Db,
  { owner, keys, now }: { owner: Owner; keys: Keys; now: Date },
): Promise<Session> {
  return db.transaction().execute(async (t) => {
    await takeBack(t, keys)
    await forget(t, keys.pair)
    return startSession(t, owner, now)
  })
}

async function takeBack(x: Executor, keys: Keys): Promise<void> {
  for (const key of [keys.address, keys.pair, keys.account]) await forgive(x, key)
}

function createBrake(pause: (ms: number) => Promise<void>): () => Promise<void> {
  let waiting = 0
  return async () => {
    if (waiting >= maxSlowed)
      throw new Problem('no-disponible', { headers: { 'retry-after': '5' } })
    waiting++
    try {
      await pause(slowMs)
    } finally {
      waiting--
    }
  }
}
