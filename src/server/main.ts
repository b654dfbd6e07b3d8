import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtWithFile, type BuiltWith, type FirebaseService } from '#contract/firebase.ts'
import { cliTexts } from '#contract/texts-cli.ts'
import type { Config } from './config.ts'
import { pagesAccount } from './firebase/pages-account.ts'
import { createFront } from './http/front.ts'
import type { Render } from './http/pages.ts'
import { securityHeaders } from './http/security-headers.ts'
import { loadStatics } from './http/static.ts'
import { parseTemplate } from './http/template.ts'
import type { Parts } from './parts.ts'
import { serve } from './serve.ts'
import { createSite, type Face } from './site.ts'

/* The built product: `dist/server/main.js`, with the client's files beside it in `dist/client`. */

const folder = join(import.meta.dirname, '../client')

async function builtFace({ publicUrl }: Config, { hosts }: BuiltWith): Promise<Face> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
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

/** Visitors can be served without the account, so what is wrong with it is said and does not stop the start. */
function sayTrouble({ config, log, pagesProject }: Parts): void {
  const found = pagesAccount(config.firebase, pagesProject)
  if (found.account) return
  if (!config.firebase) return void process.stderr.write(`${cliTexts.noFirebaseAccount}\n`)
  log('firebase-other-project', { account: config.firebase.projectId, pages: pagesProject })
  process.stderr.write(`${found.trouble}\n`)
}

function needsAccount(services: readonly FirebaseService[]): boolean {
  return services.includes('push') || services.includes('images')
}

await serve(async (opened) => {
  const told = JSON.parse(await readFile(join(folder, builtWithFile), 'utf8')) as BuiltWith
  const { projectId: pagesProject, services } = told
  const parts = { ...opened, ...(pagesProject !== undefined && { pagesProject }) }
  if (needsAccount(services)) sayTrouble(parts)
  return createFront(createSite(parts, await builtFace(parts.config, told)))
})
