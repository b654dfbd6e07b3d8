import { Hono } from 'hono'
import { accessCalls, type OpenSession } from '#contract/access/access.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { dropKept } from './kept-routes.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'

/** The list of her open sessions, and the end of one of them or of all the others. */
export function openSessionRoutes(services: Services): Hono<AppEnv> {
  const { auth } = services
  const app = new Hono<AppEnv>()

  app.get(`/${accessCalls.sessions}`, requireAdmin(services), async (c) => {
    const { signInId } = c.var.session
    const all = await auth.signIns(c.var.session)
    const sessions = all.map((signIn): OpenSession => ({
      ...signIn,
      isOwn: signIn.id === signInId,
    }))
    return c.json(sessions, 200, noStore)
  })

  app.delete(
    `/${accessCalls.sessions}/:id`,
    requireAdmin(services),
    limitWrites(services),
    async (c) => {
      const id = c.req.param('id')
      if (!(await auth.closeSignIn(id))) throw new Problem('no-encontrado')
      if (id === c.var.session.signInId) dropKept(c)
      return c.body(null, 204, noStore)
    },
  )

  return app
}
