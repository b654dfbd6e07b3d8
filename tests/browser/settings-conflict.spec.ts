import type { Page } from 'playwright/test'
import { problems } from '#contract/problem.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import type { SettingKey } from '#contract/settings/settings.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/device.ts'
import { isDrained, openQueueSheet, ownerTab, queued } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const fieldOf = (page: Page, key: SettingKey) =>
  page.getByRole('textbox', { name: settingWords[key].label })
const elsewhere = (site: Site, key: SettingKey, value: string) =>
  site.call('PUT', 'config', { body: { [key]: value } })
const valueOn = async (site: Site, key: SettingKey) =>
  (await site.call('GET', 'config', { token: null })).json[key]

test('a setting that another device changed meanwhile is asked about, and nothing is written before @main', async ({
  device,
  site,
}) => {
  await elsewhere(site, 'location_text', 'Salta')
  const page = await ownerTab(device, { site, path: '/settings' })
  const field = fieldOf(page, 'location_text')
  await expect(field).toHaveValue('Salta')
  await elsewhere(site, 'location_text', 'Jujuy')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  await field.fill('Mendoza')
  await field.press('Enter')
  const dialog = page.getByRole('dialog', { name: problems['version-cambiada'][2] })
  await expect(dialog).toContainText('Jujuy')
  await expect(dialog).toContainText('Mendoza')
  await expect(dialog).toContainText(/El otro: hoy, \d\d?:\d\d/)
  expect(await valueOn(site, 'location_text')).toBe('Jujuy')
  await dialog.getByRole('button', { name: ownerTexts.keepMine }).click()
  await expect.poll(() => valueOn(site, 'location_text')).toBe('Mendoza')
  await expect(field).toHaveValue('Mendoza')
  // Leaving the field for the question says nothing new.
  expect(sent).toHaveLength(2)
})

test('two devices that change different settings do not meet', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await elsewhere(site, 'age_text', '40')
  const field = fieldOf(page, 'availability_text')
  await field.fill('Con agenda llena.')
  await field.press('Enter')
  await expect.poll(() => valueOn(site, 'availability_text')).toBe('Con agenda llena.')
  expect(await valueOn(site, 'age_text')).toBe('40')
  await isDrained(page)
})

for (const [choice, value] of [
  [ownerTexts.keepMine, 'Mendoza'],
  [ownerTexts.takeTheirs, 'Jujuy'],
] as const) {
  test(`«${choice}» answers a setting queued over one that changed elsewhere`, async ({
    device,
    site,
  }) => {
    await elsewhere(site, 'location_text', 'Salta')
    const page = await ownerTab(device, { site, path: '/settings' })
    const field = fieldOf(page, 'location_text')
    await expect(field).toHaveValue('Salta')
    await device.context.setOffline(true)
    await field.fill('Mendoza')
    await field.press('Enter')
    await expect.poll(() => queued(page)).toHaveLength(1)
    await elsewhere(site, 'location_text', 'Jujuy')
    await device.context.setOffline(false)
    const sheet = await openQueueSheet(page)
    await expect(sheet.getByText(queueTexts.conflict)).toBeVisible()
    await expect(sheet.getByText('Jujuy')).toBeVisible()
    expect(await valueOn(site, 'location_text')).toBe('Jujuy')
    await sheet.getByRole('button', { name: choice }).click()
    await isDrained(page)
    expect(await valueOn(site, 'location_text')).toBe(value)
    await expect(field).toHaveValue(value)
  })
}

test('what is being typed is not taken away when the setting changes elsewhere', async ({
  device,
  site,
}) => {
  await elsewhere(site, 'location_text', 'Salta')
  const page = await ownerTab(device, { site, path: '/settings' })
  const field = fieldOf(page, 'location_text')
  const other = await ownerTab(device, { site, path: '/settings' })
  await field.fill('Mendo')
  await fieldOf(other, 'location_text').fill('Jujuy')
  await fieldOf(other, 'location_text').press('Enter')
  await expect.poll(() => valueOn(site, 'location_text')).toBe('Jujuy')
  await isDrained(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(field).toHaveValue('Mendo')
  await field.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Jujuy')
})
