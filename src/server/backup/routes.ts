import { open } from 'node:fs/promises'
import { pipeline, Transform } from 'node:stream'
import { Hono, type Context } from 'hono'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupLink, BackupList, BackupStatus, ListedBackup } from '#contract/backups.ts'
import { dayMs } from '#contract/durations.ts'
import { fill } from '#contract/text.ts'
import { backupTexts } from '#contract/texts/backup.ts'
import { absent } from '../disk/disk.ts'
import { issueDownload, opensDownload } from '../access/download-link.ts'
import type { Backup } from './backup-files.ts'
import { isAhead, isNeeded, isWeekly } from './retention.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../api/env.ts'
import { isOwners, requireAdmin, sessionNeeded } from '../api/guard.ts'
import type { Log } from '../log.ts'
import { markKnown } from '../edge/known-callers.ts'
import { noStore } from '../edge/shared-cache.ts'
import { Problem } from '../problem.ts'
import { limitWrites } from '../api/rate-limits.ts'
import { streamBody } from '../api/stream-body.ts'

/** One night may be missed by a machine that was switched off. */
const overdueMs = 2 * dayMs

/** The calls of «Datos y copias»: the list, one made now, a download and the export. */
export function backupRoutes(services: Services): Hono<AppEnv> {
  const { backups, db, now, log } = services
  const status = (all: readonly Backup[]) => statusOf(services, all)
  const app = new Hono<AppEnv>()

  app.get(`/${ownerCalls.backups}`, requireAdmin(services), async (c) => {
    const all = await backups.list().catch(refuseUnread)
    // Runs beside the answer, since large files take their time.
    backups
      .check('new')
      .catch((error: unknown) => log('backup-check-failed', { error: String(error) }))
    const answer: BackupList = {
      backups: all.map((backup) => toJson(backup, all, now())),
      status: status(all),
    }
    return c.json(answer, 200, noStore)
  })

  app.get(`/${ownerCalls.backupStatus}`, requireAdmin(services), async (c) => {
    const all = await backups.list().catch((error: unknown) => {
      log('backups-unread', { error: String(error) })
    })
    const unread: BackupStatus = { trouble: { is: 'unread' }, lastGood: null }
    return c.json(all ? status(all) : unread, 200, noStore)
  })

  app.post(`/${ownerCalls.backups}`, requireAdmin(services), limitWrites(services), async (c) => {
    const made = await backups.make('hand')
    return c.json({ ...toJson(made, [made], now()), mensaje: wordsOf(made) }, 201, noStore)
  })

  app.post(
    `/${ownerCalls.backups}/:name/link`,
    requireAdmin(services),
    limitWrites(services),
    async (c) => {
      const name = c.req.param('name')
      if ((await backups.find(name)) === undefined) throw new Problem('no-encontrado')
      const { signInId } = c.var.session
      const ticket = await issueDownload(db, { name, signInId, now: now() })
      const link: BackupLink = { path: `${ownerCalls.backups}/${name}?ticket=${ticket}` }
      return c.json(link, 201, noStore)
    },
  )

  app.delete(
    `/${ownerCalls.backups}/:name`,
    requireAdmin(services),
    limitWrites(services),
    async (c) => {
      await backups.list().catch(refuseUnread)
      const removed = await backups.remove(c.req.param('name'))
      if (removed === 'unknown') throw new Problem('no-encontrado')
      if (removed === 'needed') throw new Problem('ultima-copia')
      return c.json({ mensaje: backupTexts.removed }, 200, noStore)
    },
  )

  app.get(`/${ownerCalls.backups}/:name`, async (c) => {
    const name = c.req.param('name')
    const ticket = c.req.query('ticket')
    const isOpen = ticket !== undefined && (await opensDownload(db, { ticket, name, now: now() }))
    if (!isOpen && !(await isOwners(c, services))) throw sessionNeeded()
    markKnown(c.env?.incoming)
    const file = await backups.find(name)
    if (file === undefined) throw new Problem('no-encontrado')
    return sendFile(c, { file, name, log })
  })

  return app
}

/** A list of backups fails only where their folder cannot be read. */
function refuseUnread(cause: unknown): never {
  throw new Problem('no-disponible', { mensaje: backupTexts.unread, cause })
}

