import { calls } from '#contract/api.ts'
import { noticeTexts } from '#contract/texts-inbox.ts'
import { pushTexts } from '#contract/texts-push.ts'
import { texts } from '#contract/texts.ts'
import { visit } from '#tests/support/device.ts'
import {
  expect,
  ringingDevices,
  ringingTab,
  ringSwitch,
  test,
} from '#tests/support/push/ringing-device.ts'
import { shownNotifications } from '#tests/support/push/shown-notifications.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

// The browser takes some seconds to find its push service.
test.describe.configure({ timeout: 120_000 })

test('a message rings the device, encrypted for it alone, and counts in the header', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await ringingTab(page, site)
  expect(pushService.subscriptions.size).toBeGreaterThan(0)
  const [ringing] = await ringingDevices(site)
  expect(ringing?.kind).toBe('webpush')
  await sendMessage(site, { name: 'Ana Paz', message: '¿Hablamos\nmañana?' })
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([{ title: 'Mensaje de Ana Paz', body: '¿Hablamos mañana?' }])
  await expect(page.getByRole('link', { name: 'Bandeja de mensajes, 1 sin leer' })).toBeVisible()
  expect(pushService.tries.map(({ status }) => status)).toEqual([201])
})
