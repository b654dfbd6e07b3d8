import { cacheNames, type CacheWillUpdateCallback } from 'workbox-core'
import { getCacheKeyForURL } from 'workbox-precaching'
import { ownHeader } from '#contract/api.ts'
import { allPagesPath, shellPath, type GivenPage } from '#contract/offline/kept-page.ts'
import { inertPolicy } from '#contract/images/image.ts'
import { isFile } from './images.ts'
import { framed, visitedPage } from './page-frame.ts'
import { isOfThisBuild } from './pages.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Keeps what one answer brings of the files that are to be kept, so that the others alone are fetched by themselves. Not for a
 * new version: of its files the device has most. Resolves to whether this is the first version here; rejects when nobody
 * answered, or nothing could be kept.
 */
export async function keepLaterFiles(address: string): Promise<boolean> {
  const kept = await caches.open(cacheNames.precache)
  if ((await kept.keys()).length > 0) return false
  for (const [file, response] of await filesAt(address)) {
    const key = getCacheKeyForURL(file)
    if (key) await kept.put(key, response)
  }
  return true
}

/** The files that come together from this address, by path; rejects when nobody answered, or somebody else. */
export async function filesAt(address: string): Promise<readonly (readonly [string, Response])[]> {
  const files = (await (await fetch(address)).json()) as Readonly<Record<string, string>>
  return Object.entries(files).flatMap(([file, text]) => {
    const type = types[file.replace(/.*\./, '')]
    if (!type) return []
    // A vector picture that is opened by itself is a document.
    const headers = { 'Content-Type': type, 'Content-Security-Policy': inertPolicy }
    return [[`/${file}`, new Response(text, { headers })] as const]
  })
}

/**
 * Keeps the page without content from the answer with all pages, of which it is a small part; the device asks for that answer
 * again as soon as it keeps them, and has it by then. For the first version alone: a later one's device may be the owner's.
 * Rejects when the browser no longer has the page that brought the worker, whose frame it takes.
 */
export async function keepShell(clients: Pick<Clients, 'matchAll'>): Promise<void> {
  const key = getCacheKeyForURL(shellPath)
  const response = await fetch(allPagesPath)
  const { [shellPath]: shell } = (await response.json()) as Readonly<Record<string, GivenPage>>
  const html = shell && (await framed(shell, await visitedPage(clients)))
  if (!key || !html || !response.headers.has(ownHeader) || !isOfThisBuild(html)) return
  const kept = await caches.open(cacheNames.precache)
  await kept.put(key, new Response(html, { headers: shell.headers }))
}

/**
 * Lets a version in only with its own files: a portal's page in place of a script would be answered from the copy, and the
 * site stay dead on the device, until the version after it.
 */
export const onlyOwnFiles: CacheWillUpdateCallback = async ({ response }) =>
  isFile(response) || (response.ok && isOfThisBuild(await response.clone().text()))
    ? response
    : null
