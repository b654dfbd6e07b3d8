import { Hono } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import { siteRevision } from '../db/revisions.ts'
import { noStore } from '../edge/shared-cache.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './env.ts'

/**
 * Two questions of whatever watches over the server. Health: does the process answer; if not, start it anew. Readiness:
 * can it answer from its database; if not, send it nobody for now, since a new start would help nothing.
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
