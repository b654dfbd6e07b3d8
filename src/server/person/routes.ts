import { Hono } from 'hono'
import { calls, personToJson } from '#contract/api.ts'
import { personId } from '#contract/limits.ts'
import { ownPersonFields } from '#contract/entries/own-fields.ts'
import { personNotices } from '#contract/texts/person.ts'
import { checkPatch, lenient } from '#contract/validate.ts'
import { readPerson, updatePerson } from '../db/person.ts'
import { noteChange } from '../db/last-changes.ts'
import { listRevision } from '../db/revisions.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import { entryValues } from '../api/entry-values.ts'
import type { AppEnv } from '../api/env.ts'
import { rowOrThrow, madeBy } from '../api/row-or-throw.ts'
import { answerFresh, listTag, namedVersion, versionTag } from '../api/etag.ts'
import { requireAdmin } from '../api/guard.ts'
import { findPicture, adoptPicture } from '../api/adopt-picture.ts'
import { idempotent } from '../api/idempotency.ts'
import { Problem } from '../problem.ts'
import { rejectWhenReadOnly } from '../api/maintenance.ts'
import { limitWrites } from '../api/rate-limits.ts'

const thing = { kind: 'person', id: String(personId) }

/** The profile: a list of one, its detail, and its change by the owner. */
export function personRoutes(services: Services): Hono<AppEnv> {
  const { db } = services
  const app = new Hono<AppEnv>()

  app.get(`/${calls.person}`, async (c) => {
    const tag = listTag('person', await listRevision(db, 'person'))
    return answerFresh(c, tag, async () => JSON.stringify([personToJson(await readPerson(db))]))
  })

  app.get(`/${calls.personDetail}/:id`, async (c) => {
    assertPersonId(c.req.param('id'))
    const person = await readPerson(db)
    return answerFresh(c, versionTag(person.version), () => JSON.stringify(personToJson(person)))
  })

  const update = `/${calls.personUpdate}/:id` as const
  app.put(
    update,
    requireAdmin(services),
    limitWrites(services),
    rejectWhenReadOnly(services),
    async (c) => {
      assertPersonId(c.req.param('id'))
      const sent = await readJson(c)
      const asked = sent['imported'] === true ? lenient(ownPersonFields) : ownPersonFields
      const patch = entryValues(ownPersonFields, checkPatch(asked, sent))
      const picture = await findPicture(services.images, ownPersonFields, patch)
      const version = namedVersion(c)
      return idempotent(c, services, {
        sent,
        effect: async (t) => {
          const by = madeBy(c, services)
          const { fields: former } = await readPerson(t)
          const changed = await updatePerson(t, { version, patch, now: by.now })
          const person = await rowOrThrow(t, changed, { thing, toJson: personToJson })
          await adoptPicture(t, picture, former)
          await noteChange(t, thing, by)
          const headers = { etag: versionTag(person.version) }
          const body = { ...personToJson(person), mensaje: personNotices.updated }
          return { status: 200, headers, body }
        },
      })
    },
  )

  return app
}

function assertPersonId(id: string) {
  if (id !== String(personId)) throw new Problem('no-encontrado')
}
