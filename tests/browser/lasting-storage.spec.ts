import type { BrowserContext, Locator, Page } from 'playwright/test'
import { contactNotices } from '#contract/messages/contact.ts'
import { longWaitMs } from '#contract/durations.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { itemOf, snackbar } from '#tests/support/entries.ts'
import { sendLetter, typeLetter } from '#tests/support/messages.ts'
import { addEntry, isDrained, openQueueSheet, ownerTab } from '#tests/support/queue.ts'

test.use({ writes: true })

/** Has the browser answer so whether it keeps what the device stores, and counts how often a page asks. */
function answerPersist(context: BrowserContext, isGranted: boolean): Promise<unknown> {
  return context.addInitScript((answer) => {
    let asked = 0
    StorageManager.prototype.persist = async () => {
      document.documentElement.dataset['asked'] = String(++asked)
      return answer
    }
  }, isGranted)
}

const fontSizeOf = (words: Locator) =>
  words.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))

const timesAsked = (page: Page) =>
  page.evaluate(() => Number(document.documentElement.dataset['asked'] ?? 0))

for (const isGranted of [true, false]) {
  test(`the owner’s first change asks the browser to keep the device’s copy, once; a ${isGranted ? 'yes' : 'no'} is ${isGranted ? 'not told' : 'told in the list'}`, async ({
    device,
    site,
  }) => {
    await answerPersist(device.context, isGranted)
    const page = await ownerTab(device, { site })
    await visit(page, '/settings')
    await visit(page, '/projects')
    // Reading and signing in keep nothing that is not on the server.
    expect(await timesAsked(page)).toBe(0)
    await site.stop('SIGKILL')
    await addEntry(page, { name: 'Cometa' })
    await expect(itemOf(page, 'Cometa')).toBeVisible()
    expect(await timesAsked(page)).toBe(1)
    await addEntry(page, { name: 'Brújula' })
    await expect(itemOf(page, 'Brújula')).toBeVisible()
    expect(await timesAsked(page)).toBe(1)
    const sheet = await openQueueSheet(page)
    const hint = sheet.getByText(queueTexts.mayGo)
    await expect(hint).toHaveCount(isGranted ? 0 : 1)
    // It stands below the changes, and says less than they do.
    const change = sheet.getByRole('heading', { level: 3 }).first()
    if (!isGranted) expect(await fontSizeOf(hint)).toBeLessThan(await fontSizeOf(change))
    await site.start()
    await isDrained(page)
    await expect(hint).toHaveCount(0)
  })
}

test('a visitor whose message arrives is not asked; one whose message waits is, and hears of a no', async ({
  device,
  site,
}) => {
  await answerPersist(device.context, false)
  const page = await device.tab()
  await visit(page, '/contact')
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'success-snackbar', contactNotices.sent)).toBeVisible()
  expect(await timesAsked(page)).toBe(0)
  await visit(page, '/contact')
  await site.stop('SIGKILL')
  await typeLetter(page)
  await sendLetter(page)
  const pending = page.getByRole('article', { name: messageTexts.pending })
  await expect(pending.getByText(messageTexts.mayGo)).toBeVisible()
  expect(await timesAsked(page)).toBe(1)
})

test('a change that was on its way waits in the list with a warning before the server forgets its key', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await site.stop('SIGKILL')
  await addEntry(page, { name: 'Cometa' })
  await expect(itemOf(page, 'Cometa')).toBeVisible()
  const warning = 'A los 30 días de espera'
  const now = Date.now()
  await page.clock.setFixedTime(now + longWaitMs - 3_600_000)
  const sheet = await openQueueSheet(page)
  await expect(sheet.getByText('Cometa')).toBeVisible()
  await expect(sheet.getByText(warning)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.clock.setFixedTime(now + longWaitMs + 3_600_000)
  await openQueueSheet(page)
  await expect(sheet.getByText(warning)).toBeVisible()
})
