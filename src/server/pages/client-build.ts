import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtWithFile, type BuiltWith } from '#contract/firebase.ts'
import { fill } from '#contract/text.ts'
import { cliTexts } from '#contract/texts/cli.ts'
import type { Config } from '../config.ts'
import { securityHeaders } from '../edge/security-headers.ts'
import { loadStatics } from '../edge/static.ts'
import type { Render } from './document.ts'
import { parseTemplate } from './template.ts'
import type { ClientBuild } from '../site.ts'

/* The client's half of the built product, in `dist/client` beside `dist/server`. */

const folder = join(import.meta.dirname, '../client')

/** Rejects where the client has not been built. */
export async function readBuiltWith(): Promise<BuiltWith> {
  return JSON.parse(await readPart(builtWithFile)) as BuiltWith
}

/** Throws, in a sentence for a person, where it is not there. */
function readPart(name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch((error: Error) => {
    throw new Error(fill(cliTexts.incomplete, { message: error.message }), { cause: error })
  })
}

/** Reads every file of the build and loads its renderer; rejects where the client has not been built. */
export async function readClientBuild(
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  { hosts }: BuiltWith,
): Promise<ClientBuild> {
  const html = await readPart('index.html')
  const headers = securityHeaders({ template: html, publicUrl, hosts, allowedOrigins })
  const template = parseTemplate(html)
  const entry = new URL('./entry-server.js', import.meta.url).href
  const { render, loadScreens } = (await import(entry)) as {
    readonly render: Render
    loadScreens(): Promise<void>
  }
  await loadScreens()
  return {
    headers,
    statics: await loadStatics(folder, headers),
    styles: template.styles,
    formStyles: template.formStyles,
    drawing: () => ({ template, render }),
    keep: true,
  }
}
