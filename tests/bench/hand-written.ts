import { readdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright'
import { listenOnLoopback } from '../support/loopback.ts'

/*
 * The pages that the product is measured against: its own, as somebody would write them by hand, with the same words,
 * pictures and fonts, a sheet of a kilobyte and no script.
 */

const fonts = readdirSync('dist/client/assets').filter((file) => file.endsWith('.woff2'))
const fontFile = (name: string) => `/assets/${fonts.find((file) => file.startsWith(name))}`

const sheet = `
@font-face{font-family:Sans;src:url(${fontFile('instrument-sans-spanish')});font-weight:400 700;font-display:swap}
@font-face{font-family:Mono;src:url(${fontFile('geist-mono-spanish')});font-display:swap}
:root{color-scheme:light dark}
*{box-sizing:border-box;margin:0}
body{font:1rem/1.5 Sans,system-ui,sans-serif;background:light-dark(#f6fbfb,#00111d);color:light-dark(#06222f,#e8f3f4)}
header,main,footer{max-width:72rem;margin:auto;padding:1rem}
ul,ol{list-style:none;padding:0}
nav ul,footer ul{display:flex;flex-wrap:wrap;gap:1rem}
a{color:inherit}
h1{font-size:2.5rem;line-height:1.1}
h2{font-size:1.25rem}
img{max-width:100%;height:auto}
main ul,main ol{display:grid;gap:2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr))}
code,time{font-family:Mono,monospace}
form{display:grid;gap:1rem;max-width:36rem}
input,textarea,button{font:inherit;padding:.6rem}
.sr-only{position:absolute;inline-size:1px;block-size:1px;overflow:hidden}
`

/** What a page of the product would be, written by hand. */
export async function writtenByHand(page: Page): Promise<string> {
  const body = await page.evaluate(() => {
    const kept = new Set(
      'href src srcset sizes alt width height loading fetchpriority name type'.split(' '),
    )
    const copy = document.body.cloneNode(true) as HTMLElement
    const left = 'script, style, link, template, dialog, svg, noscript, details, [hidden], .tabs'
    for (const node of copy.querySelectorAll(left)) node.remove()
    for (const node of copy.querySelectorAll('*')) {
      const isUnseen = node.classList.contains('sr-only')
      for (const name of node.getAttributeNames()) if (!kept.has(name)) node.removeAttribute(name)
      if (isUnseen) node.className = 'sr-only'
    }
    return copy.innerHTML.replaceAll(/<!--.*?-->/g, '')
  })
  const title = await page.title()
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="icon" href="/icon.svg"><style>${sheet}</style></head><body>${body}</body></html>`
}

interface File {
  readonly type: string
  readonly bytes: Buffer
  readonly tag?: string
}

/** Serves such pages as a server of static files does, on a free port; their pictures and fonts are the product's own. */
export async function serveByHand(pages: ReadonlyMap<string, string>, product: string) {
  const files = new Map<string, File>()
  for (const [path, html] of pages) {
    const bytes = brotliCompressSync(html)
    const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
    files.set(path, { type: 'text/html; charset=utf-8', bytes, tag })
  }
  const fileAt = async (path: string): Promise<File> => {
    const kept = files.get(path)
    if (kept) return kept
    const answer = await fetch(product + path)
    const type = answer.headers.get('content-type') ?? ''
    const file = { type, bytes: Buffer.from(await answer.arrayBuffer()) }
    files.set(path, file)
    return file
  }
  const answer = async (path: string, asked: string | undefined, response: ServerResponse) => {
    const { type, bytes, tag } = await fileAt(path)
    response.setHeader('content-type', type)
    if (tag === undefined) {
      response.setHeader('cache-control', 'public, max-age=31536000, immutable')
      return response.end(bytes)
    }
    response.setHeader('cache-control', 'no-cache')
    response.setHeader('etag', tag)
    if (asked === tag) return response.writeHead(304).end()
    response.setHeader('content-encoding', 'br')
    return response.end(bytes)
  }
  const server = createServer(({ url = '/', headers }, response) => {
    answer(url, headers['if-none-match'], response).catch(() => response.destroy())
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
