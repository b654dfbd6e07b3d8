import { Hono } from 'hono'
import type { Fields, FieldValues } from '#contract/fields.ts'
import { historyCall, type EarlierVersion, type History } from '#contract/entries/history.ts'
import { ownPersonFields, saidFields } from '#contract/entries/own-fields.ts'
import { sections } from '#contract/sections/index.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { readEarlier } from '../db/history.ts'
import { lastChange } from '../db/last-changes.ts'
import type { TableRow } from '../db/tables.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** The fields by the kind of thing that has a history. */
const definitions: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['person', ownPersonFields],
  ...sections.map((section) => [section.key, saidFields(section)] as const),
])

/** The call that lists the earlier versions of an entry or of the profile, for the owner alone. */
export function historyRoutes(services: Services): Hono<AppEnv> {
  const { db } = services
  const app = new Hono<AppEnv>()
  app.get(`/${historyCall}/:kind/:id`, requireAdmin(services), async (c) => {
    const thing = { kind: c.req.param('kind'), id: c.req.param('id') }
    const definition = definitions.get(thing.kind)
    if (!definition) throw new Problem('no-encontrado')
    const changed = await lastChange(db, thing)
    const versions = (await readEarlier(db, thing)).map((row) => toVersion(row, definition))
    return c.json({ ...(changed && { changed }), versions } satisfies History, 200, noStore)
  })
  return app
}

function toVersion(
  { number, made_at: at, device, replaced_at: replacedAt, fields }: TableRow<'earlier_version'>,
  definition: Fields,
): EarlierVersion {
  const made = at === null ? undefined : { at, ...(device !== '' && { device }) }
  return { number, ...(made && { made }), replacedAt, fields: known(definition, fields) }
}

/** Only fields that the build still has; a field added since is absent. */
function known(definition: Fields, kept: string): FieldValues {
  const fields = Object.entries(JSON.parse(kept) as FieldValues)
  return Object.fromEntries(fields.filter(([name]) => Object.hasOwn(definition, name)))
}
