import type { Page } from 'playwright/test'
import { loginTexts } from '#contract/access/login.ts'
import { inboxTexts } from '#contract/texts/inbox.ts'
import { logOutButton, tokenOf } from '#tests/support/browser.ts'
import { visit } from '#tests/support/device.ts'
import { logInForLong } from '#tests/support/login-form.ts'
import { hasBus } from '#tests/doubles/push/notification-daemon.ts'
import { letter, pressClosedApp, pressedOpen } from '#tests/doubles/push/pressed-app.ts'
import {
  expect,
  pressing,
  subscribeHere,
  subscribedTab,
  test as base,
} from '#tests/doubles/push/push-device.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

const test = base.extend(pressing)

test.skip(!hasBus(), 'no dbus-daemon on this machine: nothing can press a notification')

const opened = (page: Page) => page.getByRole('article', { name: letter.name })

test('a press shows the message in the page that is open already', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
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
  const window = await pressClosedApp({ device, site, desktop })
  await expect(opened(window)).toContainText(letter.message)
})

test('where the session is kept, a press on the closed app opens it at the message by itself', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await logInForLong(page)
  const before = await tokenOf(page)
  await subscribeHere(page)
  const window = await pressedOpen(page, { device, site, desktop })
  const asked: string[] = []
  window.on('framenavigated', (frame) => asked.push(new URL(frame.url()).pathname))
  await expect(opened(window)).toContainText(letter.message)
  await expect(logOutButton(window)).toBeVisible()
  await expect(window.getByText(loginTexts.continue)).toHaveCount(0)
  expect(asked).not.toContain('/login')
  // A session of its own: the tab in which she signed in has told it nothing.
  await expect.poll(() => tokenOf(window)).toMatch(/^.{43}$/)
  expect(await tokenOf(window)).not.toBe(before)
})

test('a tab in which nobody is signed in is left alone by a press', async ({
  device,
  site,
  desktop,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
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
