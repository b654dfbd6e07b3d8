import { Hono } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import { siteRevision } from '../db/revisions.ts'
import { noStore } from '../edge/shared-cache.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'

/**
 * Health tells whether the process answers; if not, restart it. Readiness tells whether it can answer from its
 * database; if not, send no visitors for now, since a restart would not help.
 */
export function healthRoutes({ db, room }: Pick<Services, 'db' | 'room'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${ownerCalls.health}`, (c) => c.json({ status: 'ok' }, 200, noStore))
  app.get(`/${ownerCalls.ready}`, async (c) => {
    await siteRevision(db)
    return c.json({ status: 'ok', disk: room?.isScarce() ? 'full' : 'ok' }, 200, noStore)
  })
  return app
}
