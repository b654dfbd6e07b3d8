import { ZipFile } from 'yazl'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import type { BackupLink } from '#contract/backups.ts'
import { siteCopyCall, siteCopyName } from '#contract/site-copy.ts'
import { settingsOf } from '#contract/settings/settings.ts'
import { issueDownload, opensDownload } from '../access/download-link.ts'
import type { AppEnv } from '../api/env.ts'
import { isOwners, requireAdmin, sessionNeeded } from '../api/guard.ts'
import { limitWrites } from '../api/rate-limits.ts'
import { streamBody } from '../api/stream-body.ts'
import { readSite } from '../db/site-data.ts'
import { markKnown } from '../edge/known-callers.ts'
import { noStore } from '../edge/shared-cache.ts'
import { unavailable } from '../problem.ts'
import type { Services } from '../services.ts'
import { contactWay } from './contact-way.ts'
import { copySite, type CopySources, type CopyFile } from './site-copy.ts'

/** How many are made at once: each draws every page and holds it until it is read. */
const mostAtOnce = 2

/** The site as a ZIP for its owner, made while the browser saves it. */
export function copyRoutes(
  services: Services,
  client: Pick<CopySources, 'drawing' | 'statics' | 'drawCv'>,
): Hono<AppEnv> {
  const { db, config, now, log, typedTitle, pictureFiles: pictures } = services
  const app = new Hono<AppEnv>()
  let running = 0

  app.post(`/${siteCopyCall}/link`, requireAdmin(services), limitWrites(services), async (c) => {
    const { signInId } = c.var.session
    const ticket = await issueDownload(db, { name: siteCopyName, signInId, now: now() })
    const link: BackupLink = { path: `${siteCopyCall}/${siteCopyName}?ticket=${ticket}` }
    return c.json(link, 201, noStore)
  })

  app.get(`/${siteCopyCall}/${siteCopyName}`, async (c) => {
    const ticket = c.req.query('ticket')
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
    if (running >= mostAtOnce) throw unavailable()
    running++
    try {
      const site = await readSite(db, undefined, now())
      const { publicUrl } = config
      const { email } = settingsOf(site.settings)
      const contact = contactWay(undefined, { email, publicUrl })
      const sources = { ...client, pictures, typedTitle }
      const copy = await copySite(site, sources, { address: publicUrl, contact })
      if (copy.missing.length > 0) log('copy-without-pictures', { missing: copy.missing.length })
      if (copy.cvFailure !== undefined) log('copy-without-cv', { error: String(copy.cvFailure) })
      const zip = zipOf(copy.files)
      zip.once('error', (error) => log('copy-broke-off', { error: String(error) }))
      zip.once('close', () => running--)
      return c.body(streamBody(zip), 200, headers)
    } catch (error) {
      running--
      throw error
    }
  })

  return app
}

/** The moment all files tell: the same content gives the same bytes. It is the first that the format knows, in any time zone. */
const moment = new Date(1980, 0, 1)

/** The files as a ZIP that is made while it is read; a file that cannot be read breaks it off. */
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
