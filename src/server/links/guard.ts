import { dayMs, hourMs } from '#contract/durations.ts'
import { placeWords } from '#contract/links.ts'
import { excerpt, type PushMessage } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { linkTexts } from '#contract/texts/links.ts'
import { readSite } from '../db/site-data.ts'
import type { Db, Executor, TableRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { addRecurring } from '../jobs/job-table.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Log } from '../log.ts'
import { tellDevices } from '../messages/notify.ts'
import { isUntold } from '../notifications/tellings.ts'
import { visitorsSite } from '../pages/hidden.ts'
import type { Look, Sight } from './look.ts'
import { publicLinks, type PublicLink } from './public-links.ts'

interface GuardOptions {
  readonly db: Db
  readonly now: () => Date
  readonly log: Log
  readonly look: Look
}

type LinkLook = TableRow<'link_look'>

const weekMs = 7 * dayMs
/** A link counts as dead after so many failed looks in a row, each on another day. */
const deadAfter = 3
/** The tag of the notification about dead links. */
const linksTag = 'links'
/** How many links are looked at together: the looks must end within a job's lease. */
const most = 8
/** The first look waits, to leave the start alone. */
const firstAfterMs = 600_000
const retryMs = hourMs

/** There is one job, which looks at the links for ever. */
export function scheduleLooks(x: Executor, now: Date): Promise<void> {
  return addRecurring(x, { kind: 'links', now: after(now, firstAfterMs) })
}

/**
 * Looks at every public link once a week, daily at one that failed, and tells the owner's devices about links that died
 * since the last time: once, or on the next days again as long as no device takes it.
 */
export function guardLinks(options: GuardOptions): JobHandler {
  return async () => {
    const at = options.now()
    try {
      return { state: 'later', at: await lookAround(options, at) }
    } catch (error) {
      // A job that was given up would never look again.
      options.log('links-failed', { error: String(error) })
      return { state: 'later', at: after(at, retryMs) }
    }
  }
}

/** Looks at some of the due links, and returns when to go on. */
async function lookAround({ db, look }: GuardOptions, at: Date): Promise<Date> {
  const links = publicLinks(visitorsSite(await readSite(db)), at)
  const known = await readLooks(db)
  // What is further away was noted by a clock that was ahead.
  const [from, to] = [at.toISOString(), after(at, weekMs).toISOString()]
  const due = links.filter(({ key }) => {
    const { next_at: next = '' } = known.get(key) ?? {}
    return next <= from || next > to
  })
  const seen = await Promise.all(
    due.slice(0, most).map(async ({ key, href }) => ({ key, sight: await look(href) })),
  )
  const isLineUp = await hasWitness(seen, { links, known, look })
  const next = seen.map(({ key, sight }) => lookAfter(known.get(key), { key, sight, isLineUp, at }))
  await transact(db, async (t) => {
    for (const row of next) await keepLook(t, row)
    if (due.length > most) return
    await dropOthers(t, links)
    await tellOfDead(t, links, at)
  })
  // A link published meanwhile is looked at within a day.
  return due.length > most ? at : after(at, dayMs)
}

interface Witnesses {
  readonly links: readonly PublicLink[]
  readonly known: ReadonlyMap<string, LinkLook>
  readonly look: Look
}

/** Whether anything answers at all: where nothing does, the server's own line is down. */
async function hasWitness(
  seen: readonly { readonly key: string; readonly sight: Sight }[],
  { links, known, look }: Witnesses,
): Promise<boolean> {
  if (seen.every(({ sight }) => sight !== 'silent')) return true
  if (seen.some(({ sight }) => sight === 'alive')) return true
  const others = links.filter(
    ({ key }) => known.get(key)?.failures === 0 && seen.every((one) => one.key !== key),
  )
  for (let from = 0; from < others.length; from += 2) {
    const sights = await Promise.all(others.slice(from, from + 2).map(({ href }) => look(href)))
    // Those that are never asked cost nothing, and tell nothing.
    if (sights.some((sight) => sight !== 'unasked')) return sights.includes('alive')
  }
  return false
}

interface Found {
  readonly key: string
  readonly sight: Sight
  readonly isLineUp: boolean
  readonly at: Date
}

/** The result of a look, on top of the earlier looks. */
function lookAfter(before: LinkLook | undefined, { key, sight, isLineUp, at }: Found): LinkLook {
  const moment = at.toISOString()
  const well = {
    link_hash: key,
    looked_at: moment,
    next_at: after(at, weekMs).toISOString(),
    failures: 0,
    failed_since: null,
    told: 0,
  }
  if (sight === 'alive' || sight === 'unasked') return well
  const counts = sight === 'gone' || isLineUp
  return {
    ...well,
    next_at: after(at, dayMs).toISOString(),
    failures: (before?.failures ?? 0) + (counts ? 1 : 0),
    failed_since: before?.failed_since ?? (counts ? moment : null),
  }
}

/** Whether a link has failed often enough, in looks that lie apart, to be called dead. */
export function isDead({ failures }: Pick<LinkLook, 'failures'>): boolean {
  return failures >= deadAfter
}

/** By the link's key. */
export async function readLooks(x: Executor): Promise<ReadonlyMap<string, LinkLook>> {
  const rows = await x.selectFrom('link_look').selectAll().execute()
  return new Map(rows.map((row) => [row.link_hash, row]))
}

async function keepLook(t: Executor, row: LinkLook): Promise<void> {
  const { link_hash: _, told, ...values } = row
  // A device may have taken the notification since the link was read.
  const changed = row.failures === 0 ? { ...values, told } : values
  await t
    .insertInto('link_look')
    .values(row)
    .onConflict((c) => c.column('link_hash').doUpdateSet(changed))
    .execute()
}

/** Forgets links that visitors no longer see. */
async function dropOthers(t: Executor, links: readonly PublicLink[]): Promise<void> {
  const shown = new Set(links.map(({ key }) => key))
  for (const key of (await readLooks(t)).keys()) {
    if (!shown.has(key)) await t.deleteFrom('link_look').where('link_hash', '=', key).execute()
  }
}

/** Notes of a notification that a device took that what it tells need not be told again. */
export async function noteTaken(x: Executor, { tag }: PushMessage): Promise<void> {
  if (tag !== linksTag) return
  await x.updateTable('link_look').set({ told: 1 }).where('told', '<', 0).execute()
}

/** Sends one notification about all dead links that no device knows of yet; without devices they wait for one. */
async function tellOfDead(t: Executor, links: readonly PublicLink[], now: Date): Promise<void> {
  const looks = await readLooks(t)
  const fresh = links.filter(({ key }) => {
    const known = looks.get(key)
    return known && isDead(known) && isUntold(known.told)
  })
  if (fresh.length === 0) return
  const places = fresh.flatMap((link) => link.places.slice(0, 1)).map(placeWords)
  const title = fresh.length === 1 ? linkTexts.alarmOne : fill(linkTexts.alarm, { n: fresh.length })
  // No push service takes a notification that quotes endless names.
  const body = `${places.slice(0, 3).map(excerpt).join(', ')}${places.length > 3 ? '…' : ''}`
  const message: PushMessage = { type: 'sync', title, body, url: '/settings#datos', tag: linksTag }
  if (!(await tellDevices(t, message, now))) return
  const keys = fresh.map(({ key }) => key)
  await t
    .updateTable('link_look')
    .set((e) => ({ told: e('told', '-', 1) }))
    .where('link_hash', 'in', keys)
    .execute()
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}