function wordsOf({ lacking: n }: Backup): string {
  const { made, madeLackingOne, madeLackingMany } = backupTexts
  if (n === 0) return made
  return fill(n === 1 ? madeLackingOne : madeLackingMany, { n })
}

/** Sends the file, or the part that a broken-off download lacks. */
async function sendFile(
  { req, body }: Context<AppEnv>,
  { file, name, log }: { readonly file: string; readonly name: string; readonly log: Log },
) {
  // Opened first: whatever is let go from then on can still be read.
  const opened = await open(file).catch(absent)
  if (!opened) throw new Problem('no-encontrado')
  const { size, mtimeMs } = await opened.stat()
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag,
    ...noStore,
  }
  const isSame = [undefined, etag].includes(req.header('if-range'))
  const range = isSame ? byteRange(req.header('range'), size) : undefined
  if (range === 'unsatisfiable') {
    await opened.close()
    return body(null, 416, { ...headers, 'content-range': `bytes */${size}` })
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const bytes = end - start + 1
  const length = { 'content-length': String(bytes) }
  const part = range && { 'content-range': `bytes ${start}-${end}/${size}` }
  const status = range ? 206 : 200
  const all = { ...headers, ...length, ...part }
  if (req.method === 'HEAD') {
    await opened.close()
    return body(null, status, all)
  }
  // Whoever reads is told by the last of the two.
  const sent = pipeline(opened.createReadStream(range), onlyWhole(bytes), () => undefined)
  sent.once('error', (error) => log('backup-broke-off', { name, error: String(error) }))
  return body(streamBody(sent), status, all)
}

/** Fails where less comes than was promised, as of a file that is cut short meanwhile: its reader would wait for the rest. */
function onlyWhole(promised: number): Transform {
  let left = promised
  return new Transform({
    transform(chunk: Buffer, _, done) {
      left -= chunk.length
      done(null, chunk)
    },
    flush(done) {
      done(left > 0 ? new Error(`the file ended ${left} bytes too early`) : null)
    },
  })
}

function toJson(backup: Backup, all: readonly Backup[], now: Date): ListedBackup {
  const { name, madeAt, bytes, state, lacking } = backup
  const reason = isWeekly(backup, all, now) ? 'week' : backup.reason
  const isLast = isNeeded(backup, all)
  return { name, madeAt: madeAt.toISOString(), reason, bytes, state, lacking, isNeeded: isLast }
}

function statusOf(
  { backups: { failure }, room, now }: Pick<Services, 'backups' | 'room' | 'now'>,
  listed: readonly Backup[],
): BackupStatus {
  const all = listed.filter((backup) => !isAhead(backup, now()))
  const good = all.find(({ state }) => state !== 'damaged')
  const complete = all.find(({ state, lacking }) => state !== 'damaged' && lacking === 0)
  const lastGood = complete?.madeAt.toISOString() ?? null
  const toFree = room?.toFree() ?? 0
  // First: as long as it is so no backup can be made either.
  if (toFree > 0) return { trouble: { is: 'full', toFree }, lastGood }
  // Another process may have made one since.
  if (failure && !(good && good.madeAt > failure.at)) {
    return { trouble: { is: 'failed', ...failure, at: failure.at.toISOString() }, lastGood }
  }
  if (all.length > 0 && all[0] !== good) return { trouble: { is: 'damaged' }, lastGood }
  if (good && good !== complete) {
    return { trouble: { is: 'incomplete', lacking: good.lacking }, lastGood }
  }
  const isOverdue = good !== undefined && now().getTime() - good.madeAt.getTime() > overdueMs
  if (isOverdue) return { trouble: { is: 'overdue' }, lastGood }
  const ahead = listed.find((backup) => isAhead(backup, now()))
  return { trouble: ahead ? { is: 'ahead', at: ahead.madeAt.toISOString() } : null, lastGood }
}

interface ByteRange {
  readonly start: number
  /** The last byte of it. */
  readonly end: number
}

/** The part that a `Range` header asks for; undefined for the whole: without one, and for what need not be understood. */
function byteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
