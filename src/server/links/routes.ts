import { Hono } from 'hono'
import { linksCall, type LinkStatus } from '#contract/links.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { readSite } from '../db/site-data.ts'
import { visitorsSite } from '../pages/hidden.ts'
import type { Services } from '../services.ts'
import { isDead, readLooks } from './guard.ts'
import { publicLinks } from './public-links.ts'
import { noStore } from '../edge/shared-cache.ts'

/** Which of the site's links lead nowhere, for the owner. */
export function linkRoutes(services: Services): Hono<AppEnv> {
  const { db, now } = services
  const app = new Hono<AppEnv>()
  app.get(`/${linksCall}`, requireAdmin(services), async (c) => {
    const looks = await readLooks(db)
    const links = publicLinks(visitorsSite(await readSite(db)), now())
    const moments = [...looks.values()].map((look) => look.looked_at)
    const answer: LinkStatus = {
      dead: links.flatMap(({ key, link, places }) => {
        const look = looks.get(key)
        return look && isDead(look) ? [{ link, places, since: look.failed_since ?? '' }] : []
      }),
      lookedAt: moments.toSorted().at(-1) ?? null,
    }
    return c.json(answer, 200, noStore)
  })
  return app
}
