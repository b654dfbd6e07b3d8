import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { expect } from '#tests/support/browser.ts'
import type { Device } from '#tests/support/device.ts'
import { owner, type Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import type { NotificationDaemon } from './notification-daemon.ts'
import { subscribedTab } from './push-device.ts'

/** What a visitor sends for it to be pressed. */
export const letter = { name: 'Ana Paz', message: '¿Hablamos mañana?' }

interface Pressed {
  readonly device: Device
  readonly site: Site
  readonly desktop: NotificationDaemon
}

/** Rings the device while the app is closed, presses what it shows and signs in where that leads. */
export async function pressClosedApp(pressed: Pressed): Promise<Page> {
  const page = await pressed.device.tab()
  await subscribedTab(page, pressed.site)
  const window = await pressedOpen(page, pressed)
  await expect(window.getByText(loginTexts.continue)).toBeVisible()
  await window.getByLabel(loginFields.userName.label).fill(owner.userName)
  await window.getByLabel(loginFields.password.label, { exact: true }).fill(owner.password)
  await window.getByRole('button', { name: loginTexts.submit }).click()
  return window
}

/** Closes the app in its only page, rings the device and presses what it shows; the window that this opens. */
export async function pressedOpen(page: Page, { device, site, desktop }: Pressed): Promise<Page> {
  await page.goto('about:blank')
  await sendMessage(site, letter)
  await expect.poll(() => desktop.shown().length).toBe(1)
  const opening = device.context.waitForEvent('page')
  desktop.press(desktop.shown()[0]?.id ?? 0)
  return opening
}
