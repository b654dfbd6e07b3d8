import { Hono } from 'hono'
import { calls } from '#contract/api.ts'
import { ageOn } from '#contract/settings/age.ts'
import { checkSettings } from '#contract/settings/kinds.ts'
import { isPrivate, ownKeys, privateKeys, settingKeys } from '#contract/settings/defaults.ts'
import { settingTag } from '#contract/settings/tag.ts'
import type { OwnKey } from '#contract/settings/settings.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import {
  readPrivate,
  readSetting,
  readSettings,
  writeSetting,
  writeSettings,
} from '../db/settings.ts'
import { noteChange } from '../db/last-changes.ts'
import { listRevision } from '../db/revisions.ts'
import type { Executor } from '../db/tables.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import { madeBy, withLastChange } from '../api/row-or-throw.ts'
import { valueOrThrow } from '../api/checked.ts'
import type { AppEnv } from '../api/env.ts'
import { answerFresh, includesTag, listTag } from '../api/etag.ts'
import { requireAdmin } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'

/** The site's settings: all of them for everybody, some or all written by the owner. */
export function configRoutes(services: Services): Hono<AppEnv> {
  const { db, now } = services
  const app = new Hono<AppEnv>()

  app.get(`/${calls.config}`, async (c) => {
    const revision = await listRevision(db, 'settings')
    const today = now()
    const birth = await readPrivate(db, 'birth_date')
    // The age changes by itself.
    const kind = birth === '' ? 'settings' : `settings-${ageOn(birth, today)}`
    return answerFresh(c, listTag(kind, revision), async () =>
      JSON.stringify(await readSettings(db, today)),
    )
  })

  app.put(`/${calls.config}`, requireAdmin(services), limitWrites(services), async (c) => {
    const sent = await readJson(c)
    const patch = valueOrThrow(checkSettings(sent))
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        await writeSettings(t, patch)
        for (const key of settingKeys.filter((one) => one in patch)) {
          await noteChange(t, thingOf(key), madeBy(c, services))
        }
        return {
          status: 200,
          body: { ...(await readSettings(t, now())), mensaje: ownerTexts.saved },
        }
      },
    })
  })

  // Before the others by name: a session that has ended is to be renewed, not told that nothing is there.
  for (const key of privateKeys) {
    app.get(`/${calls.config}/${key}`, requireAdmin(services), async (c) => {
      const value = await readSetting(db, key, now())
      return c.json({ [key]: value }, 200, { ...noStore, etag: settingTag(value) })
    })
  }

  app.get(`/${calls.config}/:key`, async (c) => {
    const key = keyOf(c.req.param('key'))
    const value = await readSetting(db, key, now())
    return answerFresh(c, settingTag(value), () => JSON.stringify({ [key]: value }))
  })

  app.put(`/${calls.config}/:key`, requireAdmin(services), limitWrites(services), async (c) => {
    const key = keyOf(c.req.param('key'))
    const sent = await readJson(c)
    const patch = valueOrThrow(checkSettings({ [key]: sent[key] }, [key]))
    const match = c.req.header('if-match')?.trim()
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        const value = await writeSetting(t, {
          key,
          patch,
          now: now(),
          mayReplace: (current) => mayReplace(t, current),
        })
        await noteChange(t, thingOf(key), madeBy(c, services))
        const headers = { etag: settingTag(value) }
        // What everybody reads of it from now on.
        const shown = isPrivate(key) && { age_text: await readSetting(t, 'age_text', now()) }
        const body = { [key]: value, ...shown, mensaje: ownerTexts.saved }
        return { status: 200, headers, body }
      },
    })

    /** Throws 412 with the present value when another one was named. */
    async function mayReplace(t: Executor, value: string): Promise<void> {
      const tag = settingTag(value)
      if (match === undefined || match === '*' || includesTag(match, tag)) return
      const current = await withLastChange(t, thingOf(key), { [key]: value })
      throw new Problem('version-cambiada', { current, headers: { etag: tag } })
    }
  })

  return app
}

const thingOf = (key: OwnKey) => ({ kind: 'settings', id: key })

function keyOf(name: string): OwnKey {
  const key = ownKeys.find((known) => known === name)
  if (key === undefined) throw new Problem('no-encontrado')
  return key
}
