import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { checkSettings } from '#contract/setting-kinds.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { readSettings, writeSettings } from '../db/content.ts'
import { listRevision } from '../db/revisions.ts'
import type { Parts } from '../parts.ts'
import { readJson } from './body.ts'
import { valueOf } from './checked.ts'
import type { AppEnv } from './env.ts'
import { answerFresh, listTag } from './etag.ts'
import { requireAdmin } from './guard.ts'
import { answerOnce } from './idempotency.ts'
import { limitWrites } from './rate-limits.ts'

/** The site's settings: all of them for everybody, some or all written by the owner. */
export function configRoutes(parts: Parts): Hono<AppEnv> {
  const { db } = parts
  const app = new Hono<AppEnv>()

  app.get(`/${calls.config}`, async (c) => {
    const tag = listTag('settings', await listRevision(db, 'settings'))
    return answerFresh(c, tag, async () => JSON.stringify(await readSettings(db)))
  })

  app.put(`/${calls.config}`, requireAdmin(parts), limitWrites(parts), async (c) => {
    const sent = await readJson(c)
    const patch = valueOf(checkSettings(sent))
    return answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        await writeSettings(t, patch)
        return { status: 200, body: { ...(await readSettings(t)), mensaje: ownerTexts.saved } }
      },
    })
  })

  return app
}
