import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { expect, takeSession, throughReload } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import { recordNotices } from '#tests/support/notices.ts'
import { photograph } from '#tests/support/pictures.ts'
import {
  addEntry,
  emptySections,
  ownerTab,
  removeEntry,
  renameEntry,
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

test('where IndexedDB is closed the owner edits online as usual and is told once @main', async ({
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
