import { ownerCalls } from '#contract/owner-calls.ts'
import type { FailedPush } from '#contract/notifications/push.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { answer } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'

test.use({ writes: true })

const lost: FailedPush = {
  id: '01a1fb1f-f521-7578-934f-a94dc94eefb9',
  what: 'Mensaje de Ana Paz',
  device: 'Chrome en Android',
  why: 'El servicio de avisos no responde.',
  at: '2026-11-14T09:05:00.000Z',
}

test('a browser that cannot ring says so', async ({ owner }) => {
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
})
