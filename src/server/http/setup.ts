import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { fieldErrors } from '#contract/texts.ts'
import type { Parts } from '../parts.ts'
import { readTexts } from './auth.ts'
import { readJson } from './body.ts'
import type { AppEnv } from './env.ts'
import { Problem } from './problem.ts'

const noStore = { 'cache-control': 'no-store' }

/** What one-time links do: making the owner, or giving her a new password. */
export function setupRoutes({ auth }: Pick<Parts, 'auth'>): Hono<AppEnv> {
  const app = new Hono<AppEnv>()

  app.post(`/${calls.setupCheck}`, async (c) => {
    const [token] = readTexts(await readJson(c), 'token')
    const purpose = await auth.linkPurpose(token)
    if (purpose === undefined) throw new Problem('no-encontrado')
    return c.json({ purpose }, 200, noStore)
  })

  app.post(`/${calls.setup}`, async (c) => {
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
    const session = await auth.redeemLink({ token, password, userName: name, keepSample })
    return c.json(session, 200, noStore)
  })

  return app
}
