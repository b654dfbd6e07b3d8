import { Hono } from 'hono'
import { calls, personToJson } from '#contract/api.ts'
import { personId } from '#contract/limits.ts'
import { personFields } from '#contract/person.ts'
import { personNotices } from '#contract/person-notices.ts'
import { checkPatch } from '#contract/validate.ts'
import { readPerson, updatePerson } from '../db/content.ts'
import { listRevision } from '../db/revisions.ts'
import type { Parts } from '../parts.ts'
import { readJson } from './body.ts'
import { valueOf } from './checked.ts'
import type { AppEnv } from './env.ts'
import { changedValue } from './changed-value.ts'
import { answerFresh, listTag, namedVersion, versionTag } from './etag.ts'
import { requireAdmin } from './guard.ts'
import { answerOnce } from './idempotency.ts'
import { Problem } from './problem.ts'
import { whileOpen } from './maintenance.ts'
import { limitWrites } from './rate-limits.ts'

/** The profile: a list of one, its detail, and its change by the owner. */
export function personRoutes(parts: Parts): Hono<AppEnv> {
  const { db } = parts
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
  app.put(update, requireAdmin(parts), limitWrites(parts), whileOpen(parts), async (c) => {
    assertPersonId(c.req.param('id'))
    const sent = await readJson(c)
    const patch = valueOf(checkPatch(personFields, sent))
    const version = namedVersion(c)
    return answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        const person = changedValue(await updatePerson(t, { version, patch }), personToJson)
        const headers = { etag: versionTag(person.version) }
        const body = { ...personToJson(person), mensaje: personNotices.updated }
        return { status: 200, headers, body }
      },
    })
  })

  return app
}

function assertPersonId(id: string) {
  if (id !== String(personId)) throw new Problem('no-encontrado')
}
