import { serviceWorkers } from '#client/browser/closable.ts'

interface OwnNotification {
  readonly title: string
  readonly body: string
  /** Replaces an earlier notification with the same tag. */
  readonly tag: string
  /** The path that a press opens. */
  readonly url: string
}

/** Shows it only where the owner allowed notifications before; never asks. The worker handles its press. */
export async function showNotification({ title, url, ...rest }: OwnNotification): Promise<void> {
  const registration = await allowedRegistration()
  const options = { ...rest, icon: '/icon-192.png', data: { url } }
  await registration?.showNotification(title, options)
}

/** Takes notifications off the device, by default all of the site's. */
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
