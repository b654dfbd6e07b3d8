import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect, takeSession, throughReload } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { formValues, createEntry, itemOf } from '#tests/support/entries.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  queued,
  renameEntry,
  storedNames,
} from '#tests/support/queue.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const band = (page: Page, words: string) => page.locator('.net-band', { hasText: words })

test('the read-only mode is switched off from the device that waits for it, and what waited goes @main', async ({
  device,
  site,
}) => {
  await createEntry(site, project, formValues(project, 'De antes'))
  const page = await ownerTab(device, { site })
  await site.call('PUT', 'config', { body: { maintenance_readonly: 'true' } })
  await renameEntry(page, { from: 'De antes', to: 'De ahora' })
  const closed = band(page, queueTexts.closed)
  await expect(closed).toBeVisible()
  expect(await storedNames(site)).toEqual(['De antes'])
  await closed.getByRole('link', { name: texts.settings }).click()
  const control = page.getByRole('switch', { name: settingWords.maintenance_readonly.label })
  await expect(control).toBeChecked()
  await control.click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['De ahora'])
  await expect(closed).toHaveCount(0)
})

test('what a former owner left is not sent under another account, said to be hers, and discarded only after asking', async ({
  device,
  site,
}) => {
  const name = 'ana@example.com'
  const page = await ownerTab(device, { site })
  const session = await site.signIn()
  await takeSession(page, { ...session, userName: name, account: 'another' })
  await visit(page, project.path)
  await device.context.setOffline(true)
  // It moves the page by its height, from under a pointer that is about to press.
  await expect(band(page, offlineTexts.offlineOwner)).toBeVisible()
  await addEntry(page, { name: 'De Ana' })
  await takeSession(page, session)
  await page.reload()
  await device.context.setOffline(false)
  const others = band(page, fill(queueTexts.othersOne, { name }))
  await expect(others).toBeVisible()
  await expect(itemOf(page, 'De Ana')).toHaveCount(0)
  // A page that has made an entry loads anew.
  await throughReload(page, () => addEntry(page, { name: 'De ahora' }))
  await expect.poll(() => storedNames(site)).toEqual(['De ahora'])
  expect(await queued(page)).toHaveLength(1)

  const sheet = await openQueueSheet(page)
  await expect(
    sheet.getByRole('heading', { name: fill(queueTexts.othersTitle, { name }) }),
  ).toBeVisible()
  await expect(sheet.getByText('«De Ana»')).toBeVisible()
  expect(await faultsInEveryLook(page)).toEqual([])
  await sheet.getByRole('button', { name: texts.close, exact: true }).first().click()

  await others.getByRole('button', { name: queueTexts.discard }).click()
  const question = page.getByRole('dialog', { name: fill(queueTexts.discardOthersOne, { name }) })
  const safe = question.getByRole('button', { name: queueTexts.keep })
  await expect(safe).toBeFocused()
  await safe.click()
  expect(await queued(page)).toHaveLength(1)
  await others.getByRole('button', { name: queueTexts.discard }).click()
  await question.getByRole('button', { name: queueTexts.discard }).click()
  await isDrained(page)
  await expect(others).toHaveCount(0)
  expect(await storedNames(site)).toEqual(['De ahora'])
})
