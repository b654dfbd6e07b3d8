import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Page } from 'playwright/test'

/** Where something was found: in which of the texts looked for, and in which file. */
export interface Found {
  readonly what: string
  readonly file: string
}

/** As browsers write text to a disk: their databases keep it in either encoding. */
const encodings = ['utf8', 'utf16le'] as const

/**
 * Every file of a browser's profile that holds one of the texts, by its name. A half of a text is enough: what is
 * compressed may be cut in two.
 */
export async function searchProfile(
  folder: string,
  texts: Readonly<Record<string, string>>,
): Promise<readonly Found[]> {
  const needles = Object.entries(texts).flatMap(([what, text]) =>
    halves(text).flatMap((half) =>
      encodings.map((kind) => ({ what, bytes: Buffer.from(half, kind) })),
    ),
  )
  const found = new Map<string, Found>()
  for (const file of await filesBelow(folder)) {
    // Browsers take files away while they run.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    for (const needle of needles) {
      if (!bytes.includes(needle.bytes)) continue
      const place = { what: needle.what, file: relative(folder, file) }
      found.set(JSON.stringify(place), place)
    }
  }
  return [...found.values()]
}

function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Everything of this page's origin that a script can read of what the browser keeps, session storage apart: as text. */
export function everythingReadable(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const rows: unknown[] = [JSON.stringify(localStorage), document.cookie]
    for (const { name = '' } of await indexedDB.databases()) {
      const { promise, resolve } = Promise.withResolvers<IDBDatabase>()
      const opening = indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
      const database = await promise
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        await new Promise((done) => reading.addEventListener('success', done))
        const read = (reading.result as unknown[]).map((value) =>
          value instanceof Blob ? value.text() : value,
        )
        rows.push(name, store, await Promise.all(read))
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request, { ignoreVary: true })
        rows.push(request.url, [...request.headers], [...(answer?.headers ?? [])])
        if (/json|text/.test(answer?.headers.get('Content-Type') ?? '')) {
          rows.push(await answer?.text())
        }
      }
    }
    return JSON.stringify(rows)
  })
}

/** The same with what this tab alone keeps, the session among it. */
export async function everythingStored(page: Page): Promise<string> {
  return (
    (await everythingReadable(page)) + (await page.evaluate(() => JSON.stringify(sessionStorage)))
  )
}
