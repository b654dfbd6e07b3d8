import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { siteRevision } from '../db/revisions.ts'
import type { Parts } from '../parts.ts'
import type { AppEnv } from './env.ts'

/** Whether the server can answer from its database, for whatever watches over it. */
export function healthRoutes({ db }: Pick<Parts, 'db'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${calls.health}`, async (c) => {
    await siteRevision(db)
    return c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' })
  })
  return app
}
