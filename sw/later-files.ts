import { cacheNames } from 'workbox-core'
import { getCacheKeyForURL } from 'workbox-precaching'

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }

/**
 * Keeps what one answer brings of the files that are to be kept, so that the others alone are fetched by themselves. Not for a
 * new version: of its files the device has most. Rejects when nobody answered, or nothing could be kept.
 */
export async function keepLaterFiles(address: string): Promise<void> {
  const kept = await caches.open(cacheNames.precache)
  if ((await kept.keys()).length > 0) return
  const files = (await (await fetch(address)).json()) as Readonly<Record<string, string>>
  for (const [file, text] of Object.entries(files)) {
    const key = getCacheKeyForURL(`/${file}`)
    const type = types[file.replace(/.*\./, '')]
    if (!key || !type) continue
    await kept.put(
      key,
      new Response(text, { headers: { 'Content-Type': `${type}; charset=utf-8` } }),
    )
  }
}
