import { Hono } from 'hono'
import { isEntryId, type SiteData } from '#contract/api.ts'
import { withoutHidden } from '#contract/entries/hidden.ts'
import { parseKept, type KeptResume } from '#contract/resume/kept.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { resumeOf } from '#contract/resume/resume.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { readSite } from '../db/site-data.ts'
import {
  countResumes,
  dropKeptResume,
  keepResume,
  listKeptResumes,
  mostKeptParts,
} from '../db/kept-resumes.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { rejectWhenReadOnly } from '../api/maintenance.ts'
import { limitWrites } from '../api/rate-limits.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** The owner's whole résumé, with what imports kept of it; and the keeping. */
export function resumeRoutes(services: Services): Hono<AppEnv> {
  const { db, config, now } = services
  const app = new Hono<AppEnv>()
  const guards = [
    requireAdmin(services),
    limitWrites(services),
    rejectWhenReadOnly(services),
  ] as const

  app.get(`/${resumeCalls.resume}`, requireAdmin(services), async (c) => {
    const [site, kept] = await Promise.all([readSite(db, undefined, now()), listKeptResumes(db)])
    // A résumé is made to be handed on; what is hidden is in the backups.
    const shown = withoutHidden(site)
    const resume = resumeOf(shown, { publicUrl: config.publicUrl, kept: kept.map(made(site)) })
    return c.json(resume, 200, noStore)
  })

  app.put(`/${resumeCalls.kept}/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    const sent = await readJson(c)
    const { said } = sent
    if (
      typeof said !== 'string' ||
      !said.isWellFormed() ||
      said.includes('\0') ||
      !parseKept(said)
    ) {
      throw new Problem('datos-no-validos', { errors: { said: fieldErrors.unreadable } })
    }
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        await keepResume(t, { id, said, made_at: now().toISOString() })
        // Only now: keeping one waits for whoever keeps another in this moment.
        if ((await countResumes(t)) > mostKeptParts) throw new Problem('demasiado-grande')
        return { status: 200, body: { id } }
      },
    })
  })

  app.delete(`/${resumeCalls.kept}/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    return idempotent(c, services, {
      effect: async (t) => {
        await dropKeptResume(t, id)
        return { status: 200, body: { id } }
      },
    })
  })

  return app
}

/** What was kept, once its entries are made: an item whose entry is hidden waits no more, and speaks for nobody. */
function made({ entries }: SiteData) {
  const ids = new Set(Object.values(entries).flatMap((list) => list.map(({ id }) => id)))
  return ({ items, ...kept }: KeptResume): KeptResume => ({
    ...kept,
    items: items.map(({ isWaiting, ...item }) => {
      const isMade = item.ids.some((id) => id !== null && ids.has(id))
      return { ...item, ...(isWaiting && !isMade && { isWaiting }) }
    }),
  })
}

function idOf(id: string): string {
  if (!isEntryId(id)) throw new Problem('no-encontrado')
  return id
}
