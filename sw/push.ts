import { groupTag, parsePushMessage, type PushMessage } from '#contract/notifications/push.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { isTaken, openPages, tellPages } from './tell-pages.ts'

type Worker = Pick<ServiceWorkerGlobalScope, 'clients' | 'registration' | 'navigator'>

/**
 * Shows what was pushed, on the device and as the app's number, and tells the open pages. What is not ours is shown as
 * news without a word of it: browsers take the permission from sites that show nothing.
 */
export async function showPush(data: unknown, worker: Worker): Promise<void> {
  const message = parsePushMessage(data) ?? unknown
  const { title, body, tag, url, unread } = message
  const { registration, navigator } = worker
  await registration.showNotification(title, { body, tag, icon: '/icon-192.png', data: { url } })
  if (tag.startsWith(groupTag)) await closeOlder(registration, tag)
  if (unread !== undefined) await navigator.setAppBadge?.(unread).catch(() => undefined)
  await tellPages(worker.clients, { type: 'PUSH_ARRIVED' })
}

const unknown: Omit<PushMessage, 'type'> = {
  title: workerTexts.unknown,
  body: '',
  url: '/',
  tag: 'unknown',
}

/**
 * One for many takes the place of all before it, whose tags begin alike, of one message or of many; not by their tag, with
 * which it would not ring.
 */
async function closeOlder(registration: ServiceWorkerRegistration, newest: string): Promise<void> {
  for (const shown of await registration.getNotifications()) {
    if (shown.tag.startsWith('message') && shown.tag !== newest) shown.close()
  }
}

/** Shows what a notification leads to: in an open page of the owner's, else in a new window. */
export async function openPressed(
  notification: Pick<Notification, 'data' | 'close'>,
  { clients }: Pick<Worker, 'clients'>,
): Promise<void> {
  notification.close()
  const { url = '/' } = (notification.data ?? {}) as { readonly url?: string }
  for (const page of await openPages(clients)) {
    // Focusing comes after the answer: it takes up the one window that a press may open.
    if (await isTaken(page, { type: 'PUSH_OPEN', url })) return void (await page.focus())
  }
  await clients.openWindow(url)
}
