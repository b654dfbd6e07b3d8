import type { Page } from 'playwright/test'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { texts } from '#contract/texts.ts'
import { expect, takeSession } from '#tests/support/browser.ts'
import { test, visit, type Device } from '#tests/support/device.ts'
import { everythingStored } from '#tests/support/everything-stored.ts'
import type { Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

test.use({ writes: true })

const letter = { name: 'Ana Paz', message: 'Secreto entre nosotras' }

/** The owner's inbox with a message in it, under the worker's care. */
async function openInbox(device: Device, site: Site): Promise<Page> {
  await sendMessage(site, letter)
  const page = await device.tab()
  await visit(page, '/')
  await takeSession(page, await site.signIn())
  await visit(page, '/inbox')
  await expect(page.getByRole('article', { name: letter.name })).toBeVisible()
  return page
}

test('without a connection the inbox says so, and shows the messages when it is back', async ({
  device,
  site,
}) => {
  const page = await openInbox(device, site)
  await device.context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: inboxTexts.offline })).toBeVisible()
  await expect(page.getByText(inboxTexts.offlineHint)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(letter.message)
  await device.context.setOffline(false)
  await expect(page.getByRole('article', { name: letter.name })).toBeVisible()
})

test('what is on the page already stays readable when the connection goes', async ({
  device,
  site,
}) => {
  const page = await openInbox(device, site)
  await device.context.setOffline(true)
  await page.getByRole('link', { name: texts.settings }).first().click()
  await expect(page.getByText(ownerTexts.facts).first()).toBeVisible()
  await page.getByRole('link', { name: inboxTexts.linkUnreadOne }).click()
  await expect(page.getByRole('article', { name: letter.name })).toContainText(letter.message)
  await expect(page.getByText(inboxTexts.stale)).toBeVisible()
})

test('the device keeps no word of a message, in any cache or database, signed in or out', async ({
  device,
  site,
}) => {
  const page = await openInbox(device, site)
  await page.locator('.msg-list a').click()
  await expect(page.getByText(inboxTexts.allRead)).toBeVisible()
  const before = await everythingStored(page)
  // The copy of the public pages is there, so it was looked into.
  expect(before).toContain('Mareas')
  expect(before).not.toContain(letter.message)
  await device.context.setOffline(true)
  await page.getByRole('button', { name: texts.logout }).first().click()
  await expect(page.getByText('Inicia sesión para continuar.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(letter.message)
  expect(await everythingStored(page)).not.toContain(letter.message)
})
