import type { Page } from 'playwright/test'

/** What the site shows on the device's own surface, oldest first. */
export function shownNotifications(
  page: Page,
): Promise<readonly { readonly title: string; readonly body: string }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ title, body }) => ({ title, body }))
  })
}
