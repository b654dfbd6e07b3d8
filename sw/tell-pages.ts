import type { drainMessage } from '#contract/offline.ts'
import type { PushWord } from '#contract/push-word.ts'

/** Tells every open page of the site, those of an older worker included; resolves to how many there are. */
export async function tellPages(
  clients: Pick<Clients, 'matchAll'>,
  word: PushWord | typeof drainMessage,
): Promise<number> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's pages are of its own origin
  for (const page of pages) page.postMessage(word)
  return pages.length
}
