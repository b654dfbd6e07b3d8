import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { listenOnLoopback } from './loopback.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** A server that knows files and nothing else, as hosts of static sites are: the folder's, under the prefix. */
export async function serveFolder(
  folder: string,
  prefix: string,
  port = 0,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    const inside = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '..'
    const file = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside
    const type = types[extname(file)]
    const isFile = type !== undefined && !file.includes('..')
    const answer = isFile ? readFile(join(folder, file)) : Promise.reject(new Error('no file'))
    answer.then(
      (bytes) => res.writeHead(200, { 'content-type': type }).end(bytes),
      () => res.writeHead(404).end(),
    )
  })
  const chosen = await listenOnLoopback(server, port)
  return {
    url: `http://127.0.0.1:${chosen}${prefix}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
