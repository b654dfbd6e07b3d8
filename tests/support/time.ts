import type { Page } from 'playwright/test'

/** Stops the page's clock, so that only `page.clock.runFor` moves its timers. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 1000))
}
