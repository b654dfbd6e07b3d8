import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { contactSheet, missingSheet } from '#contract/page-heads.ts'
import { readSite } from './db/site-data.ts'
import { siteRevision } from './db/revisions.ts'
import { createApp } from './api/app.ts'
import { createReadCache } from './api/read-cache.ts'
import { createMetrics } from './api/metrics.ts'
import { createCounts } from './edge/address-counts.ts'
import { addressOf } from './edge/client-address.ts'
import { contactPageRoutes } from './messages/contact-page.ts'
import { createUnreadContact, plainForm } from './messages/plain-form.ts'
import type { AppEnv } from './api/env.ts'
import { errorPage } from './edge/error-page.ts'
import type { HttpServerOptions } from './edge/listener.ts'
import { createPurge } from './edge/purge.ts'
import { readBeforeRefusing } from './edge/read-before-refusing.ts'
import { sessionOfHeader } from './api/guard.ts'
import { mediaRoutes } from './images/media.ts'
import type { PageRenderer } from './pages/document.ts'
import { contactPath, htmlHeaders } from './pages/form-mark.ts'
import { createPages } from './pages/pages.ts'
import { createRevisionMemo } from './pages/revision-memo.ts'
import { byName, type SecurityHeaders } from './edge/security-headers.ts'
import type { Statics } from './edge/static.ts'
import { faultOf } from './problem.ts'
import { toProblem } from './edge/to-problem.ts'
import { createCvPdf } from './resume/cv-pdf.ts'
import type { Services } from './services.ts'
import { createThrottledLog } from './log.ts'

/** How the site looks: the client's code and files, from the build or under development. */
export interface ClientBuild {
  readonly headers: SecurityHeaders
  readonly statics: Statics
  /** Inline style sheets for pages without code. */
  readonly styles: string
  /** Those of a page with the contact form, for the same. */
  readonly formStyles: string
  drawing(): PageRenderer | Promise<PageRenderer>
  /** Whether drawn pages are kept until the content changes. */
  readonly keep: boolean
}

/** Everything behind the site's address, for `createHttpServer` to listen with. */
export function createSite(services: Services, client: ClientBuild): HttpServerOptions {
  const { db, config, log, now, formAge, images } = services
  const { publicUrl } = config
  const { headers, statics, styles, formStyles } = client
  // On PostgreSQL other processes write too, and their changes have to show at once.
  const keptMs = services.engine === 'postgres' ? { keptMs: 0 } : {}
  const readRevision = () => siteRevision(db)
  const { purge } = config
  const onWritten = purge && createPurge({ call: purge, readRevision, log })
  const revision = createRevisionMemo(readRevision, { ...keptMs, onWritten })
  const drawCv = createCvPdf({ images, statics, publicUrl, log })
  const pages = createPages({
    drawing: client.drawing,
    keep: client.keep,
    readSite: (shown) => readSite(db, shown, now()),
    readAnswer: (path) => app.request(path),
    revision,
    publicUrl,
    headers,
    log,
    now,
    drawCv,
    newMark: () => formAge.mark(),
    sharedCacheS: config.sharedCacheS,
  })
  const app = new Hono<AppEnv>({ getPath: routedPath })
  const trouble = createThrottledLog(log, now)
  const unreadContact = createUnreadContact(formStyles)
  app.onError((error, c) => {
    const { status, code, details } = toProblem(error)
    if (status >= 500) {
      trouble('request-failed', code, () => ({ path: c.req.path, code, ...faultOf(error) }))
    }
    const posted = c.get('posted')
    const isForm = c.req.path === contactPath
    const unread = isForm ? unreadContact(code) : errorPage(styles)
    const page = headers.page(isForm ? contactSheet : missingSheet)
    return new Response(posted ? plainForm(formStyles, posted, code) : unread, {
      status,
      headers: { ...byName(htmlHeaders(page, 'no-store')), ...details.headers },
    })
  })
  const metrics = createMetrics(services)
  const countRead = createCounts(config.limits.reads, now)
  const reads = createReadCache({
    revision,
    now,
    headers: headers.api,
    vary: config.allowedOrigins.length > 0 ? ['Origin'] : [],
    mayRead: (req) => countRead(addressOf(req, config.trustProxy)) === 0,
    note: (res, begun) => metrics.note(res, begun),
  })
  app.route(
    '/',
    createApp(services, { metrics, countRead, keep: reads.keep, copied: { ...client, drawCv } }),
  )
  app.use(contactPath, readBeforeRefusing)
  app.route('/', contactPageRoutes(services, { ...pages, headers }))
  app.route('/', mediaRoutes(services))
  return {
    pages,
    statics,
    // HTTP/1.0 needs no Host, and what watches over a site often speaks it; no link is ever made with the name.
    app: getRequestListener(app.fetch, { hostname: 'localhost' }),
    reads,
    headers,
    revision,
    styles,
    unreadContact,
    log,
    publicUrl,
    trustProxy: config.trustProxy,
    isOwners: async (authorization) =>
      (await sessionOfHeader(services, authorization)) !== undefined,
  }
}

/**
 * Where the routes look for an address. They take an encoded slash for a letter: behind the calls' own prefix it leads to the
 * calls, where it names none, and is refused as every unknown one.
 */
function routedPath(request: Request): string {
  return getPath(request).replace(/^\/api(?=%2f)/i, '/api/')
}
