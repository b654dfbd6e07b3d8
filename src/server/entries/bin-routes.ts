import { Hono } from 'hono'
import { entryToJson } from '#contract/api.ts'
import { binCall, type BinnedEntry } from '#contract/entries/bin.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { behindIn } from '#contract/entries/hidden.ts'
import type { AppEnv } from '../api/env.ts'
import { namedVersion } from '../api/etag.ts'
import { requireAdmin } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { rejectWhenReadOnly } from '../api/maintenance.ts'
import { limitWrites } from '../api/rate-limits.ts'
import {
  binnedPictures,
  endOfBin,
  eraseFromBin,
  fieldsIn,
  findInBin,
  readBin,
  type BinnedRow,
} from '../db/bin.ts'
import { listPositions } from '../db/entry-rows.ts'
import { emptyLog } from '../db/sqlite-file.ts'
import { livedUntil } from '../db/lived-days.ts'
import type { Executor } from '../db/tables.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** Lists deleted entries and deletes one for good; restoring belongs to the section's calls. */
export function binRoutes(services: Services): Hono<AppEnv> {
  const { db, engine, images, log, now } = services
  const app = new Hono<AppEnv>()

  app.get(`/${binCall}`, requireAdmin(services), async (c) => {
    // The daily sweep may not have run yet.
    const end = endOfBin(await livedUntil(db, now()))
    const rows = (await readBin(db)).filter(({ removed_at }) => removed_at >= end)
    const pictures = await binnedPictures(db, rows)
    const weigh = await images.weighRemovable(pictures)
    const lists = await Promise.all(
      sections.map((section) => binnedOf(db, { section, rows, weigh })),
    )
    const latestFirst = lists.flat().toSorted((a, b) => b.removedAt.localeCompare(a.removedAt))
    return c.json(latestFirst, 200, noStore)
  })

  app.delete(
    `/${binCall}/:section/:id`,
    requireAdmin(services),
    limitWrites(services),
    rejectWhenReadOnly(services),
    async (c) => {
      const erased = { kind: c.req.param('section'), id: c.req.param('id') }
      const version = namedVersion(c)
      const row = (await readBin(db)).find(
        ({ kind, id }) => kind === erased.kind && id === erased.id,
      )
      const pictures = row ? await binnedPictures(db, [row]) : []
      const answer = await idempotent(c, services, {
        effect: async (t) => {
          if (await eraseFromBin(t, { ...erased, version })) {
            return { status: 200, body: { mensaje: binTexts.erased } }
          }
          // The entry was deleted again since with other texts, which the caller has not seen.
          throw new Problem((await findInBin(t, erased)) ? 'version-cambiada' : 'no-encontrado')
        },
      })
      for (const former of pictures) {
        // A file that stays behind goes with a later sweep.
        await images
          .removeUnshown(former)
          .catch((error: unknown) => log('pictures-not-removed', { error: String(error) }))
      }
      await emptyLog(db, engine).catch((error: Error) =>
        log('log-not-emptied', { error: error.message }),
      )
      return answer
    },
  )

  return app
}

/** The section's deleted entries, each with the entry that it stood behind. */
async function binnedOf(
  x: Executor,
  {
    section,
    rows: all,
    weigh,
  }: {
    readonly section: Section
    readonly rows: readonly BinnedRow[]
    readonly weigh: (id: string) => number
  },
): Promise<readonly BinnedEntry[]> {
  const rows = all.filter(({ kind }) => kind === section.key)
  if (rows.length === 0) return []
  const present = await listPositions(x, section)
  return rows.map((row) => {
    const { id, version, position } = row
    const place = present.findLastIndex(
      (other) => other.position < position || (other.position === position && other.id < id),
    )
    return {
      section: section.key,
      removedAt: row.removed_at,
      bytes: weigh(id),
      behind: behindIn(present, place + 1),
      entry: entryToJson({ id, version, fields: fieldsIn(row) }),
    }
  })
}
