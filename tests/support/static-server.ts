import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

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
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}${prefix}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
