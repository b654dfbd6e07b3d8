import type { Page } from 'playwright/test'
import { logOut, takeSession } from '#tests/support/browser.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { inboxTexts, noticeTexts } from '#contract/texts/inbox.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { visit } from '#tests/support/device.ts'
import {
  expect,
  pushDevices,
  subscribedTab,
  pushSwitch,
  test,
} from '#tests/doubles/push/push-device.ts'
import type { PushService } from '#tests/doubles/push/push-service.ts'
import { expectNoneShown, expectShown } from '#tests/doubles/push/shown-notifications.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import { ownerTab } from '#tests/support/queue.ts'
import { within } from '#tests/support/within.ts'

test('a message rings the device, encrypted for it alone, and counts in the header @main', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  await expect(page.locator('#push-state')).toContainText(noticeTexts.on)
  expect((await pushDevices(site)).map(({ kind }) => kind)).toEqual(['webpush'])
  await sendMessage(site, { name: 'Ana Paz', message: '¿Hablamos\nmañana?' })
  await expectShown(page).toEqual([{ title: 'Mensaje de Ana Paz', body: '¿Hablamos mañana?' }])
  await expect(page.getByRole('link', { name: inboxTexts.linkUnreadOne })).toBeVisible()
  expect(pushService.tries.map(({ status }) => status)).toEqual([201])
  await page.getByRole('link', { name: inboxTexts.linkUnreadOne }).click()
  await page.locator('.msg-list a', { hasText: 'Ana Paz' }).click()
  await expectNoneShown(page)
})

test('the test button says in words what became of the test', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  const send = page.getByRole('button', { name: noticeTexts.sendTest })
  await send.click()
  await expect(page.getByText(pushTexts.tested.sent)).toBeVisible()
  await expectShown(page).toHaveLength(1)
  pushService.refusals.push({ status: 413 })
  await send.click()
  await expect(page.getByText('El servicio de avisos no lo aceptó (413).').first()).toBeVisible()
  pushService.refusals.push({ status: 410 })
  await send.click()
  await expect(pushSwitch(page)).not.toBeChecked()
  expect(await pushDevices(site)).toEqual([])
})

test('a device whose address the browser gave up is taken off and rings again at the next start', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  const [before] = await pushDevices(site)
  await page.evaluate(async () => {
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
  })
  await sendMessage(site)
  await expect.poll(() => pushDevices(site)).toEqual([])
  expect(pushService.tries.map(({ status }) => status)).toEqual([410])
  await visit(page, '/')
  await expect.poll(async () => (await pushDevices(site)).length).toBe(1)
  expect((await pushDevices(site))[0]?.id).not.toBe(before?.id)
  const [after] = await pushDevices(site)
  const { json } = await site.call('POST', `${ownerCalls.devices}/test/${after?.id}`)
  expect(json['state']).toBe('sent')
  await expectShown(page).toHaveLength(1)
})

test('an address for another server’s key is given back, and one for ours asked for', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await subscribeForeign(page)
  await subscribedTab(page, site)
  const { json } = await site.call('GET', ownerCalls.push)
  const senders = [...pushService.subscriptions.values()].map(({ sender, isGone }) => [
    sender === json['publicKey'] ? 'ours' : 'foreign',
    isGone,
  ])
  expect(senders.filter(([whose]) => whose === 'ours')).toEqual([['ours', false]])
  expect(senders).toContainEqual(['foreign', true])
})

test('a press during the look at the start asks for one address, not for two', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await subscribeForeign(page)
  await page.addInitScript(giveBackTogether)
  await subscribedTab(page, site)
  await expect.poll(async () => (await pushDevices(site)).length).toBe(1)
  const [only] = await pushDevices(site)
  const { json } = await site.call('POST', `${ownerCalls.devices}/test/${only?.id}`)
  expect(json['state']).toBe('sent')
})

test('signing out takes the device off and everything of the messages away', async ({
  device,
  site,
  pushService,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  await sendMessage(site)
  await expectShown(page).toHaveLength(1)
  await logOut(page)
  await expect.poll(() => pushDevices(site)).toEqual([])
  await expectNoneShown(page)
  await expect.poll(() => pagesOf(pushService).map(({ isGone }) => isGone)).toEqual([true])
})

test('switching off tells the server, and another device is removed from its list', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  const label = 'Firefox en Android'
  await site.call('POST', ownerCalls.devices, { body: { address: otherAddress, label } })
  await visit(page, '/settings')
  await expect(page.locator('#push-state')).toContainText(`También en: ${label}.`)
  await page.getByRole('button', { name: `Quitar ${label}` }).click()
  await expect(page.locator('#push-state')).not.toContainText(label)
  expect(await pushDevices(site)).toHaveLength(1)
  await pushSwitch(page).press(' ')
  await expect(page.locator('#push-state')).toContainText(noticeTexts.off)
  expect(await pushDevices(site)).toEqual([])
  await expect(pushSwitch(page)).not.toHaveAttribute('aria-busy')
  await expect(pushSwitch(page)).toBeFocused()
  await visit(page, '/')
  await expect(page.getByRole('link', { name: inboxTexts.link })).toBeVisible()
  expect(await pushDevices(site)).toEqual([])
})

