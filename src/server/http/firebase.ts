import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { ownerToken } from '../firebase/owner-token.ts'
import type { Parts } from '../parts.ts'
import type { AppEnv } from './env.ts'
import { requireAdmin } from './guard.ts'
import { Problem } from './problem.ts'
import { limitWrites } from './rate-limits.ts'

/** `POST firebase/token`: what the owner's page signs in with at Firebase; 404 on a site without a service account. */
export function firebaseRoutes(parts: Parts): Hono<AppEnv> {
  const { config, now } = parts
  const app = new Hono<AppEnv>()
  app.post(`/${calls.firebaseToken}`, requireAdmin(parts), limitWrites(parts), async (c) => {
    if (!config.firebase) throw new Problem('no-encontrado')
    const token = await ownerToken(config.firebase, now())
    return c.json({ token }, 200, { 'cache-control': 'no-store' })
  })
  return app
}
