import { createStore, get } from 'idb-keyval'
import { drainMessage, outboxPlace } from '#contract/offline.ts'
import { queueUrl } from '#contract/push-word.ts'
import { workerTexts } from '#contract/texts-worker.ts'
import { tellPages } from './tell-pages.ts'

type Waking = Pick<ServiceWorkerGlobalScope, 'clients' | 'registration'>

/** Tells every open page to send its queue; the worker itself cannot, since it never holds a session. */
export async function wakePages({ clients, registration }: Waking): Promise<void> {
  const pages = await tellPages(clients, drainMessage)
  const { waiting: title, waitingHint: body } = workerTexts
  if (pages > 0 || Notification.permission !== 'granted' || !(await isOwnersWaiting())) return
  await registration.showNotification(title, { body, tag: queueUrl, data: { url: queueUrl } })
}

/** Whether a change of the owner's is in the queue; a visitor's message is no business of hers. */
async function isOwnersWaiting(): Promise<boolean> {
  const { database, store, key } = outboxPlace
  const queue = await get<readonly { subject: { on: string } }[]>(key, createStore(database, store))
  return queue?.some(({ subject }) => subject.on !== 'message') ?? false
}
