import type { Page } from 'playwright/test'
import { fullName } from '#contract/person/person.ts'
import { sample } from '#contract/sample.ts'
import { project } from '#contract/sections/project.ts'
import { importTexts } from '#contract/texts/import.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { openPanel } from '#tests/support/entries.ts'
import { applyButton, fileChooser, giveFile, importBar } from '#tests/support/import-page.ts'
import { ownerTab } from '#tests/support/queue.ts'

const card = (page: Page) => page.getByRole('complementary', { name: offlineTexts.installTitle })
const name = fullName({ version: 1, fields: sample.person })

test.use({ deviceExtras: { isWhole: true } })

/** Makes the device one that was here yesterday. */
function wasHereBefore(): void {
  localStorage.setItem('tintero-visits', '1')
  localStorage.setItem('tintero-seen', '1')
}

test('the browser finds nothing that speaks against installing, and the profile’s name @main', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  const session = await device.context.newCDPSession(page)
  const manifest = await session.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  const described = JSON.parse(manifest.data ?? '') as Readonly<Record<string, unknown>>
  expect(described).toMatchObject({ name, lang: 'es', id: '/', start_url: '/?desde=app' })
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
})

test('every picture the manifest names is there in the size it says', async ({ device, site }) => {
  const page = await device.tab()
  await page.goto('/')
  const response = await fetchInTime(`${site.url}/manifest.webmanifest`)
  const { icons, screenshots } = (await response.json()) as Record<
    'icons' | 'screenshots',
    readonly { readonly src: string; readonly sizes: string }[]
  >
  for (const { src, sizes } of [...icons, ...screenshots]) {
    const size = await page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    if (sizes !== 'any') expect(size).toBe(sizes)
  }
})

test('a second visit is offered to install, never over a form, and a no is kept', async ({
  device,
}) => {
  await device.context.addInitScript(wasHereBefore)
  const page = await device.tab()
  await visit(page, '/projects')
  await expect(card(page)).toBeVisible()
  await page.getByRole('link', { name: texts.contact }).first().click()
  await expect(page).toHaveURL(/\/contact$/)
  await expect(card(page)).toBeHidden()
  await page.getByRole('link', { name: texts.home }).first().click()
  await expect(card(page)).toBeVisible()
  await card(page).getByRole('button', { name: offlineTexts.installLater }).click()
  await expect(card(page)).toBeHidden()
  await visit(page, '/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(card(page)).toBeHidden()
})

test('a first visit is not asked, but the menu has the way to install', async ({ device }) => {
  const page = await device.tab()
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, '/')
  await page.getByRole('button', { name: texts.more }).click()
  await expect(page.getByRole('button', { name: offlineTexts.installApp })).toBeVisible()
  await expect(card(page)).toBeHidden()
})

test('it does not lie over what an import would change, nor over its bar', async ({
  device,
  site,
}) => {
  await device.context.addInitScript(wasHereBefore)
  const page = await ownerTab(device, { site, path: '/traer' })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(fileChooser(page)).toBeEnabled()
    await expect(card(page)).toBeVisible()
    await giveFile(page, 'resume.json', JSON.stringify({ projects: [{ name: 'Mapa' }] }))
    await expect(applyButton(page)).toBeVisible()
    await expect(card(page)).toBeHidden()
    await importBar(page).getByRole('button', { name: importTexts.cancel }).click()
    await expect(card(page)).toBeVisible()
  }
})

/** Makes pages believe that they are on an iPhone. */
function isOnIphone(): void {
  Object.defineProperty(navigator, 'userAgent', {
    value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605',
  })
  addEventListener('beforeinstallprompt', (event) => event.stopImmediatePropagation(), true)
}

const iphoneHint = (page: Page) =>
  page.getByRole('complementary', { name: offlineTexts.installIosTitle })

/** Asks in the menu of a phone. */
async function askInMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: texts.more }).click()
  await page.getByRole('button', { name: offlineTexts.installApp }).click()
  await expect(iphoneHint(page)).toBeVisible()
}

test('asked for on a page with a form it comes', async ({ device }) => {
  await device.context.addInitScript(isOnIphone)
  const page = await device.tab()
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, '/contact')
  await askInMenu(page)
})

test('it leaves a form that is opened over it, and the form’s bar free', async ({
  device,
  site,
}) => {
  await device.context.addInitScript(isOnIphone)
  const page = await ownerTab(device, { site, path: project.path })
  await page.setViewportSize({ width: 390, height: 844 })
  await askInMenu(page)
  const panel = await openPanel(page, project)
  await expect(iphoneHint(page)).toBeHidden()
  for (const button of [ownerTexts.cancel, ownerTexts.confirm])
    await panel.getByRole('button', { name: button }).click({ trial: true })
})

test('an iPhone is told how its own menu does it', async ({ device }) => {
  await device.context.addInitScript(wasHereBefore)
  await device.context.addInitScript(isOnIphone)
  const page = await device.tab()
  await visit(page, '/')
  const hint = iphoneHint(page)
  await expect(hint).toContainText('Toca Compartir y luego Agregar a inicio.')
  await hint.getByRole('button', { name: offlineTexts.installIosDone }).click()
  await expect(hint).toBeHidden()
})
