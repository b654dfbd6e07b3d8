import { drainMessage } from '#contract/offline.ts'

/** Tells every open page to send its queue; the worker itself cannot, since it never holds a session. */
export async function wakePages(clients: Clients): Promise<void> {
  for (const page of await clients.matchAll({ type: 'window' })) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's pages are of its own origin
    page.postMessage(drainMessage)
  }
}
