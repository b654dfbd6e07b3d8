import type { Fixtures, Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { Device as PushDevice } from '#contract/notifications/push.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { expect, takeSession } from '#tests/support/browser.ts'
import { test as base, visit, type Extras } from '#tests/support/device.ts'
import { rerouteEnv } from '#tests/support/reroute.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import { openNotificationDaemon, type NotificationDaemon } from './notification-daemon.ts'
import { openPushService, pushOrigin, type PushService } from './push-service.ts'

/** The product's test with a device whose browser is rung by a push service on this machine. */
export const test = base.extend<{ pushService: PushService }>({
  pushService: async ({}, provide) => {
    const service = await openPushService()
    await provide(service)
    service.close()
  },
  site: async ({ pushService }, provide) => {
    const site = await openSite({ env: rerouteEnv({ [pushOrigin]: pushService.url }) })
    await provide(site)
    await site.close()
  },
  deviceExtras: async ({ pushService }, provide) =>
    provide({ args: pushService.chromiumArgs, permissions: ['notifications'], isWhole: true }),
})

/** Adds to a test whose device rings the desktop that shows its notifications and presses them. */
export const pressing: Fixtures<{ desktop: NotificationDaemon }, object, { deviceExtras: Extras }> =
  {
    desktop: async ({}, provide) => {
      const desktop = await openNotificationDaemon()
      await provide(desktop)
      desktop.close()
    },
    deviceExtras: async ({ deviceExtras, desktop }, provide) =>
      provide({ ...deviceExtras, env: desktop.env }),
  }

/** A tab with the owner's settings, in which this device was just made to ring. */
export async function subscribedTab(page: Page, site: Site): Promise<void> {
  await visit(page, '/')
  await takeSession(page, await site.signIn())
  await subscribeHere(page)
}

/** Makes this device ring, in a tab in which the owner is signed in. */
export async function subscribeHere(page: Page): Promise<void> {
  await visit(page, '/settings')
  await pushSwitch(page).click()
  await expect(pushSwitch(page)).toBeChecked()
  await expect(pushSwitch(page)).toBeEnabled()
}

/** The switch that makes this device ring. */
export function pushSwitch(page: Page) {
  return page.getByRole('switch', { name: noticeTexts.switch })
}

/** The devices that the server rings. */
export async function pushDevices(site: Site): Promise<readonly PushDevice[]> {
  const { json } = await site.call('GET', ownerCalls.devices)
  return json as unknown as readonly PushDevice[]
}

export { expect }
