import { ZipFile } from 'yazl'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { minuteMs } from '#contract/durations.ts'
import {
  checkSiteCopy,
  siteCopyCall,
  siteCopyName,
  type SiteCopyLink,
  type SiteCopyWish,
} from '#contract/site-copy.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { copyLacksTexts } from '#contract/texts/copy-lacks.ts'
import { siteCopyTexts } from '#contract/texts/site-copy.ts'
import { issueDownload, opensDownload } from '../access/download-link.ts'
import { readJson } from '../api/body.ts'
import { valueOrThrow } from '../api/checked.ts'
import type { AppEnv } from '../api/env.ts'
import { isOwners, requireAdmin, sessionNeeded } from '../api/guard.ts'
import { limitWrites } from '../api/rate-limits.ts'
import { streamBody } from '../api/stream-body.ts'
import { readSite } from '../db/site-data.ts'
import { markKnown } from '../edge/known-callers.ts'
import { noStore } from '../edge/shared-cache.ts'
import { causeOf, Problem, unavailable } from '../problem.ts'
import type { Services } from '../services.ts'
import { contactLink } from './contact-link.ts'
import { copyLacks } from './copy-lacks.ts'
import { copySite, type CopySources, type CopyFile } from './site-copy.ts'

/** How many are drawn or read at once: each holds every page until it is read. */
const mostAtOnce = 2
/** How long a copy waits for the browser that was given its address and asks for it at once. */
const waitMs = minuteMs

/** A copy that is made. */
interface Copied {
  readonly wish: SiteCopyWish
  readonly files: readonly CopyFile[]
  /** Undefined where it has all that visitors see. */
  readonly lacks: ReturnType<typeof copyLacks>
}

/** The site as a ZIP for its owner, made before its address is given out and compressed while the browser saves it. */
export function copyRoutes(
  services: Services,
  client: Pick<CopySources, 'drawing' | 'statics' | 'drawCv'>,
): Hono<AppEnv> {
  const { db, config, now, log, typedTitle, pictureFiles: pictures } = services
  const app = new Hono<AppEnv>()
  let running = 0
  /** By ticket; another process, or a browser that asks again, has it made anew. */
  const waiting = new Map<string, Copied>()

  const make = async (input: unknown): Promise<Copied> => {
    const wish = valueOrThrow(checkSiteCopy(input))
    const site = await readSite(db, undefined, now())
    const { publicUrl } = config
    const { email } = settingsOf(site.settings)
    const contact = contactOrThrow(wish, { email, publicUrl })
    const sources = { ...client, pictures, typedTitle }
    const isChosen = wish.address !== ''
    const address = isChosen ? wish.address : publicUrl
    const copy = await copySite(site, sources, { address, isChosen, contact })
    if (copy.missing.length > 0) log('copy-without-pictures', { missing: copy.missing.length })
    const [unread] = copy.unread
    if (unread) {
      log('copy-pictures-unread', { unread: copy.unread.length, error: String(unread.error) })
    }
    if (copy.cvFailure !== undefined) log('copy-without-cv', { error: String(copy.cvFailure) })
    return { wish, files: copy.files, lacks: copyLacks(site, copy) }
  }

  const takePlace = () => {
    if (running >= mostAtOnce) throw unavailable()
    running++
  }

  const keepWaiting = (ticket: string, copy: Copied) => {
    const [oldest] = waiting.keys()
    if (waiting.size >= mostAtOnce && oldest !== undefined) waiting.delete(oldest)
    waiting.set(ticket, copy)
    setTimeout(() => waiting.delete(ticket), waitMs).unref()
  }

  app.post(`/${siteCopyCall}/link`, requireAdmin(services), limitWrites(services), async (c) => {
    const { signInId } = c.var.session
    const input = await readJson(c)
    takePlace()
    const copy = await make(input).finally(() => running--)
    const ticket = await issueDownload(db, { name: siteCopyName, signInId, now: now() })
    keepWaiting(ticket, copy)
    const query = new URLSearchParams({ ticket, ...copy.wish }).toString()
    const path = `${siteCopyCall}/${siteCopyName}?${query}`
    const link: SiteCopyLink = { path, ...(copy.lacks && { lacks: copy.lacks.notice }) }
    return c.json(link, 201, noStore)
  })

  app.get(`/${siteCopyCall}/${siteCopyName}`, async (c) => {
    const { ticket, ...wish } = c.req.query()
    const name = siteCopyName
    const isOpen = ticket !== undefined && (await opensDownload(db, { ticket, name, now: now() }))
    if (!isOpen && !(await isOwners(c, services))) throw sessionNeeded()
    markKnown(c.env?.incoming)
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      ...noStore,
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    takePlace()
    try {
      const made = waiting.get(ticket ?? '')
      waiting.delete(ticket ?? '')
      const { files, lacks } = made ?? (await make(wish))
      const zip = zipOf([...(lacks ? [lackingFile(lacks.text)] : []), ...files])
      zip.once('error', (error) => log('copy-broke-off', { error: String(causeOf(error)) }))
      zip.once('close', () => running--)
      return c.body(streamBody(zip), 200, headers)
    } catch (error) {
      running--
      throw error
    }
  })

  return app
}

/** It goes along, so that whoever opens the copy later knows as well; it comes first. */
function lackingFile(text: string): CopyFile {
  return { name: copyLacksTexts.file, isText: true, read: async () => Buffer.from(text) }
}

/** Throws 422 where the site has not what the choice needs. */
function contactOrThrow(
  { contact, service }: SiteCopyWish,
  known: Parameters<typeof contactLink>[1],
) {
  try {
    return contactLink((contact === 'service' ? service : contact) || undefined, known)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new Problem('datos-no-validos', { errors: { contact: siteCopyTexts.noMail }, cause })
  }
}

/** The moment all files tell: the same content gives the same bytes. It is the first that the format knows, in any time zone. */
const moment = new Date(1980, 0, 1)

/** The files as a ZIP that is made while it is read; a file that can be read no more breaks it off, since pages in it lead there. */
function zipOf(files: readonly CopyFile[]): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const how = { mtime: moment, mode: 0o100644, forceDosTimestamp: true }
  for (const { name, isText, read } of files) {
    zip.addReadStreamLazy(name, { ...how, compress: isText }, (open) => {
      read().then(
        (bytes) => open(null, Readable.from([bytes], { objectMode: false })),
        (error: unknown) => open(error, Readable.from([])),
      )
    })
  }
  zip.end()
  return output
}
