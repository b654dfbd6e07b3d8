import type { Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { Device, FailedPush } from '#contract/notifications/push.ts'
import { fill } from '#contract/text.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { answer, refuse } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'
import { recordNotices } from '#tests/support/notices.ts'

test.use({ writes: true })

const lost: FailedPush = {
  id: '01a1fb1f-f521-7578-934f-a94dc94eefb9',
  what: 'Mensaje de Ana Paz',
  device: 'Chrome en Android',
  why: 'El servicio de avisos no responde.',
  at: '2026-11-14T09:05:00.000Z',
}

const titleOf = (page: Page) =>
  page.getByRole('heading', { name: settingsTexts.notifications, level: 2 })

test('a browser that cannot ring says so @main', async ({ owner }) => {
  await owner.goto('/settings#notificaciones')
  await expect(owner.locator('#push-state')).toHaveText(noticeTexts.unsupported)
  await expect(owner.getByRole('switch', { name: noticeTexts.switch })).toBeDisabled()
})

test.describe('what did not arrive', () => {
  for (const { name, method, path } of [
    { name: noticeTexts.retryNotice, method: 'POST', path: `failed/retry/${lost.id}` },
    { name: noticeTexts.discardNotice, method: 'DELETE', path: `failed/${lost.id}` },
  ]) {
    test(`is listed with its reason, and ${method} ${ownerCalls.push}/${path} settles it`, async ({
      owner,
    }) => {
      let rows = [lost]
      const asked: string[] = []
      await owner.route(`**/api/${ownerCalls.push}/failed**`, async (route) => {
        const request = route.request()
        asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
        await answer(route, rows)
      })
      await owner.route(`**/api/${ownerCalls.push}/failed/**`, async (route) => {
        const request = route.request()
        asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
        rows = []
        await answer(route, { mensaje: 'Hecho' })
      })
      await owner.goto('/settings#notificaciones')
      const line = owner.getByRole('listitem').filter({ hasText: lost.what })
      await expect(line).toContainText(`Para ${lost.device}: ${lost.why}`)
      await line.getByRole('button', { name: name.replace('{name}', lost.device) }).click()
      await expect(line).toHaveCount(0)
      expect(asked).toContain(`${method} /api/${ownerCalls.push}/${path}`)
    })
  }

  test('two presses settle it once, and the focus goes on', async ({ owner }) => {
    const other = {
      ...lost,
      id: '01a1fb1f-f521-7578-934f-a94dc94eefba',
      device: 'Safari en iPhone',
    }
    let rows = [lost, other]
    const asked: string[] = []
    const released = Promise.withResolvers<void>()
    await owner.route(`**/api/${ownerCalls.push}/failed`, (route) => answer(route, rows))
    await owner.route(`**/api/${ownerCalls.push}/failed/**`, async (route) => {
      asked.push(route.request().method())
      await released.promise
      rows = rows.filter(({ id }) => !route.request().url().endsWith(id))
      await answer(route, { mensaje: 'Hecho' })
    })
    await owner.goto('/settings#notificaciones')
    const retryOf = ({ device: name }: FailedPush) =>
      owner.getByRole('button', { name: fill(noticeTexts.retryNotice, { name }) })
    const discardOf = ({ device: name }: FailedPush) =>
      owner.getByRole('button', { name: fill(noticeTexts.discardNotice, { name }) })
    await retryOf(lost).focus()
    await owner.keyboard.press('Enter')
    await owner.keyboard.press('Enter')
    await expect(retryOf(lost)).toHaveAttribute('aria-busy', 'true')
    await discardOf(lost).click()
    released.resolve()
    await expect(retryOf(lost)).toHaveCount(0)
    expect(asked).toEqual(['POST'])
    await expect(retryOf(other)).toBeFocused()
    await discardOf(other).press('Enter')
    await expect(retryOf(other)).toHaveCount(0)
    await expect(titleOf(owner)).toBeFocused()
  })

  test('what another page has settled is gone', async ({ owner, watch }) => {
    watch.expect(/404/, /was not done/)
    let rows = [lost]
    await owner.route(`**/api/${ownerCalls.push}/failed`, (route) => answer(route, rows))
    await owner.route(`**/api/${ownerCalls.push}/failed/**`, async (route) => {
      rows = []
      await refuse(route, 'no-encontrado')
    })
    await owner.goto('/settings#notificaciones')
    const line = owner.getByRole('listitem').filter({ hasText: lost.what })
    await line.getByRole('button').first().click()
    await expect(line).toHaveCount(0)
  })
})

test('a device is taken off the list by two presses, though it is gone, and the focus goes on', async ({
  owner,
  watch,
}) => {
  watch.expect(/404/)
  const device: Device = {
    id: '01a1fb1f-f521-7578-934f-a94dc94eefb9',
    label: 'Chrome en Android',
    kind: 'webpush',
    createdAt: lost.at,
    lastSentAt: null,
    trouble: '',
  }
  let devices = [device]
  let calls = 0
  const released = Promise.withResolvers<void>()
  await owner.route(`**/api/${ownerCalls.devices}`, (route) => answer(route, devices))
  await owner.route(`**/api/${ownerCalls.devices}/*`, async (route) => {
    calls++
    await released.promise
    devices = []
    await refuse(route, 'no-encontrado')
  })
  const said = await recordNotices(owner.context())
  await owner.goto('/settings#notificaciones')
  const remove = owner.getByRole('button', {
    name: fill(noticeTexts.removeDevice, { name: device.label }),
  })
  await remove.focus()
  await owner.keyboard.press('Enter')
  await owner.keyboard.press('Enter')
  await expect(remove).toHaveAttribute('aria-busy', 'true')
  released.resolve()
  await expect(remove).toHaveCount(0)
  await expect(titleOf(owner)).toBeFocused()
  expect(calls).toBe(1)
  expect(said).toEqual([])
})
