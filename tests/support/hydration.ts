import type { Page } from 'playwright/test'

/** Resolves when React has taken the page over. */
export async function isHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const app = document.getElementById('app')
    return app !== null && Object.keys(app).some((key) => key.startsWith('__reactContainer'))
  })
}
