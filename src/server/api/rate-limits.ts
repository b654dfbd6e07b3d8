import { setImmediate } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { hit } from './throttle.ts'
import type { Executor } from '../db/tables.ts'
import type { RateLimit } from './limits.ts'
import type { Services } from '../services.ts'
import { createTally, restOf, type CountCall } from '../edge/address-counts.ts'
import { createFairQueue } from '../edge/fair-queue.ts'
import type { AppEnv } from './env.ts'
import { clientAddress } from './guard.ts'
import { Problem } from '../problem.ts'

/** Middleware that counts reads by address before any work and answers 429 to too many. */
export function limitReads(
  { config }: Pick<Services, 'config'>,
  count: CountCall,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') {
      const waitMs = count(clientAddress(c, config))
      if (waitMs > 0) throw tooMany(waitMs)
    }
    await next()
  }
}

/**
 * Bounds what one address posts anonymously: sign-ins, messages, links. A post is counted before any of its body is
 * read, so that bad ones count too. However many come at once, each turn of the event loop starts the one whose
 * address has posted least, and everybody else is answered in between.
 */
export function limitPosts(
  { config, now }: Pick<Services, 'config' | 'now'>,
  { limit, windowMs } = config.limits.posts,
): MiddlewareHandler<AppEnv> {
  const countPost = createTally(windowMs, now)
  // The listener bounds how many calls there are at once, and a caller who is gone leaves at the next turn, so the
  // queue needs no bound of its own.
  const inTurn = createFairQueue(Infinity)
  return async (c, next) => {
    if (c.req.method === 'POST') {
      const posts = countPost(clientAddress(c, config))
      if (posts > limit) throw tooMany(restOf(windowMs, now))
      const isGone = () => c.env?.outgoing?.destroyed
      await inTurn(posts, async () => void (isGone() || (await setImmediate())), isGone)
      // The caller is gone and does not read this answer.
      if (isGone()) return c.body(null, 400)
    }
    return next()
  }
}

/** Writes are counted before they are tried. */
export function limitWrites(
  services: Pick<Services, 'config' | 'now' | 'db'>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { db, config } = services
    await countHit(db, services, {
      key: `write:${clientAddress(c, config)}`,
      ...config.limits.writes,
    })
    await next()
  }
}

/** Throws 429 once the limit is passed. */
export async function countHit(
  x: Executor,
  { now }: Pick<Services, 'now'>,
  { key, limit, windowMs }: RateLimit & { readonly key: string },
): Promise<void> {
  const verdict = await hit(x, key, { limit, windowMs, now: now() })
  if (!verdict.allowed) throw tooMany(verdict.retryAfterS * 1000)
}

/** The `Problem` 429 with the seconds to wait, of which there is at least one. */
export function tooMany(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem('demasiados-intentos', { headers: { 'retry-after': String(seconds) } })
}
