import { serviceWorkers } from '#client/browser/closable.ts'

/** The worker's registration where the owner allowed notifications before; never asks. */
export async function allowedRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return undefined
  return serviceWorkers()?.getRegistration()
}

/** Takes notifications off the device, by default all of the site's. */
export async function clearNotifications(
  isMeant: (tag: string) => boolean = () => true,
): Promise<void> {
  const shown = (await (await allowedRegistration())?.getNotifications()) ?? []
  for (const notification of shown) if (isMeant(notification.tag)) notification.close()
}
