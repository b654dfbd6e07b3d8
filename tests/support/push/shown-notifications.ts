import { expect, type Page } from 'playwright/test'

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

/**
 * Waits for what the device shows. It may take its time: Chromium returns to a push service whose line it lost twice only
 * after ten to thirty seconds.
 */
export function expectShown(page: Page): ReturnType<typeof expect.poll> {
  return expect.poll(() => shownNotifications(page), { timeout: 60_000 })
}
