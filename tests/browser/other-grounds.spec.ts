import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { expect, test } from '#tests/support/browser.ts'

/* Where the page's ground is not the theme's: on paper, and in the colours that a person's system forces. */

/** How far the title's letters stand out of their ground, between 0 and 255. */
async function contrastOf(page: Page): Promise<number> {
  const picture = await page.locator('.typed-title').screenshot()
  const { channels } = await sharp(picture).greyscale().stats()
  const [grey] = channels
  return (grey?.max ?? 0) - (grey?.min ?? 0)
}

for (const theme of ['dark', 'light'] as const) {
  test(`the drawn title of the ${theme} theme can be read on paper and in forced colours @main`, async ({
    visitor,
  }) => {
    await visitor.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
    await visitor.goto('/')
    await expect(visitor.locator('html')).toHaveAttribute('data-theme', theme)
    const drawing = visitor.locator(`.for-${theme} img[alt]`).first()
    await expect
      .poll(() => drawing.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)

    await visitor.emulateMedia({ media: 'print' })
    expect(await contrastOf(visitor), 'on paper').toBeGreaterThan(150)
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.emulateMedia({ media: 'screen', forcedColors: 'active', colorScheme })
      expect(await contrastOf(visitor), `forced ${colorScheme}`).toBeGreaterThan(150)
    }
  })
}
