import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { readSite } from './db/content.ts'
import { siteRevision } from './db/revisions.ts'
import { createApp } from './http/app.ts'
import { contactPage } from './http/contact-page.ts'
import type { AppEnv } from './http/env.ts'
import { errorPage } from './http/error-page.ts'
import type { FrontOptions } from './http/front.ts'
import { mediaRoutes } from './http/media.ts'
import { createPages, type Drawing } from './http/pages.ts'
import { createRevisionMemo } from './http/revision-memo.ts'
import type { SecurityHeaders } from './http/security-headers.ts'
import type { Statics } from './http/static.ts'
import { toProblem } from './http/to-problem.ts'
import type { Parts } from './parts.ts'

/** How the site looks: the client's code and files, from the build or under development. */
export interface Face {
  readonly headers: SecurityHeaders
  readonly statics: Statics
  /** Inline style sheets for pages without code. */
  readonly styles: string
  drawing(): Drawing | Promise<Drawing>
  /** Whether drawn pages are kept until the content changes. */
  readonly keep: boolean
}

/** Everything behind the site's address, for `createFront` to listen with. */
export function createSite(parts: Parts, face: Face): FrontOptions {
  const { db, config, log, now, formAge } = parts
  const { publicUrl } = config
  const { headers, statics, styles } = face
  const revision = createRevisionMemo(() => siteRevision(db))
  const pages = createPages({
    drawing: face.drawing,
    keep: face.keep,
    readSite: () => readSite(db),
    revision,
    publicUrl,
    headers,
    log,
    now,
    newMark: () => formAge.mark(),
  })
  const app = new Hono<AppEnv>()
  app.onError((error, c) => {
    const { status, details } = toProblem(error)
    if (status >= 500) log('request-failed', { path: c.req.path, error: error.stack })
    return new Response(errorPage(styles), {
      status,
      headers: { ...details.headers, 'content-type': 'text/html; charset=utf-8' },
    })
  })
  app.route('/', createApp(parts))
  app.route('/', contactPage(parts, pages))
  app.route('/', mediaRoutes(parts))
  return { pages, statics, app: getRequestListener(app.fetch), headers, revision, styles, log }
}
