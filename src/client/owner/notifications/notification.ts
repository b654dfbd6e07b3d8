import { allowedRegistration } from '#client/session/shown-notifications.ts'

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
