import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong on the page as it is now: one line per rule with the elements it names. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // The debugger's own evaluation is not held by the page's content policy, as a script element would be.
  await page.evaluate(source)
  const { passes, violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(tags)} } })`,
  )
  const faults = violations.map(({ id, help, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).join(', ')
    return `${id}: ${help} (${where})`
  })
  const isMeasured = [...passes, ...violations].some(({ id }) => id === 'color-contrast')
  return isMeasured ? faults : [...faults, 'color-contrast: not measured']
}

/** Every theme and width the design is drawn for. */
export const looks = ['dark', 'light'].flatMap((theme) =>
  [390, 1440].map((width) => ({ theme, width })),
)

/** Shows the page in one of its looks, with nothing moving and without the faint dots behind it: over them axe judges no contrast. */
export async function show(page: Page, { theme, width }: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate((chosen) => {
    document.documentElement.dataset['theme'] = chosen
  }, theme)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('body::before { display: none !important }')
    document.adoptedStyleSheets = [sheet]
  })
}

/** By how many pixels the page can be scrolled sideways; leaves it there. */
export function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ left: 9999, behavior: 'instant' })
    return scrollX
  })
}
