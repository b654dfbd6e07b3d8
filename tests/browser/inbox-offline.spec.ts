import type { Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { Message } from '#contract/messages/messages.ts'
import { fill } from '#contract/text.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, logOut } from '#tests/support/browser.ts'
import { test, type Device } from '#tests/support/device.ts'
import { everythingStored } from '#tests/support/profile-search.ts'
import { isDrained, openQueueSheet, ownerTab, queued } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

test.use({ writes: true })

const letter = { name: 'Ana Paz', message: 'Secreto entre nosotras' }

/** The owner's inbox with a message in it, under the worker's care. */
async function openInbox(device: Device, site: Site): Promise<Page> {
  await sendMessage(site, letter)
  const page = await ownerTab(device, { site, path: '/inbox' })
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
  // The button goes while it is asked again.
  await page.getByRole('button', { name: texts.retry }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
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
  await expect(page.getByText(settingsTexts.profile).first()).toBeVisible()
  // Whether it counts as read by now depends on how long it was in sight.
  await page.locator('a[href="/inbox"]').first().click()
  await expect(page.getByRole('article', { name: letter.name })).toContainText(letter.message)
  await expect(page.getByText(inboxTexts.stale)).toBeVisible()
})

test('a message is marked as answered without a connection, and the mark goes out with it @main', async ({
  device,
  site,
}) => {
  const page = await openInbox(device, site)
  await page.locator('.msg-list a').click()
  await expect(page.getByText(inboxTexts.allRead)).toBeVisible()
  const mark = page.getByRole('checkbox', { name: inboxTexts.answer })
  const chip = page.locator('.reader-head .chip')
  const answeredOn = async () =>
    (await site.call('GET', ownerCalls.messages)).json['messages'] as readonly Message[]
  await device.context.setOffline(true)
  await mark.check()
  await expect(chip).toContainText(fill(inboxTexts.answered, { when: 'hoy' }))
  await expect(page.locator('.msg-list a .answered')).toBeVisible()
  const change = (await queued(page)).at(-1)
  expect(change).toMatchObject({ subject: { on: 'answer' }, label: queueTexts.answered })
  expect(JSON.stringify(change)).not.toMatch(new RegExp([letter.name, letter.message].join('|')))
  const sheet = await openQueueSheet(page)
  await expect(sheet).toContainText(queueTexts.answered)
  await page.keyboard.press('Escape')
  expect((await answeredOn())[0]?.answeredAt).toBeNull()
  await device.context.setOffline(false)
  await expect.poll(async () => (await answeredOn())[0]?.answeredAt).not.toBeNull()
  await isDrained(page)
  await page.reload()
  await expect(chip).toBeVisible()
  await mark.uncheck()
  await expect(chip).toHaveCount(0)
  await expect.poll(async () => (await answeredOn())[0]?.answeredAt).toBeNull()
  await expect(chip).toHaveCount(0)
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
  await logOut(page)
  await expect(page.getByText('Inicia sesión para continuar.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText(letter.message)
  expect(await everythingStored(page)).not.toContain(letter.message)
})
