import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { readSite } from './db/site-data.ts'
import { siteRevision } from './db/revisions.ts'
import { createApp } from './api/app.ts'
import { createKeptReads } from './api/kept-reads.ts'
import { createMetrics } from './api/metrics.ts'
import { createCounts } from './edge/address-counts.ts'
import { addressOf } from './edge/client-address.ts'
import { contactPageRoutes } from './messages/contact-page.ts'
import type { AppEnv } from './api/env.ts'
import { errorPage } from './edge/error-page.ts'
import type { HttpServerOptions } from './edge/listener.ts'
import { sessionOfHeader } from './api/guard.ts'
import { mediaRoutes } from './images/media.ts'
import { createPages, type PageRenderer } from './pages/pages.ts'
import { createRevisionMemo } from './pages/revision-memo.ts'
import type { SecurityHeaders } from './edge/security-headers.ts'
import type { Statics } from './edge/static.ts'
import { causeOf, Problem } from './problem.ts'
import { createSteadyLog } from './steady-log.ts'
import { toProblem } from './api/to-problem.ts'
import { createCvPdf } from './resume/cv-pdf.ts'
import type { Services } from './services.ts'

/** How the site looks: the client's code and files, from the build or under development. */
export interface ClientBuild {
  readonly headers: SecurityHeaders
  readonly statics: Statics
  /** Inline style sheets for pages without code. */
  readonly styles: string
  drawing(): PageRenderer | Promise<PageRenderer>
  /** Whether drawn pages are kept until the content changes. */
  readonly keep: boolean
}

/** Everything behind the site's address, for `createHttpServer` to listen with. */
export function createSite(services: Services, face: ClientBuild): HttpServerOptions {
  const { db, config, log, now, formAge, images } = services
  const { publicUrl } = config
  const { headers, statics, styles } = face
  // On PostgreSQL other processes write too, and their changes have to show at once.
  const keptMs = services.engine === 'postgres' ? 0 : undefined
  const revision = createRevisionMemo(() => siteRevision(db), undefined, keptMs)
  const drawCv = createCvPdf({ images, statics, publicUrl, log })
  const pages = createPages({
    drawing: face.drawing,
    keep: face.keep,
    readSite: (shown) => readSite(db, shown, now()),
    revision,
    publicUrl,
    headers,
    log,
    now,
    drawCv,
    newMark: () => formAge.mark(),
    sharedCacheS: config.sharedCacheS,
  })
  const app = new Hono<AppEnv>()
  const trouble = createSteadyLog(log, now)
  app.onError((error, c) => {
    const { status, code, details } = toProblem(error)
    if (status >= 500) {
      // What the server itself turns away is no fault: its stack would tell nothing.
      const isOwn = error instanceof Problem && error.cause === undefined
      trouble('request-failed', code, () => ({
        path: c.req.path,
        code,
        ...(!isOwn && { error: causeOf(error).stack }),
      }))
    }
    return new Response(errorPage(styles), {
      status,
      headers: {
        ...details.headers,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      },
    })
  })
  const metrics = createMetrics(services)
  const countRead = createCounts(config.limits.reads, now)
  const reads = createKeptReads({
    revision,
    now,
    headers: [...headers.api, ...(config.allowedOrigins.length > 0 ? ['Vary', 'Origin'] : [])],
    mayRead: (req) => countRead(addressOf(req, config.trustProxy)) === 0,
    note: (res, begun) => metrics.note(res, begun),
  })
  app.route(
    '/',
    createApp(services, { metrics, countRead, keep: reads.keep, face: { ...face, drawCv } }),
  )
  app.route('/', contactPageRoutes(services, pages))
  app.route('/', mediaRoutes(services))
  return {
    pages,
    statics,
    app: getRequestListener(app.fetch),
    reads,
    headers,
    revision,
    styles,
    log,
    trustProxy: config.trustProxy,
    isOwners: async (authorization) =>
      (await sessionOfHeader(services, authorization)) !== undefined,
  }
}
