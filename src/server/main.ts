import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFront } from './http/front.ts'
import type { Render } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { loadStatics } from './http/static.ts'
import { parseTemplate } from './http/template.ts'
import { serve } from './serve.ts'
import { createSite, type Face } from './site.ts'

/* The built product: `dist/server/main.js`, with the client's files beside it in `dist/client`. */

async function builtFace(publicUrl: string): Promise<Face> {
  const folder = join(import.meta.dirname, '../client')
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const headers = securityHeaders({ template: html, publicUrl })
  const template = parseTemplate(html)
  const { render } = (await import(new URL('./entry-server.js', import.meta.url).href)) as {
    readonly render: Render
  }
  return {
    headers,
    statics: await loadStatics(folder, headers),
    styles: template.styles,
    drawing: () => ({ template, render }),
    keep: true,
  }
}

await serve(async (parts) =>
  createFront(createSite(parts, await builtFace(parts.config.publicUrl))),
)
