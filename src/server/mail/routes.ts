import { Hono } from 'hono'
import { recoverCall, type RecoverOffer } from '#contract/access/recover.ts'
import { maxEmailLength } from '#contract/limits.ts'
import { mailTexts } from '#contract/texts/mail.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { clientAddress } from '../api/guard.ts'
import { countHit } from '../api/rate-limits.ts'
import { transact } from '../db/transact.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { addReset } from './mail-jobs.ts'

/** A new password by mail, where the operator named a mail server. Whoever is named, the answer and the work are the same. */
export function recoverRoutes(services: Services): Hono<AppEnv> {
  const { db, config, jobs, now } = services
  const app = new Hono<AppEnv>()

  app.get(`/${recoverCall}`, (c) =>
    c.json({ byMail: config.smtp !== undefined } satisfies RecoverOffer, 200, noStore),
  )

  app.post(`/${recoverCall}`, async (c) => {
    if (!config.smtp) throw new Problem('no-encontrado')
    const own = { key: `recover:${clientAddress(c, config)}`, ...config.limits.recover }
    await countHit(db, services, own)
    const { userName } = await readJson(c)
    if (typeof userName !== 'string' || userName.length > maxEmailLength) {
      throw new Problem('datos-no-validos', { errors: { userName: fieldErrors.email } })
    }
    await transact(db, (t) => addReset(t, userName, now()))
    jobs.wake()
    return c.json({ mensaje: mailTexts.resetAsked }, 202, noStore)
  })
  return app
}
