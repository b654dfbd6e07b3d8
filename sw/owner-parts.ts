import { matchPrecache } from 'workbox-precaching'
import { ownersCache } from '#contract/offline/offline.ts'
import { isFile } from './images.ts'
import { fewAtATime } from './warm.ts'

/**
 * Keeps what only the owner needs of the application, which no visitor's device fetches; resolves once all of it is there,
 * and rejects when some could not be had.
 */
export async function keepOwnersParts(list: string): Promise<void> {
  const kept = await caches.open(ownersCache)
  const keep = async (file: string) => {
    if (!(await kept.match(file))) await kept.put(file, await fileAt(file))
  }
  await keep(list)
  const missing: string[] = []
  await fewAtATime(await readList(list), async (file) => {
    try {
      await keep(file)
    } catch {
      missing.push(file)
    }
  })
  if (missing[0]) throw Error(`Not kept: ${missing.join()}`)
}

async function fileAt(file: string): Promise<Response> {
  const answer = await fetch(file)
  if (isFile(answer)) return answer
  throw Error()
}

/** As `keepOwnersParts`, on her devices alone: the next version may have to work without a connection, too. */
export async function renewOwnersParts(list: string): Promise<void> {
  if (await caches.has(ownersCache)) await keepOwnersParts(list)
}

/** Throws away what only the version before had. */
export async function dropOldParts(list: string): Promise<void> {
  if (!(await caches.has(ownersCache))) return
  const kept = await caches.open(ownersCache)
  const files = new Set(
    [list, ...(await readList(list))].map((file) => new URL(file, location.href).href),
  )
  const old = (await kept.keys()).filter(({ url }) => !files.has(url))
  await Promise.all(old.map((request) => kept.delete(request)))
}

/** The part of the application at this address: everybody's or the owner's, kept or fetched. */
export async function answerPart({ url }: Pick<Request, 'url'>): Promise<Response> {
  const kept = (await matchPrecache(url)) ?? (await caches.match(url, { cacheName: ownersCache }))
  return kept ?? fetch(url)
}

async function readList(list: string): Promise<readonly string[]> {
  const answer = await answerPart({ url: list })
  return ((await answer.json()) as readonly string[]).map((file) => `/${file}`)
}
