import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/login.ts'
import { expect } from '../browser.ts'
import type { Device } from '../device.ts'
import { owner, type Site } from '../site.ts'
import { sendMessage } from '../visitor-message.ts'
import type { NotificationDaemon } from './notification-daemon.ts'
import { ringingTab } from './ringing-device.ts'

/** What a visitor sends for it to be pressed. */
export const letter = { name: 'Ana Paz', message: '¿Hablamos mañana?' }

/** Rings the device while the app is closed, presses what it shows and signs in where that leads. */
export async function pressClosedApp({
  device,
  site,
  desktop,
}: {
  readonly device: Device
  readonly site: Site
  readonly desktop: NotificationDaemon
}): Promise<Page> {
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
  return window
}
