import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { itemOf } from '#tests/support/entries.ts'
import { expect, takeSession, throughReload } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { databaseText, visit, type Device } from '#tests/support/device.ts'
import { recordNotices } from '#tests/support/notices.ts'
import { photograph } from '#tests/support/pictures.ts'
import {
  addEntry,
  emptySections,
  openQueueSheet,
  ownerTab,
  queued,
  removeEntry,
  renameEntry,
  retryAllOf,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

/** Everything the owner does online, on a device that keeps nothing. */
async function editsAsUsual(page: Page, site: Site, notices: readonly string[]): Promise<void> {
  const picture = await photograph(1200, 900)
  await throughReload(page, () => addEntry(page, { name: 'Una', picture }))
  await expect.poll(() => notices).toContain(noticesOf(project).created)
  await expect.poll(() => storedNames(site)).toEqual(['Una'])
  expect((await storedRows(site))[0]?.['image']).toMatch(/^\/media\//)
  await renameEntry(page, { from: 'Una', to: 'Dos' })
  await expect.poll(() => notices).toContain(noticesOf(project).updated)
  await expect.poll(() => storedNames(site)).toEqual(['Dos'])
  await removeEntry(page, 'Dos')
  await expect.poll(() => notices).toContain(noticesOf(project).deleted)
  await expect.poll(() => storedNames(site)).toEqual([])
}

test('where IndexedDB is closed the owner edits online as usual and is told once', async ({
  device,
  site,
  line,
}) => {
  await device.context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('closed', 'SecurityError')
    }
  })
  const notices = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  await editsAsUsual(page, site, notices)
  expect(line.writes.filter(({ path }) => path.startsWith(project.key))).toHaveLength(3)
  await expect(page.locator('.net-band')).toHaveText(offlineTexts.nothingKept)
})

test('when the device is full the owner edits online as usual, pictures included', async ({
  lasting: device,
  site,
  line,
}) => {
  await visit(await device.tab(), project.path)
  await device.restart()
  const notices = await recordNotices(device.context)
  const page = await device.tab()
  // Before anything is read: the browser remembers for a while how much room there is.
  const session = await device.context.newCDPSession(page)
  const { origin } = new URL(line.url)
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  await visit(page, '/')
  expect(await whyNotKept(page)).toBe('QuotaExceededError')
  await takeSession(page, await site.signIn())
  await visit(page, project.path)
  await editsAsUsual(page, site, notices)
  expect(line.writes.filter(({ path }) => path.startsWith(project.key))).toHaveLength(3)
})

/** Why the device keeps nothing more. */
function whyNotKept(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('probe')
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('probe'))
        opening.addEventListener('error', () => resolve(opening.error?.name ?? ''))
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('probe', 'readwrite')
          transaction.objectStore('probe').put('x'.repeat(1_000_000), 'x')
          transaction.addEventListener('complete', () => resolve('kept'))
          transaction.addEventListener('abort', () => resolve(transaction.error?.name ?? ''))
        })
      }),
  )
}

/** The browser throws the databases of the site away, as for want of room or by her word in its settings. */
async function throwAway(device: Device, page: Page): Promise<void> {
  const session = await device.context.newCDPSession(page)
  const origin = new URL(page.url()).origin
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
}

const markIn = (page: Page) => page.locator('header button.sync')

test('what the browser throws away under an open page is shown as unsent, picture included, until she sends it', async ({
  device,
  site,
  line,
}) => {
  const notices = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Una', picture: await photograph(1200, 900) })
  const picture = itemOf(page, 'Una').locator('img')
  await expect(picture).toHaveAttribute('src', /^blob:/)
  await expect(markIn(page)).toHaveAccessibleName(new RegExp(queueTexts.pendingOne))
  await throwAway(device, page)
  await expect(markIn(page)).toHaveAccessibleName(new RegExp(queueTexts.failedOne))
  await expect.poll(() => notices).toContain(queueTexts.rescuedOne)
  await expect(itemOf(page, 'Una')).toBeVisible()
  // The picture comes back after the change, and both outlive the page.
  await expect.poll(() => databaseText(page, 'tintero-outbox')).toContain('bytes')
  await device.context.setOffline(false)
  await throughReload(page, () => visit(page, project.path))
  await expect(itemOf(page, 'Una').locator('img')).toHaveAttribute('src', /^blob:/)
  const sheet = await openQueueSheet(page)
  await expect(sheet).toContainText(queueTexts.thrownAway)
  expect(line.writes).toEqual([])
  await retryAllOf(sheet).click()
  await expect.poll(() => storedNames(site)).toEqual(['Una'])
  expect((await storedRows(site))[0]?.['image']).toMatch(/^\/media\//)
  await expect(markIn(page)).toHaveAccessibleName(new RegExp(queueTexts.empty))
})

test('of two tabs one puts back what the browser threw away, and what she discards stays away', async ({
  device,
  site,
  line,
}) => {
  const one = await ownerTab(device, { site })
  const two = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(one, { name: 'Una' })
  await addEntry(two, { name: 'Dos' })
  await addEntry(two, { name: 'Tres' })
  await throwAway(device, one)
  const all = new RegExp(fill(queueTexts.failedMany, { n: 3 }))
  for (const page of [one, two]) await expect(markIn(page)).toHaveAccessibleName(all)
  expect((await queued(one)).map(({ label }) => label)).toEqual(['Una', 'Dos', 'Tres'])
  const sheet = await openQueueSheet(one)
  const second = sheet.getByRole('listitem').filter({ hasText: 'Crear proyecto «Dos»' })
  await second.getByRole('button', { name: queueTexts.discard }).click()
  await second.getByRole('button', { name: queueTexts.discard }).click()
  await expect(second).toHaveCount(0)
  await throwAway(device, one)
  await device.context.setOffline(false)
  await retryAllOf(sheet).click()
  await expect.poll(() => storedNames(site)).toEqual(['Una', 'Tres'])
  expect(line.writes.filter(({ method }) => method === 'POST')).toHaveLength(2)
  for (const page of [one, two]) {
    await expect(markIn(page)).toHaveAccessibleName(new RegExp(queueTexts.empty))
  }
})
