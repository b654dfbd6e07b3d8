import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { HeaderList, SecurityHeaders } from './security-headers.ts'
import { encodingsOf } from './encodings.ts'
import { storeAnswer, type StoredAnswer } from './stored-answer.ts'

/*
 * The built client, read once into memory (about a megabyte). An address is looked up among the files that exist, so no
 * spelling of it can reach anything else on the disk.
 */

const types: Readonly<Record<string, readonly [type: string, compressible: boolean]>> = {
  '.css': ['text/css; charset=utf-8', true],
  '.ico': ['image/x-icon', false],
  '.jpg': ['image/jpeg', false],
  '.js': ['text/javascript; charset=utf-8', true],
  '.json': ['application/json', true],
  '.png': ['image/png', false],
  '.svg': ['image/svg+xml', true],
  '.txt': ['text/plain; charset=utf-8', true],
  '.webmanifest': ['application/manifest+json', true],
  '.webp': ['image/webp', false],
  '.woff2': ['font/woff2', false],
}

const dayInSeconds = 86_400
const yearInSeconds = 31_536_000

export interface Statics {
  find(path: string): StoredAnswer | undefined
}

/** Leaves out pages, source maps and hidden files. */
export async function loadStatics(folder: string, headers: SecurityHeaders): Promise<Statics> {
  const files = new Map<string, Buffer>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    if (entry.isFile() && !path.includes('/.')) files.set(path, await readFile(file))
  }
  const answers = new Map<string, StoredAnswer>()
  for (const [path, body] of files) {
    const [type, compressible] = types[extname(path)] ?? []
    if (type === undefined) continue
    const policy = policyOf(path, headers)
    const caching = ['Content-Type', type, 'Cache-Control', cachingOf(path)]
    const brotli = files.get(`${path}.br`)
    answers.set(
      path,
      storeAnswer({
        status: 200,
        headers: [...policy, ...caching],
        body: encodingsOf(body, brotli),
        compressible: compressible ?? false,
      }),
    )
  }
  return { find: (path) => answers.get(path) }
}

/** A page's policy governs its parts, while the worker's policy comes with its file. */
function policyOf(path: string, { part, file, picture }: SecurityHeaders): HeaderList {
  if (path.endsWith('.svg')) return picture
  return path === '/sw.js' ? file : part
}

/** Names with a hash never change; the worker and the manifest are asked for anew each time. */
function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return `public, max-age=${yearInSeconds}, immutable`
  if (path === '/sw.js' || path.endsWith('.webmanifest')) return 'no-cache'
  return `public, max-age=${dayInSeconds}`
}
