import { createStore, get } from 'idb-keyval'
import { drainMessage, outboxPlace } from '#contract/offline/offline.ts'
import { queueUrl } from '#contract/notifications/worker-messages.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { isTaken, openPages } from './tell-pages.ts'

/** A page that has no session yet asks the server for it first, and may wait for ten seconds of these, in milliseconds. */
const sendsWithinMs = 12_000

type Draining = Pick<ServiceWorkerGlobalScope, 'clients' | 'registration'>

/** Has every open page send its queue; the worker itself cannot, since it never holds a session. */
export async function drainInPages(
  { clients, registration }: Draining,
  isWaiting = isOwnersWaiting,
): Promise<void> {
  const pages = await openPages(clients)
  const isSent = await Promise.all(pages.map((page) => isTaken(page, drainMessage, sendsWithinMs)))
  const { waiting: title, waitingHint: body } = workerTexts
  if (isSent.includes(true) || Notification.permission !== 'granted' || !(await isWaiting())) return
  await registration.showNotification(title, { body, tag: queueUrl, data: { url: queueUrl } })
}

/** Whether a change of the owner's is in the queue; a visitor's message is no business of hers. */
async function isOwnersWaiting(): Promise<boolean> {
  const { database, store, key } = outboxPlace
  const queue = await get<readonly { subject: { on: string } }[]>(key, createStore(database, store))
  return queue?.some(({ subject }) => subject.on !== 'message') ?? false
}
