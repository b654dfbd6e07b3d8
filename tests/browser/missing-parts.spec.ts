import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { accessibilityFaults, looks, show } from '#tests/support/axe.ts'
import { expect, signIn, test } from '#tests/support/browser.ts'
import { readManifest, sheetsOf } from '#tests/support/built-client.ts'

const manifest = readManifest()
const toolsSource = 'src/client/owner/shell/owner-tools.tsx'
const script = `**/${manifest[toolsSource]?.file}`
/** What only her code brings: without the others nothing would ask again. */
const sheets = sheetsOf(manifest, toolsSource).filter(
  (file) => !sheetsOf(manifest, 'src/client/offline/start.ts').includes(file),
)
const settingsLink = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: texts.settings })
const band = (page: Page) => page.locator('.net-band', { hasText: offlineTexts.partMissing })

/** Leaves out what the address is of until told otherwise; resolves to how often it was asked for. */
async function withhold(page: Page, address: string, how: 'gone' | 'cut') {
  let asked = 0
  await page.context().route(address, (route) => {
    asked++
    return how === 'gone' ? route.fulfill({ status: 404 }) : route.abort()
  })
  return { asked: () => asked, give: () => page.context().unroute(address) }
}

/** From now on no pause ends by itself. */
async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
}

for (const how of ['gone', 'cut'] as const) {
  test(`her tools come by themselves after their code was ${how} for a while`, async ({
    page,
    site,
  }) => {
    await signIn(page, site)
    const code = await withhold(page, script, how)
    await page.goto('/')
    await expect(band(page)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await code.give()
    await expect(settingsLink(page)).toBeVisible()
    await expect(band(page)).toHaveCount(0)
  })
}

test('the band names what is missing and asks for it again at a press', async ({ page, site }) => {
  await signIn(page, site)
  await page.clock.install()
  const code = await withhold(page, script, 'gone')
  await page.goto('/')
  await expect.poll(code.asked).toBeGreaterThan(0)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.getByRole('link', { name: project.title }).first().click()
  await expect(band(page)).toBeVisible()
  for (const look of looks) {
    await show(page, look)
    expect(await accessibilityFaults(page)).toEqual([])
  }
  await holdClock(page)
  await code.give()
  await band(page).getByRole('button', { name: texts.retry }).click()
  await expect(settingsLink(page)).toBeVisible()
  await expect(band(page)).toHaveCount(0)
})

test('a connection that is back brings what was missing', async ({ page, site }) => {
  await signIn(page, site)
  await page.clock.install()
  const code = await withhold(page, script, 'cut')
  await page.goto('/')
  await expect.poll(code.asked).toBeGreaterThan(0)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.context().setOffline(true)
  await holdClock(page)
  await code.give()
  await page.context().setOffline(false)
  await expect(settingsLink(page)).toBeVisible()
})

test('styles that did not come are asked for again with the part that needs them', async ({
  page,
  site,
}) => {
  expect(sheets).not.toEqual([])
  await signIn(page, site)
  const held = await Promise.all(sheets.map((file) => withhold(page, `**/${file}`, 'gone')))
  await page.goto('/')
  await expect(band(page)).toBeVisible()
  for (const { give } of held) await give()
  await expect(settingsLink(page)).toBeVisible()
  await expect(band(page)).toHaveCount(0)
  const applied = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href))
  expect(applied).toEqual(expect.arrayContaining(sheets.map((file) => `${site.url}/${file}`)))
})
