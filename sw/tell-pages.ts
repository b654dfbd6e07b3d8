import type { drainMessage } from '#contract/offline/offline.ts'
import type { WorkerMessage } from '#contract/notifications/worker-messages.ts'

type PageMessage = WorkerMessage | typeof drainMessage

/** How long a page may take to answer, in milliseconds; one that runs answers at once. */
const answersWithinMs = 500

/** Tells every open page of the site, those of an older worker included. */
export async function tellPages(
  clients: Pick<Clients, 'matchAll'>,
  message: WorkerMessage,
): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's pages are of its own origin
  for (const page of await openPages(clients)) page.postMessage(message)
}

/** The pages of the site, those of an older worker included. */
export function openPages(clients: Pick<Clients, 'matchAll'>): Promise<readonly WindowClient[]> {
  return clients.matchAll({ type: 'window', includeUncontrolled: true })
}

/** Whether any page of the site is on screen. */
export async function isAnyoneLooking(clients: Pick<Clients, 'matchAll'>): Promise<boolean> {
  const pages = await openPages(clients)
  return pages.some(({ visibilityState }) => visibilityState === 'visible')
}

/** Whether the page does it; one that does not run, or has nobody signed in, says nothing. */
export function isTaken(
  page: WindowClient,
  message: PageMessage,
  withinMs = answersWithinMs,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    // Only a page that does it answers at all.
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    setTimeout(() => resolve(false), withinMs)
    page.postMessage(message, [port2])
  })
}
