import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { drainTag } from '#contract/offline/offline.ts'
import { headerFields } from '#contract/person/person.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { workerTexts } from '#contract/texts/worker.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect } from '#tests/support/browser.ts'
import { test, type Device } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { expectShown, shownNotifications } from '#tests/doubles/push/shown-notifications.ts'
import type { Site } from '#tests/support/site.ts'
import { ownerTab } from '#tests/support/queue.ts'

test.use({ writes: true, deviceExtras: { permissions: ['notifications'], isWhole: true } })

/** The owner's page with a new name in the queue and no connection. */
async function changeOffline(device: Device, site: Site): Promise<Page> {
  const page = await ownerTab(device, { site, path: '/editProf/1' })
  await device.context.setOffline(true)
  await page.getByLabel(headerFields.name.label, { exact: true }).fill('Otra')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  return page
}

test('a change that waits is told of when the connection is back and the app is closed', async ({
  device,
  site,
}) => {
  const page = await changeOffline(device, site)
  const [worker] = device.context.serviceWorkers()
  await device.context.newPage()
  await worker?.evaluate(findConnection, drainTag)
  expect(await shownNotifications(page)).toEqual([])
  await page.close()
  await expect(worker?.evaluate(findConnectionAndShow, drainTag)).resolves.toEqual({
    title: workerTexts.waiting,
    body: workerTexts.waitingHint,
  })
})

test('a change that is refused while nobody looks is told of on the device', async ({
  device,
  site,
}) => {
  const page = await changeOffline(device, site)
  await device.context.route(`**/api/${calls.personUpdate}/*`, (route) =>
    refuse(route, 'datos-no-validos', { mensaje: 'Nombre vacío.' }),
  )
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }))
  await device.context.setOffline(false)
  await expectShown(page).toEqual([{ title: noticeTexts.changeStopped, body: queueTexts.header }])
})

/** The part of a worker's global scope that is used here; the tests' types are the pages'. */
interface WorkerScope extends EventTarget {
  readonly SyncEvent: new (type: string, init: { readonly tag: string }) => Event
  readonly registration: ServiceWorkerRegistration
}

/** As if the browser had found a connection again; runs in the worker. */
function findConnection(tag: string): void {
  const scope = globalThis as unknown as WorkerScope
  scope.dispatchEvent(new scope.SyncEvent('sync', { tag }))
}

/** As `findConnection`; resolves to the first thing that the worker has shown from then on. */
function findConnectionAndShow(tag: string): Promise<{ title: string; body: string | undefined }> {
  const scope = globalThis as unknown as WorkerScope
  const { registration } = scope
  return new Promise((resolve) => {
    registration.showNotification = async (title, options) => {
      await ServiceWorkerRegistration.prototype.showNotification.call(registration, title, options)
      resolve({ title, body: options?.body })
    }
    scope.dispatchEvent(new scope.SyncEvent('sync', { tag }))
  })
}
