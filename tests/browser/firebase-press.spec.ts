import { expect, test as base } from '#tests/doubles/google/firebase-device.ts'
import { hasBus } from '#tests/doubles/push/notification-daemon.ts'
import { letter, pressClosedApp } from '#tests/doubles/push/pressed-app.ts'
import { pressing, pushDevices } from '#tests/doubles/push/push-device.ts'

const test = base.extend(pressing)

test.skip(!hasBus(), 'no dbus-daemon on this machine: nothing can press a notification')

test('a press on what Firebase rang opens the closed app at the message, after signing in', async ({
  device,
  site,
  google,
  desktop,
}) => {
  const window = await pressClosedApp({ device, site, desktop })
  await expect(window.getByRole('article', { name: letter.name })).toContainText(letter.message)
  expect((await pushDevices(site)).map(({ kind }) => kind)).toEqual(['fcm'])
  expect(google.state.sent).toHaveLength(1)
})
