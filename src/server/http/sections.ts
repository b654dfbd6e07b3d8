import { Hono } from 'hono'
import { entryToJson, isEntryId } from '#contract/api.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { fieldErrors } from '#contract/texts.ts'
import { checkDraft, checkPatch } from '#contract/validate.ts'
import { createEntry, findEntry, listEntries, removeEntry, updateEntry } from '../db/content.ts'
import { listRevision } from '../db/revisions.ts'
import type { Parts } from '../parts.ts'
import { readJson, type JsonObject } from './body.ts'
import { changedValue } from './changed-value.ts'
import { valueOf } from './checked.ts'
import type { AppEnv } from './env.ts'
import { answerFresh, listTag, namedVersion, versionTag } from './etag.ts'
import { requireAdmin } from './guard.ts'
import { answerOnce } from './idempotency.ts'
import { createListMemo } from './list-memo.ts'
import { Problem } from './problem.ts'
import { whileOpen } from './maintenance.ts'
import { limitWrites } from './rate-limits.ts'

const newIds = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The five calls of every section. */
export function sectionRoutes(parts: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const section of sections) {
    addReads(app, parts, section)
    addWrites(app, parts, section)
  }
  return app
}

function addReads(app: Hono<AppEnv>, { db }: Parts, section: Section) {
  const memo = createListMemo()
  app.get(`/${section.key}`, async (c) => {
    // The revision first: a change in between then only costs the client one more reading.
    const tag = listTag(section.key, await listRevision(db, section.key))
    const load = async () => JSON.stringify((await listEntries(db, section)).map(entryToJson))
    return answerFresh(c, tag, () => memo(tag, load))
  })

  app.get(`/${section.key}/detail/:id`, async (c) => {
    const entry = await findEntry(db, section, idOf(c.req.param('id')))
    if (!entry) throw new Problem('no-encontrado')
    return answerFresh(c, versionTag(entry.version), () => JSON.stringify(entryToJson(entry)))
  })
}

function addWrites(app: Hono<AppEnv>, parts: Parts, section: Section) {
  const { key, fields, notices } = section
  const guards = [requireAdmin(parts), limitWrites(parts), whileOpen(parts)] as const

  app.post(`/${key}/create`, ...guards, async (c) => {
    const sent = await readJson(c)
    const id = newIdOf(sent)
    const draft = valueOf(checkDraft(fields, 'create', sent))
    return answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        const entry = await createEntry(t, section, { id, draft })
        const location = `/api/${key}/detail/${entry.id}`
        const headers = { location, etag: versionTag(entry.version) }
        return { status: 201, headers, body: { ...entryToJson(entry), mensaje: notices.created } }
      },
    })
  })

  app.put(`/${key}/update/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    const sent = await readJson(c)
    const patch = valueOf(checkPatch(fields, sent))
    const version = namedVersion(c)
    return answerOnce(c, parts, {
      sent,
      effect: async (t) => {
        const entry = changedValue(
          await updateEntry(t, section, { id, version, patch }),
          entryToJson,
        )
        const headers = { etag: versionTag(entry.version) }
        return { status: 200, headers, body: { ...entryToJson(entry), mensaje: notices.updated } }
      },
    })
  })

  app.delete(`/${key}/delete/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    const version = namedVersion(c)
    return answerOnce(c, parts, {
      effect: async (t) => {
        changedValue(await removeEntry(t, section, { id, version }), entryToJson)
        return { status: 200, body: { mensaje: notices.deleted } }
      },
    })
  })
}

/** The id in the path; one that no entry can have is simply not found. */
function idOf(id: string): string {
  if (!isEntryId(id)) throw new Problem('no-encontrado')
  return id
}

/** The id a client made for its new entry, undefined when it leaves that to the server. */
function newIdOf({ id }: JsonObject): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id === 'string' && newIds.test(id)) return id
  throw new Problem('datos-no-validos', { errors: { id: fieldErrors.id } })
}
