import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { expect, logOut, logOutButton } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'
import { logInForLong } from '#tests/support/login-form.ts'
import { fieldOf, typeLetter } from '#tests/support/messages.ts'
import {
  emptySections,
  isDrained,
  ownerTab,
  queued,
  renameEntry,
  storedNames,
} from '#tests/support/queue.ts'

/*
 * Browsers keep a page that is left and show it again as it was. It hears nothing meanwhile; here as where channels are
 * closed, since Chromium throws such a page away as soon as another tab says anything.
 */
test.use({ writes: true, deviceExtras: { isWhole: true, keepsLeftPages: true } })

test.beforeEach(async ({ device, site }) => {
  await emptySections(site)
  await createEntry(site, project, formValues(project, 'Mareas'))
  await device.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
})

/** Goes on to another document, does something there and comes back. */
async function leaveFor(page: Page, path: string, act?: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-left', ''))
  await page.goto(path)
  await act?.()
  await page.goBack({ waitUntil: 'commit' })
}

const isDraftKept = (page: Page, text: string) =>
  expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(text)

const isAsItWas = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-left')

test('what is typed before and after stays', async ({ device }) => {
  const page = await device.tab()
  await visit(page, '/contact')
  await typeLetter(page, { message: 'Hola' })
  await isDraftKept(page, 'Hola')
  await leaveFor(page, '/robots.txt')
  await isAsItWas(page)
  await fieldOf(page, 'message').pressSequentially(', ¿hablamos?')
  await isDraftKept(page, 'Hola, ¿hablamos?')
  await page.reload()
  await expect(fieldOf(page, 'message')).toHaveValue('Hola, ¿hablamos?')
})

test('a page of hers that was left shows nothing of hers after LogOut @main', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await expect(itemOf(page, 'Mareas')).toBeVisible()
  await leaveFor(page, '/about', () => logOut(page))
  await expect(itemOf(page, 'Mareas')).toBeVisible()
  await expect(logOutButton(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a page of hers that was left shows nothing of hers after LogOut in a copy of its tab', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await expect(logOutButton(page)).toBeVisible()
  const session = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))
  await leaveFor(page, '/robots.txt', async () => {
    const copy = await device.context.newPage()
    await copy.goto('/robots.txt')
    await copy.evaluate((items) => Object.assign(sessionStorage, items), session)
    await visit(copy, '/')
    await logOut(copy)
  })
  await expect(logOutButton(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

const beginnings: Record<string, (page: Page) => Promise<unknown>> = {
  'she signed in on': (page) => expect(logOutButton(page)).toBeVisible(),
  'she went on to': (page) => visit(page, '/about'),
}
for (const [name, begin] of Object.entries(beginnings)) {
  test(`a page that ${name}, her session kept, shows nothing of hers after LogOut in another tab`, async ({
    device,
  }) => {
    const page = await device.tab()
    await logInForLong(page)
    await begin(page)
    await leaveFor(page, '/robots.txt', async () => {
      const other = await device.context.newPage()
      await visit(other, '/')
      await logOut(other)
      await other.close()
    })
    await expect(logOutButton(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
}

test('what was sent from another page meanwhile waits no more', async ({ device, site }) => {
  const page = await ownerTab(device, { site })
  await site.stop('SIGKILL')
  await renameEntry(page, { from: 'Mareas', to: 'Mareas y vientos' })
  await expect.poll(() => queued(page)).not.toEqual([])
  await leaveFor(page, '/about', async () => {
    await site.start()
    await isDrained(page)
  })
  // One that was left in the middle of a try to send is loaded anew, and shows the same.
  await isDrained(page)
  await expect(itemOf(page, 'Mareas y vientos')).toHaveCount(1)
  expect(await storedNames(site)).toEqual(['Mareas y vientos'])
})
