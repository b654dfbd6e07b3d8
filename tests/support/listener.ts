import { mkdir, writeFile } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SiteData } from '#contract/api.ts'
import { emptyValues } from '#contract/fields.ts'
import { personFields } from '#contract/person/person.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import type { Log } from '#server/log.ts'
import { createHttpServer, type HttpServerOptions } from '#server/edge/listener.ts'
import { createUnreadContact } from '#server/messages/plain-form.ts'
import type { Render } from '#server/pages/document.ts'
import { createPages } from '#server/pages/pages.ts'
import { createRevisionMemo } from '#server/pages/revision-memo.ts'
import { securityHeaders } from '#server/edge/security-headers.ts'
import type { ServerLimits } from '#server/edge/server-limits.ts'
import { loadStatics } from '#server/edge/static.ts'
import { parseTemplate } from '#server/pages/template.ts'
import type { CvPdf } from '#server/resume/cv-pdf.ts'
import type { Services } from '#server/services.ts'
import { createSite } from '#server/site.ts'
import type { TestApp } from './app.ts'
import { freshFolder } from './database.ts'
import { listenOnLoopback } from './loopback.ts'
import { pageTemplate } from './page-template.ts'
import { inTurns } from './turns.ts'

/** A site without entries whose profile is filled with the given fields. */
export function emptySiteData(
  fields: Readonly<Record<string, string>> = {},
  rest: Partial<SiteData> = {},
): SiteData {
  return {
    person: { version: 1, fields: { ...emptyValues(personFields), ...fields } },
    settings: defaultSettings,
    entries: {},
    ...rest,
  }
}

interface ListenerSetup {
  readonly render?: Render
  readonly readSite?: Parameters<typeof createPages>[0]['readSite']
  readonly readAnswer?: Parameters<typeof createPages>[0]['readAnswer']
  readonly readRevision?: () => Promise<number>
  readonly app?: RequestListener
  readonly files?: Files
  readonly template?: string
  readonly publicUrl?: string
  readonly limits?: Partial<ServerLimits>
  readonly log?: Log
  readonly now?: () => Date
  readonly newMark?: () => string
  readonly trustProxy?: number
  readonly isOwners?: HttpServerOptions['isOwners']
  readonly drawCv?: CvPdf
  readonly reads?: HttpServerOptions['reads']
}

/** A server on a free port, closed when the test ends; what the test does not name does as little as possible. */
export async function startListener({
  render = async ({ url }) => ({ status: 200, app: `<main>${url}</main>`, state: '{}' }),
  readSite = async () => emptySiteData(),
  readAnswer = () => Response.error(),
  readRevision = async () => 1,
  app = (_, res) => res.end('app'),
  files = {},
  template = pageTemplate,
  publicUrl = 'https://lucia.example',
  limits = {},
  log = () => undefined,
  now = () => new Date(),
  newMark = () => 'marca',
  trustProxy = 0,
  isOwners = async () => false,
  drawCv,
  reads,
}: ListenerSetup = {}) {
  const folder = await writeFiles(files)
  const headers = securityHeaders({ template, publicUrl })
  // Its clock stands still: only writes through the server make it ask again.
  const revision = createRevisionMemo(readRevision, { clock: () => 0 })
  const parsed = parseTemplate(template)
  const drawing = () => ({ template: parsed, render })
  const pages = createPages({
    drawing,
    readSite,
    readAnswer,
    revision,
    publicUrl,
    headers,
    log,
    now,
    drawCv,
    newMark,
    sharedCacheS: 0,
    keep: true,
  })
  const statics = await loadStatics(folder, headers)
  const { styles } = parsed
  const unreadContact = createUnreadContact(parsed.formStyles)
  const drawn = { pages, statics, headers, styles, unreadContact, publicUrl }
  const stands = { ...drawn, app, revision, log, trustProxy, isOwners, ...(reads && { reads }) }
  const server = createHttpServer(stands, limits)
  return listen(server)
}

/** Draws pages on which all that they are drawn from stands, shown or not. */
export const drawAll: Render = async ({ url, data }) => ({
  status: 200,
  app: `<main>${url}</main>`,
  state: JSON.stringify(data),
})

/** A whole site on these services, its pages drawn by `render`, on a free port until the test ends. */
export async function startSite(services: Services, render: Render) {
  const { publicUrl } = services.config
  const template = parseTemplate(pageTemplate)
  const site = createSite(services, {
    headers: securityHeaders({ template: pageTemplate, publicUrl }),
    statics: { find: () => undefined },
    styles: template.styles,
    formStyles: template.formStyles,
    drawing: () => ({ template, render }),
    keep: true,
  })
  return listen(createHttpServer(site))
}

/** A whole site on each process of the app; answers with the address of the next of them each time. */
export async function startSites(
  { processes: [first, ...others] }: Pick<TestApp, 'processes'>,
  render: Render,
): Promise<() => string> {
  const { url } = await startSite(first, render)
  const beside = await Promise.all(others.map((services) => startSite(services, render)))
  return inTurns(url, ...beside.map((site) => site.url))
}

async function listen(server: Server) {
  const port = await listenOnLoopback(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, url: `http://127.0.0.1:${port}` }
}

type Files = Readonly<Record<string, string | Uint8Array>>

async function writeFiles(files: Files): Promise<string> {
  const folder = await freshFolder()
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return folder
}
