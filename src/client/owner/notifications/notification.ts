import { serviceWorkers } from '#client/browser/closable.ts'

/** What a page shows on the device's own surface, outside the page. */
interface OwnNotification {
  readonly title: string
  readonly body: string
  /** Takes the place of an earlier one with the same tag. */
  readonly tag: string
  /** The path a press opens. */
  readonly url: string
}

/** Shows it where the owner allowed notifications before; never asks. The worker answers its press. */
export async function showNotification({ title, url, ...rest }: OwnNotification): Promise<void> {
  const registration = await allowedRegistration()
  const options = { ...rest, icon: '/icon-192.png', data: { url } }
  await registration?.showNotification(title, options)
}

/** Takes what the site shows off the device's surface: everything, or what has a meant tag. */
export async function clearNotifications(
  isMeant: (tag: string) => boolean = () => true,
): Promise<void> {
  const shown = (await (await allowedRegistration())?.getNotifications()) ?? []
  for (const notification of shown) if (isMeant(notification.tag)) notification.close()
}

async function allowedRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return undefined
  return serviceWorkers()?.getRegistration()
}
