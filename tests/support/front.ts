import { mkdir, writeFile } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SiteData } from '#contract/api.ts'
import { emptyDraft } from '#contract/fields.ts'
import { personFields } from '#contract/person.ts'
import { defaultSettings } from '#contract/setting-defaults.ts'
import type { Log } from '#server/log.ts'
import { createFront } from '#server/http/front.ts'
import { createPages, type Render } from '#server/http/pages.ts'
import { createRevisionMemo } from '#server/http/revision-memo.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import type { FrontLimits } from '#server/http/server-limits.ts'
import { loadStatics } from '#server/http/static.ts'
import { parseTemplate } from '#server/http/template.ts'
import type { Parts } from '#server/parts.ts'
import { createSite } from '#server/site.ts'
import { freshFolder } from './database.ts'

/** A template as the build writes it, cut down to what the server looks at. */
export const pageTemplate = [
  '<!doctype html><html lang="es" data-theme="dark"><head><meta charset="utf-8">',
  '<script>document.title</script><!--head--><style>body{margin:0}</style></head>',
  '<body><div id="app"><!--app--></div><!--state--></body></html>',
].join('')

/** A site without entries whose profile is filled with the given fields. */
export function siteData(
  fields: Readonly<Record<string, string>> = {},
  rest: Partial<SiteData> = {},
): SiteData {
  return {
    person: { version: 1, fields: { ...emptyDraft(personFields), ...fields } },
    settings: defaultSettings,
    entries: {},
    ...rest,
  }
}

interface FrontSetup {
  readonly render?: Render
  readonly readSite?: () => Promise<SiteData>
  readonly readRevision?: () => Promise<number>
  readonly app?: RequestListener
  readonly files?: Files
  readonly template?: string
  readonly publicUrl?: string
  readonly limits?: Partial<FrontLimits>
  readonly log?: Log
  readonly now?: () => Date
}

/** A front on a free port, closed when the test ends; what the test does not name does as little as possible. */
export async function startFront({
  render = async ({ url }) => ({ status: 200, app: `<main>${url}</main>`, state: '{}' }),
  readSite = async () => siteData(),
  readRevision = async () => 1,
  app = (_, res) => res.end('app'),
  files = {},
  template = pageTemplate,
  publicUrl = 'https://lucia.example',
  limits = {},
  log = () => undefined,
  now = () => new Date(),
}: FrontSetup = {}) {
  const folder = await writeFiles(files)
  const headers = securityHeaders({ template, publicUrl })
  // Its clock stands still: only writes through the front make it ask again.
  const revision = createRevisionMemo(readRevision, () => 0)
  const parsed = parseTemplate(template)
  const drawing = () => ({ template: parsed, render })
  const pages = createPages({
    drawing,
    readSite,
    revision,
    publicUrl,
    headers,
    log,
    now,
    newMark: () => 'marca',
    keep: true,
  })
  const statics = await loadStatics(folder, headers)
  const { styles } = parsed
  const front = createFront({ pages, statics, app, headers, revision, styles, log }, limits)
  return listen(front)
}

/** A whole site on these parts, its pages drawn by `render`, on a free port until the test ends. */
export async function startSite(parts: Parts, render: Render) {
  const { publicUrl } = parts.config
  const template = parseTemplate(pageTemplate)
  const site = createSite(parts, {
    headers: securityHeaders({ template: pageTemplate, publicUrl }),
    statics: { find: () => undefined },
    styles: template.styles,
    drawing: () => ({ template, render }),
    keep: true,
  })
  return listen(createFront(site))
}

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
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
