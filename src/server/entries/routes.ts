import { Hono } from 'hono'
import { entryToJson, isEntryId } from '#contract/api.ts'
import { isHidden as isEntryHidden } from '#contract/entries/hidden.ts'
import { mostOrdered, orderCall, type NewOrder } from '#contract/entries/order.ts'
import { ownFields } from '#contract/entries/own-fields.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { sections } from '#contract/sections/index.ts'
import type { Section } from '#contract/sections/section.ts'
import { hiddenSections } from '#contract/settings/settings.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { fill } from '#contract/text.ts'
import { checkValues, checkPatch, lenient } from '#contract/validate.ts'
import type { JsonObject } from '#contract/json.ts'
import { findInBin } from '../db/bin.ts'
import {
  arrangeEntries,
  createEntry,
  findEntry,
  listEntries,
  removeEntry,
  restoreEntry,
  updateEntry,
} from '../db/entries.ts'
import { readSettings } from '../db/settings.ts'
import { forgetChange, noteChange } from '../db/last-changes.ts'
import { listRevision, raiseRevision } from '../db/revisions.ts'
import type { Executor } from '../db/tables.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import { rowOrThrow, madeBy } from '../api/row-or-throw.ts'
import { entryValues } from '../api/entry-values.ts'
import type { AppEnv } from '../api/env.ts'
import { answerFresh, namedVersion, versionTag } from '../api/etag.ts'
import { isOwners, requireAdmin } from '../api/guard.ts'
import { findPicture, adoptPicture } from '../api/adopt-picture.ts'
import { idempotent } from '../api/idempotency.ts'
import { encodingsOf, type Encodings } from '../edge/encodings.ts'
import { tagOf } from '../edge/stored-answer.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { rejectWhenReadOnly } from '../api/maintenance.ts'
import { limitWrites } from '../api/rate-limits.ts'

const newIds = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The calls of every section, the ones that a site adds included. */
export function sectionRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const section of sections) {
    addReads(app, services, section)
    addWrites(app, services, section)
  }
  return app
}

function addReads(app: Hono<AppEnv>, services: Services, section: Section) {
  const { db } = services
  const isHidden = async () => hiddenSections(await readSettings(db)).includes(section.key)
  /** The same list for everybody; the owner asks for the hidden entries separately. */
  const visible = async () => {
    const entries = await listEntries(db, section)
    return entries.filter((entry) => !isEntryHidden(entry)).map(entryToJson)
  }
  const memo = createListMemo(async () => Buffer.from(JSON.stringify(await visible())))
  app.get(`/${section.key}`, async (c) => {
    if (await isHidden()) {
      // An empty list, not a refusal, because it replaces the copies that devices keep.
      if (!(await isOwners(c, services))) {
        return answerFresh(c, `W/"${section.key}-hidden"`, () => '[]')
      }
      return c.json(await visible(), 200, noStore)
    }
    // The revision is read first: a change in between then only costs the client one more reading.
    const { tag, body } = await memo(await listRevision(db, section.key))
    return answerFresh(c, tag, () => body)
  })

  app.get(`/${section.key}/detail/:id`, async (c) => {
    const entry = await findEntry(db, section, idOf(c.req.param('id')))
    if (!entry) throw new Problem('no-encontrado')
    if (isEntryHidden(entry) || (await isHidden())) {
      if (!(await isOwners(c, services))) throw new Problem('no-encontrado')
      return c.json(entryToJson(entry), 200, noStore)
    }
    return answerFresh(c, versionTag(entry.version), () => JSON.stringify(entryToJson(entry)))
  })
}

/** A list as it is sent. Its tag is of what visitors read: the revision also tells of changes to what only the owner sees. */
interface MadeList {
  readonly tag: string
  readonly body: Encodings
}

/** Keeps the last list made, in every encoding asked for: that costs more than asking whether anything has changed since. */
function createListMemo(make: () => Promise<Buffer>): (revision: number) => Promise<MadeList> {
  let last: { readonly revision: number; readonly list: MadeList } | undefined
  return async (revision) => {
    if (last?.revision === revision) return last.list
    const json = await make()
    const list = { tag: tagOf(json), body: encodingsOf(json) }
    last = { revision, list }
    return list
  }
}

