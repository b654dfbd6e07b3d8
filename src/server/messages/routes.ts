import { Hono } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import {
  messageNotices,
  folders,
  lastArrival,
  type MessagePatch,
  type Seen,
  type Folder,
} from '#contract/messages/messages.ts'
import { isStorable } from '#contract/text.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import type { JsonObject } from '#contract/json.ts'
import {
  countUnread,
  emptySpam,
  findPlace,
  readAll,
  readFolder,
  removeMessage,
  updateMessage,
} from './folders.ts'
import type { Services } from '../services.ts'
import { readJson } from '../api/body.ts'
import type { AppEnv } from '../api/env.ts'
import { requireAdmin } from '../api/guard.ts'
import { idempotent } from '../api/idempotency.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'

/** For the owner only. */
export function messageRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const path = `/${ownerCalls.messages}`
  const { db } = services

  app.get(path, requireAdmin(services), async (c) => {
    const folder = folderOf(c.req.query('tray') ?? 'inbox')
    const id = c.req.query('before')
    const before = id === undefined || !isStorable(id) ? undefined : await findPlace(db, id)
    if (id !== undefined && !before) throw new Problem('no-encontrado')
    return c.json(await readFolder(db, folder, before), 200, noStore)
  })
  app.get(`${path}/unread`, requireAdmin(services), async (c) =>
    c.json({ unread: await countUnread(db) }, 200, noStore),
  )
  addWrites(app, services, path)
  return app
}

function addWrites(app: Hono<AppEnv>, services: Services, path: string) {
  const { now } = services
  const guards = [requireAdmin(services), limitWrites(services)] as const

  app.put(`${path}/update/:id`, ...guards, async (c) => {
    const sent = await readJson(c)
    const patch = patchOf(sent)
    return idempotent(c, services, {
      sent,
      effect: async (t) => {
        const message = await updateMessage(t, { id: c.req.param('id'), patch, now: now() })
        if (!message) throw new Problem('no-encontrado')
        return { status: 200, body: { ...message, mensaje: noticeOf(patch) } }
      },
    })
  })
  app.post(`${path}/read`, ...guards, async (c) =>
    idempotent(c, services, {
      effect: async (t) => {
        await readAll(t, now(), seenOf(c.req.query()))
        return { status: 200, body: { mensaje: messageNotices.allRead } }
      },
    }),
  )
  app.delete(`${path}/delete/:id`, ...guards, async (c) =>
    idempotent(c, services, {
      effect: async (t) => {
        if (!(await removeMessage(t, c.req.param('id')))) throw new Problem('no-encontrado')
        return { status: 200, body: { mensaje: messageNotices.deleted } }
      },
    }),
  )
  app.delete(`${path}/spam`, ...guards, async (c) =>
    idempotent(c, services, {
      effect: async (t) => {
        await emptySpam(t, seenOf(c.req.query()))
        return { status: 200, body: { mensaje: messageNotices.spamEmptied } }
      },
    }),
  )
}

/** Throws 400 for an unknown folder. */
function folderOf(name: string): Folder {
  const folder = folders.find((known) => known === name)
  if (folder === undefined) throw new Problem('peticion-no-valida')
  return folder
}

/** Pages of an earlier version say no arrival. Throws 400 for what is none. */
function seenOf({ until, arrival }: Readonly<Record<string, string>>): Seen {
  if (arrival !== undefined && !/^\d{1,9}$/.test(arrival)) throw new Problem('peticion-no-valida')
  return { until: untilOf(until), arrival: Number(arrival ?? lastArrival) }
}

/** The moment up to which messages are meant, without one all of them; throws 400 for what is no ISO date. */
function untilOf(given: string | undefined): string {
  if (given === undefined) return '9999-12-31T23:59:59.999Z'
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== given) {
    throw new Problem('peticion-no-valida')
  }
  return given
}

/** Throws 422 for a value of another kind. */
function patchOf({ read, answered, tray }: JsonObject): MessagePatch {
  const known = folders.find((name) => name === tray)
  const errors = {
    ...(read !== undefined && typeof read !== 'boolean' && { read: valueErrors.setting }),
    ...(answered !== undefined &&
      typeof answered !== 'boolean' && { answered: valueErrors.setting }),
    ...(tray !== undefined && known === undefined && { tray: valueErrors.setting }),
  }
  if (Object.keys(errors).length > 0) throw new Problem('datos-no-validos', { errors })
  return {
    ...(typeof read === 'boolean' && { read }),
    ...(typeof answered === 'boolean' && { answered }),
    ...(known !== undefined && { tray: known }),
  }
}

function noticeOf({ read, answered, tray }: MessagePatch): string {
  if (tray !== undefined) return tray === 'spam' ? messageNotices.toSpam : messageNotices.toInbox
  if (answered !== undefined) {
    return answered ? messageNotices.answered : messageNotices.unanswered
  }
  return read === false ? messageNotices.unmarked : messageNotices.marked
}
