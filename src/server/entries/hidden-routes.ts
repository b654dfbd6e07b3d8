import { Hono } from 'hono'
import { entryToJson } from '#contract/api.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { behindIn, hiddenCall, isHidden, type SentHiddenEntry } from '#contract/entries/hidden.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { listEntries } from '../db/entries.ts'
import type { Executor } from '../db/tables.ts'
import type { Services } from '../services.ts'
import { noStore } from '../edge/shared-cache.ts'

/**
 * Hidden entries have a call of their own: the lists answer the same to everybody, so that no cache of them can hold
 * more than a visitor may read.
 */
export function hiddenRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`/${hiddenCall}`, requireAdmin(services), async (c) => {
    const lists = await Promise.all(sections.map((section) => hiddenOf(services.db, section)))
    return c.json(lists.flat(), 200, noStore)
  })
  return app
}

async function hiddenOf(x: Executor, section: Section): Promise<readonly SentHiddenEntry[]> {
  const entries = await listEntries(x, section)
  const places = entries.map((entry) => ({ id: entry.id, isHidden: isHidden(entry) }))
  return entries.flatMap((entry, index) =>
    isHidden(entry)
      ? [{ section: section.key, behind: behindIn(places, index), entry: entryToJson(entry) }]
      : [],
  )
}