function addWrites(app: Hono<AppEnv>, services: Services, section: Section) {
  const { key } = section
  const fields = ownFields(section)
  const notices = noticesOf(section)
  const thingOf = (id: string) => ({ kind: key, id })
  /** An entry of a résumé may leave out fields that a form requires. */
  const asked = ({ imported }: JsonObject) =>
    imported === true ? lenient(fields, section.display.title) : fields
  const guards = [
    requireAdmin(services),
    limitWrites(services),
    rejectWhenReadOnly(services),
  ] as const

  app.post(`/${key}/create`, ...guards, async (c) => {
    const sent = await readJson(c)
    const id = newIdOf(sent)
    const values = entryValues(fields, checkValues(asked(sent), 'create', sent))
    const picture = await findPicture(services.images, fields, values)
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        // Whoever makes, deletes or puts back one of this id in this moment is waited for.
        if (id !== undefined) await raiseRevision(t, key)
        // Lets the caller tell whether the existing entry is its own.
        const taken = id === undefined ? undefined : await findEntry(t, section, id)
        if (taken) throw new Problem('ya-existe', { current: entryToJson(taken) })
        await rejectDeleted(t, section, id)
        await adoptPicture(t, picture)
        const entry = await createEntry(t, section, { id, values })
        await noteChange(t, thingOf(entry.id), madeBy(c, services))
        const location = `/api/${key}/detail/${entry.id}`
        const headers = { location, etag: versionTag(entry.version) }
        return { status: 201, headers, body: { ...entryToJson(entry), mensaje: notices.created } }
      },
    })
  })

  app.put(`/${key}/update/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    const sent = await readJson(c)
    const patch = entryValues(fields, checkPatch(asked(sent), sent))
    const picture = await findPicture(services.images, fields, patch)
    const version = namedVersion(c)
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        const by = madeBy(c, services)
        const former = await findEntry(t, section, id)
        const changed = await updateEntry(t, section, { id, version, patch, now: by.now })
        const entry = await rowOrThrow(t, changed, { thing: thingOf(id), toJson: entryToJson })
        await adoptPicture(t, picture, former?.fields)
        await noteChange(t, thingOf(id), by)
        const headers = { etag: versionTag(entry.version) }
        return { status: 200, headers, body: { ...entryToJson(entry), mensaje: notices.updated } }
      },
    })
  })

  app.delete(`/${key}/delete/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    const version = namedVersion(c)
    return idempotent(c, services, {
      effect: async (t) => {
        const removed = await removeEntry(t, section, { id, version, now: services.now() })
        await rowOrThrow(t, removed, { thing: thingOf(id), toJson: entryToJson })
        await forgetChange(t, thingOf(id))
        return { status: 200, body: { mensaje: notices.deleted } }
      },
    })
  })

  app.put(`/${key}/${orderCall}`, ...guards, async (c) => {
    const sent = await readJson(c)
    const order = { order: idsIn(sent, 'order'), moved: idsIn(sent, 'moved') }
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        const ids = await arrangeEntries(t, section, order)
        return { status: 200, body: { order: ids, mensaje: orderTexts.saved } }
      },
    })
  })

  app.put(`/${key}/restore/:id`, ...guards, async (c) => {
    const id = idOf(c.req.param('id'))
    return idempotent(c, services, {
      effect: async (t) => {
        const restored = await restoreEntry(t, section, { id, now: services.now() })
        const entry = await rowOrThrow(t, restored, { thing: thingOf(id), toJson: entryToJson })
        await noteChange(t, thingOf(id), madeBy(c, services))
        const headers = { etag: versionTag(entry.version) }
        return { status: 200, headers, body: { ...entryToJson(entry), mensaje: binTexts.returned } }
      },
    })
  })
}

/** An id that no entry can have is simply not found. */
function idOf(id: string): string {
  if (!isEntryId(id)) throw new Problem('no-encontrado')
  return id
}

/** What was deleted meanwhile does not come back with a creation that is sent again after its key is forgotten. */
async function rejectDeleted(x: Executor, { key, display }: Section, id?: string): Promise<void> {
  const fields = id === undefined ? undefined : await findInBin(x, { kind: key, id })
  if (!fields) return
  const mensaje = fill(binTexts.inBin, { name: fields[display.title] ?? '' })
  throw new Problem('no-encontrado', { mensaje })
}

function idsIn(sent: JsonObject, name: keyof NewOrder): readonly string[] {
  const ids = sent[name]
  const isList = Array.isArray(ids) && ids.length <= mostOrdered
  if (isList && ids.every((id): id is string => typeof id === 'string' && isEntryId(id))) return ids
  throw new Problem('datos-no-validos', { errors: { [name]: valueErrors.id } })
}

/** The id a client made for its new entry; undefined when it leaves that to the server. */
function newIdOf({ id }: JsonObject): string | undefined {
  if (id === undefined || id === null || id === '') return undefined
  if (typeof id === 'string' && newIds.test(id)) return id
  throw new Problem('datos-no-validos', { errors: { id: valueErrors.id } })
}
