import { setTimeout as wait } from 'node:timers/promises'
import { adminRole, type Session } from '#contract/access/session.ts'
import type { Config } from '../config.ts'
import type { Db, Executor } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { Problem, unavailable } from '../problem.ts'
import { createThrottledLog, type Log } from '../log.ts'
import { createFairQueue } from '../edge/fair-queue.ts'
import { createKnownNetworks } from './known-networks.ts'
import { createLoginMemory } from './login-memory.ts'
import { accountOf, canonicalName, findOwner, lockCredentials, type Owner } from './owner.ts'
import type { Passwords } from './password.ts'
import { openSession } from './session.ts'
import { openSignIn } from './sign-in.ts'
import { tooMany } from '../api/rate-limits.ts'
import { forgetHits, forgive, hit } from '../api/throttle.ts'
import { hashToken } from './token.ts'

/*
 * Signing in. Attempts are counted before anything is hashed. An address that tries too often is refused; an account
 * that is tried too often from everywhere is only answered slowly, so that no outsider can lock the owner out. In a
 * crowd those come first who have tried least, counting all addresses near theirs, and before them the networks that
 * the owner has signed in from. An unknown name costs the same work as the owner's.
 */

export interface LoginAttempt {
  readonly userName: string
  readonly password: string
  /** As `clientAddress` tells it. */
  readonly address: string
  /** What the owner recognises the device by in her list. */
  readonly device?: string
}

export interface LoginOptions {
  readonly db: Db
  readonly now: () => Date
  readonly log: Log
  readonly limits: Pick<Config['limits'], 'login' | 'account'>
  readonly passwords: Passwords
  /** Tests replace it and need not wait. */
  readonly pause: (ms: number) => Promise<void>
}

/** One address may try so many accounts' worth of attempts before all its attempts are refused. */
const accountsPerAddress = 6
const slowMs = 1000
/** How many slowed answers may wait at once. */
const maxSlowed = 50
/** How many attempts may wait for the one that is tried. */
const maxWaiting = 20

export const realPause = (ms: number): Promise<void> => wait(ms)

/**
 * The function behind the login form. It throws `Problem` 401 for wrong credentials and 429 for too many attempts, with
 * the seconds to wait.
 */
export function createLogin(options: LoginOptions): (attempt: LoginAttempt) => Promise<Session> {
  const { db, now, log, limits } = options
  const refused = createThrottledLog(log, now)
  const slowDown = createBrake(options.pause)
  const inTurn = createFairQueue(maxWaiting)
  const memory = createLoginMemory(now, limits.login.windowMs)
  const networks = createKnownNetworks(now)
  return async (attempt) => {
    const { address, device = '' } = attempt
    const keys = keysOf(attempt)
    const closedS = memory.waitOf([keys.address, keys.pair])
    if (closedS > 0) throw tooMany(closedS * 1000)
    const isKnown = await networks.has(db, address)
    const rank = isKnown ? 0 : memory.countTry(address)
    const from = address.replace(/\.\d+$/, '.0/24')
    const { owner, isSlow, closed } = await inTurn(rank, () => tryOnce(options, attempt, keys))
    if (closed) {
      // The next attempts are refused from memory and not logged: this line stands for all of them.
      memory.close(closed.key, closed.retryAfterS)
      refused('login', 'throttled', () => ({ outcome: 'throttled', from }))
      throw tooMany(closed.retryAfterS * 1000)
    }
    if (isSlow && !isKnown) await slowDown(owner !== undefined)
    const session =
      owner &&
      (await transact(db, async (t) => {
        // A change of the credentials that came first has ended every other session, and so this one before it began.
        if (!(await lockCredentials(t, owner))) return undefined
        await networks.add(t, address)
        return succeed(t, { owner, device, keys, now: now() })
      }))
    if (!session) {
      refused('login', 'refused', () => ({ outcome: 'refused', from }))
      throw new Problem('credenciales-incorrectas')
    }
    memory.forgive(address)
    log('login', { outcome: 'ok', from, session: hashToken(session.token).slice(0, 8) })
    return session
  }
}

interface Tried {
  readonly owner?: Owner | undefined
  readonly isSlow?: boolean
  /** The key whose attempts are used up, and for how long; nothing was tried then. */
  readonly closed?: { readonly key: string; readonly retryAfterS: number }
}

async function tryOnce(options: LoginOptions, attempt: LoginAttempt, keys: Keys): Promise<Tried> {
  const { db, passwords } = options
  const { isSlow, closed } = await count(options, keys)
  if (closed) return { closed }
  try {
    const owner = await findOwner(db, attempt.userName)
    const isRight = await passwords.verify(attempt.password, owner?.password)
    return { owner: isRight ? owner : undefined, isSlow }
  } catch (error) {
    await takeBack(db, keys) // nothing was tried: a busy server must not use up the owner's attempts
    throw error
  }
}

/** Opens a sign-in with its first session; `device` is what the list of open sessions calls it. */
export async function startSession(
  x: Executor,
  { owner, device, now }: { owner: NamedOwner; device: string; now: Date },
): Promise<Session> {
  const signInId = await openSignIn(x, { ownerId: owner.id, label: device, now })
  return sessionOf(owner, await openSession(x, { signInId, ownerId: owner.id, now }))
}

type NamedOwner = Pick<Owner, 'id' | 'user_name' | 'created_at'>

/** What the browser is given of a session; the token leaves the server here and is stored as a hash only. */
export function sessionOf(owner: NamedOwner, token: string): Session {
  const authorities = [{ authority: adminRole }]
  return { token, userName: owner.user_name, authorities, account: accountOf(owner) }
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

/** The address is counted first, so that a refused attempt leaves no new rows however many names it makes up. */
async function count({ db, now, limits }: LoginOptions, keys: Keys) {
  const { login, account } = limits
  const moment = now()
  const address = { ...login, limit: login.limit * accountsPerAddress, now: moment }
  // One transaction, because each waits for the disk once.
  return transact(db, async (t) => {
    for (const [key, limit] of [
      [keys.address, address],
      [keys.pair, { ...login, now: moment }],
    ] as const) {
      const { allowed, retryAfterS } = await hit(t, key, limit)
      if (!allowed) return { isSlow: false, closed: { key, retryAfterS } }
    }
    const byAccount = await hit(t, keys.account, { ...account, now: moment })
    return { isSlow: !byAccount.allowed }
  })
}

async function succeed(
  t: Executor,
  { owner, device, keys, now }: { owner: Owner; device: string; keys: Keys; now: Date },
): Promise<Session> {
  await takeBack(t, keys)
  await forgetHits(t, keys.pair)
  return startSession(t, { owner, device, now })
}

async function takeBack(x: Executor, keys: Keys): Promise<void> {
  for (const key of [keys.address, keys.pair, keys.account]) await forgive(x, key)
}

/** Delays an answer; when too many wait already, a right attempt goes on and a wrong one is refused. */
function createBrake(pause: (ms: number) => Promise<void>) {
  let waiting = 0
  return async (isRight: boolean): Promise<void> => {
    if (waiting >= maxSlowed) {
      if (isRight) return
      throw unavailable()
    }
    waiting++
    try {
      await pause(slowMs)
    } finally {
      waiting--
    }
  }
}
