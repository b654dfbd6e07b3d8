import type { Page } from 'playwright/test'
import { settingWords } from '#contract/texts/setting-words.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, isBusy, logOut } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { isDrained, openQueueSheet, ownerTab } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const field = (page: Page) =>
  page.getByRole('textbox', { name: settingWords.availability_text.label })
const store = (site: Site, value: string) =>
  site.call('PUT', 'config', { body: { availability_text: value } })
const stored = async (site: Site) =>
  (await site.call('GET', 'config', { token: null })).json['availability_text']

/** Her settings, come to from the home page. */
async function openSettings(page: Page): Promise<void> {
  await page.locator('a[href="/settings"]').filter({ visible: true }).first().click()
  await expect(field(page)).toBeVisible()
}

test.beforeEach(({ site }) => store(site, 'Libre'))

test('what is typed in a setting holds back a new version, and is saved when she goes back', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/' })
  await openSettings(page)
  await expect.poll(() => isBusy(page)).toBe(false)
  await field(page).fill('Con agenda llena')
  await expect.poll(() => isBusy(page)).toBe(true)
  await page.goBack()
  await expect(page.getByText(texts.seeProjects)).toBeVisible()
  await expect.poll(() => stored(site)).toBe('Con agenda llena')
  await isDrained(page)
  await expect.poll(() => isBusy(page)).toBe(false)
})

for (const [how, leave] of [
  ['while its answer is on the way', (page: Page) => page.goBack()],
  [
    'with the question open',
    async (page: Page) => {
      await field(page).press('Enter')
      await expect(page.getByRole('dialog')).toContainText('Mañana')
      await page.goBack()
    },
  ],
] as const) {
  test(`a setting that changed elsewhere is asked about in the list, when its page was left ${how}`, async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site, path: '/' })
    await openSettings(page)
    await store(site, 'Mañana')
    await field(page).fill('Con agenda llena')
    await leave(page)
    await expect(snackbar(page, 'error-snackbar', ownerTexts.notSaved)).toBeVisible()
    const sheet = await openQueueSheet(page)
    await expect(sheet).toContainText(queueTexts.conflict)
    await expect(sheet).toContainText('Mañana')
    expect(await stored(site)).toBe('Mañana')
    await sheet.getByRole('button', { name: ownerTexts.keepMine }).click()
    await isDrained(page)
    expect(await stored(site)).toBe('Con agenda llena')
  })
}

for (const [how, isOffline] of [
  ['reloaded', false],
  ['closed without a connection', true],
] as const) {
  test(`what is being typed in a setting is saved by the next page when its page is ${how} @main`, async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site, path: '/settings' })
    await device.context.setOffline(isOffline)
    await field(page).fill('Con agenda llena')
    await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('Con agenda llena')
    // The next page saves it as soon as it starts.
    const looked = Promise.withResolvers<void>()
    await page.route('**/api/config', async (route) => {
      if (route.request().method() === 'PUT') await looked.promise
      await route.continue()
    })
    await (isOffline ? page.goto('about:blank') : page.reload())
    expect(await stored(site)).toBe('Libre')
    looked.resolve()
    if (isOffline) await visit(page, '/settings')
    await expect(field(page)).toHaveValue('Con agenda llena')
    await device.context.setOffline(false)
    await expect.poll(() => stored(site)).toBe('Con agenda llena')
    await isDrained(page)
    // It is nobody's any more.
    await store(site, 'Mañana')
    await page.reload()
    await expect(field(page)).toHaveValue('Mañana')
  })
}

test('what the queue has of a setting is saved once, though its page was closed before the answer', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await device.context.setOffline(true)
  await field(page).fill('Con agenda llena')
  await field(page).press('Enter')
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await page.goto('about:blank')
  await device.context.setOffline(false)
  await visit(page, '/')
  await isDrained(page)
  expect(await stored(site)).toBe('Con agenda llena')
  // Another device takes it back.
  await store(site, 'Libre')
  await visit(page, '/settings')
  await expect(field(page)).toHaveValue('Libre')
  await field(page).focus()
  await field(page).blur()
  await isDrained(page)
  expect(await stored(site)).toBe('Libre')
  // Without a question about drafts.
  await logOut(page)
})

test('letters that were typed and taken back are no draft', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await field(page).press('End')
  await field(page).press('x')
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('Librex')
  await field(page).press('Backspace')
  await expect.poll(() => databaseText(page, 'tintero-drafts')).not.toContain('Libre')
})

test('what a setting cannot take is still in its field after a reload, with the reason', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  const email = page.getByRole('textbox', { name: settingWords.email.label, exact: true })
  await email.fill('ana en casa')
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('ana en casa')
  await page.reload()
  await expect(email).toHaveValue('ana en casa')
  await expect(email).toHaveAttribute('aria-invalid', 'true')
})