test('her own device taken off the list says where the server could not be told', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  await page.route(`**/api/${ownerCalls.devices}/*`, (route) => route.abort())
  await page.getByRole('button', { name: /^Quitar / }).click()
  await expect(page.getByText(noticeTexts.notTurnedOff)).toBeVisible()
  expect(await pushDevices(site)).toHaveLength(1)
})

for (const data of ['{"title":"Premio","body":"Entra ya"}', 'Premio']) {
  test(`of a push that says ${data} only that there is news is shown`, async ({ device }) => {
    const page = await device.tab()
    await visit(page, '/')
    await receivePush(page, data)
    await expectShown(page).toEqual([{ title: workerTexts.unknown, body: '' }])
  })
}

test.describe('in a browser that was told not to ask', () => {
  test.use({ deviceExtras: { permissions: [], isWhole: true } })

  test('the settings say how to allow notifications', async ({ device, site }) => {
    const page = await ownerTab(device, { site, path: '/settings' })
    await expect(page.locator('#push-state')).toHaveText(noticeTexts.denied)
    await expect(pushSwitch(page)).toBeDisabled()
  })
})

test.describe('where the person says no', () => {
  test.use({ deviceExtras: { isWhole: true } })

  test('the offer in the inbox says why nothing came of it', async ({ device, site }) => {
    const page = await device.tab()
    await visit(page, '/')
    await takeSession(page, await site.signIn())
    await sendMessage(site)
    await visit(page, '/inbox')
    await page.getByRole('button', { name: noticeTexts.askYes }).press('Enter')
    await expect(page.getByText(noticeTexts.reasonDenied)).toBeVisible()
    await expect(page.getByRole('button', { name: noticeTexts.askYes })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    expect(await pushDevices(site)).toEqual([])
  })

  test('the offer that is declined gives the focus on', async ({ device, site }) => {
    const page = await device.tab()
    await visit(page, '/')
    await takeSession(page, await site.signIn())
    await sendMessage(site)
    await visit(page, '/inbox')
    await page.getByRole('button', { name: noticeTexts.askLater }).press('Enter')
    await expect(page.getByRole('button', { name: noticeTexts.askLater })).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

/** The subscriptions that pages made; the browser has some of its own. */
function pagesOf({ subscriptions }: PushService) {
  return [...subscriptions.values()].filter(({ appId }) => appId.startsWith('wp:'))
}

const otherAddress = {
  kind: 'webpush',
  subscription: {
    endpoint: 'https://push.example.com/other',
    keys: {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
}

/** The public key of a server that is not ours. */
function keyPair(page: Parameters<typeof visit>[0]): Promise<{ readonly publicKey: string }> {
  return page.evaluate(async () => {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'ECDH', namedCurve: 'P-256' },
      true,
      ['deriveBits'],
    )
    const bytes = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
    const base64 = btoa(String.fromCodePoint(...bytes))
    const url = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    return { publicKey: url }
  })
}

/** Has the browser hand the page's worker a push with this data, as if it had come from its push service, decrypted. */
async function receivePush(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await within(90, 'the registration of the worker', found)
  const origin = new URL(page.url()).origin
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

/** Gives the browser an address for another server's key. */
async function subscribeForeign(page: Page): Promise<void> {
  const { publicKey } = await keyPair(page)
  await page.evaluate(async (applicationServerKey) => {
    const { pushManager } = await navigator.serviceWorker.ready
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  }, publicKey)
}

/**
 * Holds the page's first giving back of an address until a second one is asked for, and that one until a new address is
 * there: the order in which two at once harm each other. Where no second one comes, the first goes on by itself.
 */
function giveBackTogether(): void {
  const second = Promise.withResolvers<void>()
  const made = Promise.withResolvers<void>()
  const { unsubscribe } = PushSubscription.prototype
  const { subscribe } = PushManager.prototype
  let asked = 0
  PushSubscription.prototype.unsubscribe = async function () {
    asked++
    if (asked === 1) {
      await Promise.race([second.promise, new Promise((go) => setTimeout(go, 3_000))])
    } else {
      second.resolve()
      await made.promise
    }
    return unsubscribe.call(this)
  }
  PushManager.prototype.subscribe = async function (options) {
    const address = await subscribe.call(this, options)
    made.resolve()
    return address
  }
}
