import type { MiddlewareHandler } from 'hono'
import { hit } from '../auth/throttle.ts'
import type { Executor } from '../db/tables.ts'
import type { RateLimit } from '../config.ts'
import type { Parts } from '../parts.ts'
import type { AppEnv } from './env.ts'
import { clientAddress } from './guard.ts'
import { Problem } from './problem.ts'

/** Addresses counted at once; beyond that the window starts anew, so that a flood cannot fill the memory. */
const maxAddresses = 100_000

/** Bounds the reads of one address. Counted in memory: a read must not cost a write. */
export function limitReads({
  config,
  now,
}: Pick<Parts, 'config' | 'now'>): MiddlewareHandler<AppEnv> {
  const { limit, windowMs } = config.limits.reads
  const counts = new Map<string, number>()
  let window = 0
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') {
      const time = now().getTime()
      const current = Math.floor(time / windowMs)
      if (current !== window || counts.size > maxAddresses) counts.clear()
      window = current
      const address = clientAddress(c, config)
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      if (count > limit) throw tooMany((current + 1) * windowMs - time)
    }
    await next()
  }
}

/** Bounds the owner's writes; they are counted before they are tried. */
export function limitWrites(
  parts: Pick<Parts, 'config' | 'now' | 'db'>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { db, config } = parts
    await countHit(db, parts, { key: `write:${clientAddress(c, config)}`, ...config.limits.writes })
    await next()
  }
}

/** Counts one more hit on the key. Throws 429 once the limit is passed. */
export async function countHit(
  x: Executor,
  { now }: Pick<Parts, 'now'>,
  { key, limit, windowMs }: RateLimit & { readonly key: string },
): Promise<void> {
  const verdict = await hit(x, key, { limit, windowMs, now: now() })
  if (!verdict.allowed) throw tooMany(verdict.retryAfterS * 1000)
}

/** The refusal of a call that may come again after so long. */
export function tooMany(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem('demasiados-intentos', { headers: { 'retry-after': String(seconds) } })
}
