import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtWithFile, type BuiltWith, type FirebaseService } from '#contract/firebase.ts'
import { cliTexts } from '#contract/texts-cli.ts'
import { createFront } from './http/front.ts'
import type { Render } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { loadStatics } from './http/static.ts'
import { parseTemplate } from './http/template.ts'
import type { Parts } from './parts.ts'
import { serve } from './serve.ts'
import { createSite, type Face } from './site.ts'

/* The built product: `dist/server/main.js`, with the client's files beside it in `dist/client`. */

async function builtFace({ config }: Parts): Promise<Face> {
  const folder = join(import.meta.dirname, '../client')
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const told = await readFile(join(folder, builtWithFile), 'utf8')
  const { services, hosts } = JSON.parse(told) as BuiltWith
  if (!config.firebase && needsAccount(services)) {
    process.stderr.write(`${cliTexts.noFirebaseAccount}\n`)
  }
  const { publicUrl } = config
  const headers = securityHeaders({ template: html, publicUrl, hosts })
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

/** Visitors can be served without the account, so its absence is said and does not stop the start. */
function needsAccount(services: readonly FirebaseService[]): boolean {
  return services.includes('push') || services.includes('images')
}

await serve(async (parts) => createFront(createSite(parts, await builtFace(parts))))
