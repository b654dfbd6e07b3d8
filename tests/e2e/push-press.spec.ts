import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/login.ts'
import { inboxTexts } from '#contract/texts-inbox.ts'
import { visit } from '#tests/support/device.ts'
import {
  hasBus,
  openNotificationDaemon,
  type NotificationDaemon,
} from '#tests/support/push/notification-daemon.ts'
import { expect, ringingTab, test as base } from '#tests/support/push/ringing-device.ts'
import { owner } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

/** The product's test with a desktop that shows notifications and presses them. */
const test = base.extend<{ desktop: NotificationDaemon }>({
  desktop: async ({}, provide) => {
    const desktop = await openNotificationDaemon()
    await provide(desktop)
    desktop.close()
  },
  deviceExtras: async ({ pushService, desktop }, provide) =>
    provide({
      args: pushService.chromiumArgs,
      permissions: ['notifications'],
      env: desktop.env,
    }),
})

test.skip(!hasBus(), 'no dbus-daemon on this machine: nothing can press a notification')
test.describe.configure({ timeout: 120_000 })

const letter = { name: 'Ana Paz', message: '¿Hablamos mañana?' }
const opened = (page: Page) => page.getByRole('article', { name: letter.name })

test('a press shows the message in the page that is open already', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await ringingTab(page, site)
  await sendMessage(site, letter)
  await expect.poll(() => desktop.shown().map(({ title }) => title)).toEqual(['Mensaje de Ana Paz'])
  desktop.press(desktop.shown()[0]?.id ?? 0)
  await expect(opened(page)).toContainText(letter.message)
  await expect(page.getByRole('link', { name: inboxTexts.link, exact: true })).toBeVisible()
  expect(device.context.pages()).toHaveLength(1)
  await expect.poll(() => desktop.shown()).toEqual([])
})

test('a press on the closed app opens it at the message, after signing in', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await ringingTab(page, site)
  await page.goto('about:blank')
  await sendMessage(site, letter)
  await expect.poll(() => desktop.shown().length).toBe(1)
  const opening = device.context.waitForEvent('page')
  desktop.press(desktop.shown()[0]?.id ?? 0)
  const window = await opening
  await expect(window.getByText(loginTexts.continue)).toBeVisible()
  await window.getByLabel(loginFields.userName.label).fill(owner.userName)
  await window.getByLabel(loginFields.password.label, { exact: true }).fill(owner.password)
  await window.getByRole('button', { name: loginTexts.submit }).click()
  await expect(opened(window)).toContainText(letter.message)
})

test('a tab in which nobody is signed in is left alone by a press', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await ringingTab(page, site)
  await page.evaluate(() => sessionStorage.clear())
  await visit(page, '/projects')
  await sendMessage(site, letter)
  await expect.poll(() => desktop.shown().length).toBe(1)
  const opening = device.context.waitForEvent('page')
  desktop.press(desktop.shown()[0]?.id ?? 0)
  const window = await opening
  await expect(window.getByText(loginTexts.continue)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/projects')
})
