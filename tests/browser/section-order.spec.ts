import type { Page } from 'playwright/test'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { sections } from '#contract/sections/index.ts'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { texts } from '#contract/texts/site.ts'
import { accessibilityFaults, faultsOnPlainGround, show, sidewaysOf } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { rowNames, servedPage, snackbar } from '#tests/support/entries.ts'
import { isDrained, ownerTab, sendQueue } from '#tests/support/queue.ts'

test.use({ writes: true })

const all = sections.length
const titles = sections.map(({ title }) => title)
const group = '/settings#secciones'
/** The titles of the sections that visitors have. */
const shown = sections.filter(({ startsOff }) => !startsOff).map(({ title }) => title)

const headerNames = async (page: Page) =>
  (await page.locator('.nav > ul a').allTextContents()).slice(2, -1)
/** The header follows as soon as the change is in the queue. */
const headerFollows = (page: Page, names: readonly string[]) =>
  expect.poll(() => headerNames(page)).toEqual(names)
const arrow = (page: Page, way: 'up' | 'down', name: string) =>
  page.getByRole('button', { name: fill(orderTexts[way], { name }), exact: true })
const news = (page: Page, name: string, n: number) =>
  page.getByText(fill(orderTexts.place, { name, n, all }), { exact: true })
const swapped = (list: readonly string[], from: number, to: number) =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from] ?? '')

/** The titles in the order in which the served header names them. */
async function servedNames(page: string): Promise<readonly string[]> {
  const nav = /<nav class="nav".*?<\/ul>/s.exec(page)?.[0] ?? ''
  return [...nav.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, name = '']) => name).slice(2, -1)
}

test('her arrows put the sections in order, for her at once and for visitors once it is sent', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: group })
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await rowNames(page)).toEqual(titles)
  const down = arrow(page, 'down', project.title)
  await down.click()
  await expect(down).toBeFocused()
  await expect(news(page, project.title, 2)).toBeAttached()
  expect(await rowNames(page)).toEqual(swapped(titles, 0, 1))
  await headerFollows(page, swapped(shown, 0, 1))
  const up = arrow(page, 'up', experience.title)
  await expect(up).toHaveAttribute('aria-disabled', 'true')
  await up.press('Enter')
  expect(await rowNames(page)).toEqual(swapped(titles, 0, 1))
  expect(await faultsOnPlainGround(page)).toEqual([])
  await isDrained(page)
  const visitor = await servedPage(site, '/')
  expect(await servedNames(visitor)).toEqual(swapped(shown, 0, 1))
  // Back where it was, nothing is left of it.
  await arrow(page, 'up', project.title).press('Enter')
  await expect(arrow(page, 'up', project.title)).toBeFocused()
  await isDrained(page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({ sections_order: '' })
})

test('an order made offline is hers at once, survives a reload, and reaches visitors afterwards', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: group })
  await page.setViewportSize({ width: 1440, height: 900 })
  const before = await servedPage(site, '/')
  await device.context.setOffline(true)
  const last = shown.at(-1) ?? ''
  const from = shown.length - 1
  await arrow(page, 'up', last).click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await arrow(page, 'up', last).press('Enter')
  await headerFollows(page, swapped(shown, from, from - 2))
  await page.reload()
  await expect(page.locator('#secciones li')).toHaveCount(all)
  expect(await rowNames(page)).toEqual(swapped(titles, from, from - 2))
  await headerFollows(page, swapped(shown, from, from - 2))
  expect(await servedNames(before)).toEqual(shown)
  await sendQueue(device, page)
  await expect
    .poll(async () => servedNames(await servedPage(site, '/')))
    .toEqual(swapped(shown, from, from - 2))
  const visitor = await device.context.newPage()
  await visit(visitor, '/')
  await headerFollows(visitor, swapped(shown, from, from - 2))
})

test('a handle takes a section by the keyboard and by the pointer; Escape puts it back', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: group })
  await page.setViewportSize({ width: 1440, height: 900 })
  const handle = page.locator('#secciones li', { hasText: project.title }).locator('.handle')
  await handle.press(' ')
  await expect(handle).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(handle).toBeFocused()
  await expect(news(page, project.title, 3)).toBeAttached()
  expect(await faultsOnPlainGround(page)).toEqual([])
  // What is only held is not kept yet.
  expect(await headerNames(page)).toEqual(shown)
  await page.keyboard.press('Escape')
  await expect(page.getByText(orderTexts.restored, { exact: true })).toBeAttached()
  expect(await rowNames(page)).toEqual(titles)
  await handle.press(' ')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await expect(handle).toHaveAttribute('aria-pressed', 'false')
  await headerFollows(page, swapped(shown, 0, 1))
  await handle.hover()
  await page.mouse.down()
  const target = await page.locator('#secciones li').nth(3).boundingBox()
  await page.mouse.move(500, (target?.y ?? 0) + (target?.height ?? 0) - 4, { steps: 8 })
  expect(await headerNames(page)).toEqual(swapped(shown, 0, 1))
  await page.mouse.up()
  await headerFollows(page, swapped(shown, 0, 3))
  await isDrained(page)
  expect(await servedNames(await servedPage(site, '/'))).toEqual(swapped(shown, 0, 3))
})

test('on a phone there are arrows alone, and the bar follows them', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: group })
  const bar = page.getByRole('navigation', { name: texts.navigation }).filter({ visible: true })
  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 390, 320]) {
      await show(page, { theme, width })
      await expect(page.locator('#secciones .handle').first()).toBeVisible({ visible: width > 640 })
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await sidewaysOf(page)).toBe(0)
    }
  }
  const third = shown[2] ?? ''
  await arrow(page, 'up', third).click()
  await expect(bar).toContainText(third)
  await isDrained(page)
})
