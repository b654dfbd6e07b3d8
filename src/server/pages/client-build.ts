import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtWithFile, type BuiltWith } from '#contract/firebase.ts'
import type { Config } from '../config.ts'
import { securityHeaders } from '../edge/security-headers.ts'
import { loadStatics } from '../edge/static.ts'
import type { Render } from './document.ts'
import { parseTemplate } from './template.ts'
import type { ClientBuild } from '../site.ts'

/* The client's half of the built product, in `dist/client` beside `dist/server`. */

const folder = join(import.meta.dirname, '../client')

/** What the pages were built with. */
export async function readBuiltWith(): Promise<BuiltWith> {
  return JSON.parse(await readFile(join(folder, builtWithFile), 'utf8')) as BuiltWith
}

/** How the built site looks. */
export async function readClientBuild(
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  { hosts }: BuiltWith,
): Promise<ClientBuild> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const headers = securityHeaders({ template: html, publicUrl, hosts, allowedOrigins })
  const template = parseTemplate(html)
  const { render } = (await import(new URL('./entry-server.js', import.meta.url).href)) as {
    readonly render: Render
  }
  return {
    headers,
    statics: await loadStatics(folder, headers),
    styles: template.styles,
    formStyles: template.formStyles,
    drawing: () => ({ template, render }),
    keep: true,
  }
}
