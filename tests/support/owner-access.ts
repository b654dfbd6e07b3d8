import { hourMs, minuteMs } from '#contract/durations.ts'
import { createAuth, type Auth } from '#server/access/auth.ts'
import { argon2id, type Derive } from '#server/access/password.ts'
import type { Config } from '#server/config.ts'
import type { Db, Engine } from '#server/db/tables.ts'
import type { Log } from '#server/log.ts'
import { Problem } from '#server/problem.ts'
import { isPaired, openBeside, openFresh } from './database.ts'
import { owner } from './site.ts'
import { callsInTurns } from './turns.ts'

export const defaultLimits: Pick<Config['limits'], 'login' | 'account'> = {
  login: { limit: 10, windowMs: 15 * minuteMs },
  account: { limit: 100, windowMs: hourMs },
}

/** Two attempts for an address and account, so twelve for an address; six for an account from everywhere. */
export const lowLimits: typeof defaultLimits = {
  login: { limit: 2, windowMs: 15 * minuteMs },
  account: { limit: 6, windowMs: hourMs },
}

/** What one process of a site has of it. */
interface AccessProcess {
  readonly auth: Auth
  readonly db: Db
}

/** The owner's access on a fresh database, with a clock that moves only by hand. */
export interface Access {
  /** Each call is the next process's. */
  readonly auth: Auth
  readonly db: Db
  readonly processes: readonly [AccessProcess, ...AccessProcess[]]
  readonly now: () => Date
  readonly pass: (ms: number) => void
  /** What each hash made so far has cost. */
  readonly hashes: string[]
  /** How long slowed attempts were held back, in milliseconds. */
  readonly pauses: number[]
  readonly events: { readonly event: string; readonly [fact: string]: unknown }[]
}

interface AccessOptions {
  readonly engine?: Engine
  readonly withOwner?: boolean
  readonly limits?: typeof defaultLimits
  /** Replaces the hash function; the real one unless a test is about how often and when it runs. */
  readonly derive?: Derive
  /** What happens while a slowed attempt is held back. */
  readonly meanwhile?: () => Promise<void>
}

/** Opens the access to a site with its owner, or without one. */
export async function openAccess(options: AccessOptions = {}): Promise<Access> {
  const { withOwner = true, limits = defaultLimits, derive = argon2id, meanwhile } = options
  const { engine = isPaired ? 'postgres' : 'sqlite' } = options
  const { db, target } = await openFresh(engine)
  const [hashes, pauses, events]: [string[], number[], Access['events']] = [[], [], []]
  let time = Date.parse('2031-03-01T10:00:00Z')
  const now = () => new Date(time)
  const parts = {
    now,
    log: ((event, facts) => events.push({ event, ...facts })) satisfies Log,
    limits,
    pause: async (ms: number) => {
      pauses.push(ms)
      await meanwhile?.()
    },
    derive: ((input) => {
      hashes.push(`m=${input.memory},t=${input.passes},p=${input.parallelism}`)
      return derive(input)
    }) satisfies Derive,
  }
  const processes: [AccessProcess, ...AccessProcess[]] = [
    { db, auth: createAuth({ ...parts, db }) },
  ]
  if (isPaired && engine === 'postgres') {
    const beside = await openBeside(target)
    processes.push({ db: beside.db, auth: createAuth({ ...parts, db: beside.db }) })
  }
  if (withOwner) await processes[0].auth.createOwner(owner)
  hashes.length = 0
  const [first, ...others] = processes
  const auth = callsInTurns(first.auth, ...others.map((process) => process.auth))
  return { auth, db, processes, now, pass: (ms) => void (time += ms), hashes, pauses, events }
}

/** A hash function that costs nothing, for tests that only count. */
export const quickDerive: Derive = async ({ message, tagLength }) =>
  new Uint8Array(tagLength).fill(message.length)

/** The refusal a promise ends in; throws when it ends otherwise. */
export async function refusalOf(promise: Promise<unknown>): Promise<Problem> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Problem) return outcome
  throw new Error('not refused', { cause: outcome })
}
