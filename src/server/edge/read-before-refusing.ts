import type { MiddlewareHandler } from 'hono'
import { discard } from '../images/receive.ts'
import type { AppEnv } from '../api/env.ts'

/** A refusal sent while the body still arrives is lost, so the rest is read first, up to a bound. */
export const readBeforeRefusing: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status < 400) return
  const { body, bodyUsed } = c.req.raw
  if (body && !bodyUsed && !body.locked) await discard(body)
}
