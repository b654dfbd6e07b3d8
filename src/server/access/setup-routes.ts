import { Hono } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import type { Services } from '../services.ts'
import { deviceOf, readTexts } from './routes.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'

/** The calls behind `/configurar`, which need a one-time link instead of a session. */
export function setupRoutes({ auth }: Pick<Services, 'auth'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()

  app.post(`/${ownerCalls.setupCheck}`, async (c) => {
    const [token] = readTexts(await readJson(c), 'token')
    const purpose = await auth.linkPurpose(token)
    if (purpose === undefined) throw new Problem('no-encontrado')
    return c.json({ purpose }, 200, noStore)
  })

  app.post(`/${ownerCalls.setup}`, async (c) => {
    const { userName = '', keepSample = true, ...rest } = await readJson(c)
    const [token, password, name] = readTexts(
      { ...rest, userName },
      'token',
      'password',
      'userName',
    )
    if (typeof keepSample !== 'boolean') {
      throw new Problem('datos-no-validos', { errors: { keepSample: fieldErrors.required } })
    }
    const device = deviceOf(c)
    const link = { token, password, userName: name, keepSample, device }
    const session = await auth.redeemLink(link)
    return c.json(session, 200, noStore)
  })

  return app
}
