import type { BrowserContext, Page } from 'playwright/test'
import { contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { calls } from '#contract/api.ts'
import { openPaths } from '#tests/support/page-paths.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, logOutButton } from '#tests/support/browser.ts'
import { test, type Device, type Extras } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { fieldOf, letter, sendLetter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { addEntry, emptySections, storedNames } from '#tests/support/queue.ts'
import { everySection } from '#tests/support/site-data.ts'

/*
 * Nothing that a page needs for being read, used and written to may depend on storage: not when the person has closed it, not
 * when every access throws, not when it is full, and not when it goes away under a page that is open.
 */

test.use({ writes: true })

/** Every door to the device throws, as in a frame whose storage is partitioned away. */
function closeEverything(): void {
  const closed = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(globalThis, name, { get: closed })
  }
  for (const name of ['serviceWorker', 'locks', 'storage', 'storageBuckets']) {
    Object.defineProperty(Navigator.prototype, name, { get: closed })
  }
  Object.defineProperty(globalThis, 'BroadcastChannel', { get: closed })
}

/** Everything opens and nothing more can be written. */
function fillUp(): void {
  const full = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  Storage.prototype.setItem = full
  IDBObjectStore.prototype.put = full
  Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
}

interface Way {
  readonly name: string
  readonly extras: Extras
  readonly prepare: (context: BrowserContext) => Promise<unknown>
  readonly told: string
}

const blocking = { profile: { default_content_setting_values: { cookies: 2 } } }
const ways: readonly Way[] = [
  {
    name: 'cookies and storage are blocked in the browser',
    extras: { isWhole: true, preferences: blocking },
    prepare: () => Promise.resolve(),
    told: offlineTexts.nothingKept,
  },
  {
    name: 'every access to storage throws',
    extras: {},
    prepare: (context) => context.addInitScript(closeEverything),
    told: offlineTexts.nothingKept,
  },
  {
    name: 'storage is full',
    extras: {},
    prepare: (context) => context.addInitScript(fillUp),
    told: offlineTexts.nothingKept,
  },
]

/** A page on which the application runs. */
async function open(device: Device, path: string): Promise<Page> {
  const page = await device.tab()
  await page.goto(path)
  await page.mouse.move(200, 200)
  await isHydrated(page)
  return page
}

const band = (page: Page, words: string) => page.locator('.net-band').filter({ hasText: words })

/** Sheets to be printed or shown around: they have no header to say anything under. */
const bandless = ['/cv', '/card']

/** Goes through the site by its links, changes the theme and comes back. */
async function useSite(page: Page): Promise<void> {
  for (const { title, path } of [project, skill]) {
    await page.locator(`header nav a[href="${path}"]:visible`).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
  }
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await page.locator('[data-theme-toggle]:visible').first().click()
  await expect(root).toHaveAttribute('data-theme', 'light')
  await expect(page.getByText(texts.broken)).toHaveCount(0)
}

for (const { name, extras, prepare, told } of ways) {
  test.describe(name, () => {
    test.use({ deviceExtras: extras })
    test.beforeEach(async ({ device }) => prepare(device.context).then(() => undefined))

    test('every page is readable once the application runs, and links and theme work', async ({
      device,
      site,
      watch,
    }) => {
      watch.expect(/404/)
      await site.call('PUT', calls.config, { body: everySection })
      const page = await device.tab()
      for (const path of openPaths) {
        await page.goto(path)
        await page.mouse.move(200, 200)
        await isHydrated(page)
        await expect(page.locator('main h1')).toBeVisible()
        if (!bandless.includes(path)) await expect(band(page, told)).toBeVisible()
        await expect(page.getByText(texts.broken)).toHaveCount(0)
      }
      await page.goto('/')
      await page.mouse.move(210, 210)
      await isHydrated(page)
      await useSite(page)
    })

    test('a message is sent; without a connection the page says that it keeps nothing, and sends it later', async ({
      device,
      site,
    }) => {
      const page = await open(device, '/contact')
      await expect(band(page, told)).toBeVisible()
      await typeLetter(page)
      await sendLetter(page)
      await expect(snackbar(page, 'success-snackbar', contactNotices.sent)).toBeVisible()
      expect(storedMessages(site)).toEqual([letter.message])
      await page.getByRole('link', { name: contactTexts.again }).click()
      await device.context.setOffline(true)
      await typeLetter(page, { message: 'La segunda' })
      await expect(band(page, offlineTexts.offlineUnkept)).toBeVisible()
      await sendLetter(page)
      await expect(page.getByRole('alert').getByText(messageTexts.unkept)).toBeVisible()
      await expect(fieldOf(page, 'message')).toHaveValue('La segunda')
      await device.context.setOffline(false)
      await expect.poll(() => storedMessages(site)).toEqual([letter.message, 'La segunda'])
    })

    test('a message that is sent as the connection goes arrives when it is back, and the form says so', async ({
      device,
      site,
    }) => {
      const page = await open(device, '/contact')
      await expect(band(page, told)).toBeVisible()
      // What sends it comes with the first letter, and asks for this.
      const sender = page.waitForResponse((answer) =>
        answer.url().endsWith(`${calls.contact}/mark`),
      )
      await typeLetter(page)
      await sender
      await device.context.setOffline(true)
      // Its other words, and those over the form, move the form from under a pointer that is about to press.
      await expect(band(page, offlineTexts.offlineUnkept)).toBeVisible()
      await expect(page.getByText(contactTexts.offline)).toBeVisible()
      await sendLetter(page)
      await expect(page.getByRole('alert').getByText(messageTexts.unkept)).toBeVisible()
      await device.context.setOffline(false)
      await expect(page.getByRole('link', { name: contactTexts.again })).toBeVisible()
      expect(storedMessages(site)).toEqual([letter.message])
    })

    test('the owner signs in and edits for as long as the page lives', async ({ device, site }) => {
      await emptySections(site)
      const page = await open(device, '/login')
      // The band pushes the form down: a press that was aimed before it came meets what stands above the button.
      await expect(band(page, told)).toBeVisible()
      await logInByForm(page)
      await expect(logOutButton(page)).toBeVisible()
      await page.locator(`header nav a[href="${project.path}"]:visible`).click()
      await addEntry(page, { name: 'Sin cajones' })
      await expect.poll(() => storedNames(site)).toEqual(['Sin cajones'])
      // The page that is loaded anew after a create would not know her any more.
      await page.waitForTimeout(4500)
      await expect(logOutButton(page)).toBeVisible()
      await addEntry(page, { name: 'Otra' })
      await expect.poll(() => storedNames(site)).toEqual(['Sin cajones', 'Otra'])
    })
  })
}

/** Under which name the device keeps what was typed into the message form. */
const draftKey = 'message'

test('a draft that is read late does not take back the message that was sent meanwhile', async ({
  device,
  site,
}) => {
  await device.context.addInitScript(fillUp)
  // What an earlier page kept is read once the message is on its way into the queue.
  await device.context.addInitScript((key) => {
    const { get } = IDBObjectStore.prototype
    const { put } = IDBObjectStore.prototype
    let release: (() => void) | undefined
    IDBObjectStore.prototype.get = function read(wanted) {
      const request = get.call(this, wanted)
      if (wanted !== key || release) return request
      const gate = new Promise<void>((resolve) => (release = resolve))
      Object.defineProperty(request, 'onsuccess', {
        set: (heard: () => void) => {
          void gate.then(heard)
        },
      })
      return request
    }
    IDBObjectStore.prototype.put = function write(...what) {
      if (document.querySelector('[aria-busy=true]')) release?.()
      return put.apply(this, what)
    }
  }, draftKey)
  const page = await open(device, '/contact')
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'success-snackbar', contactNotices.sent)).toBeVisible()
  expect(storedMessages(site)).toEqual([letter.message])
})

test('storage that goes away under an open page takes nothing with it', async ({
  device,
  site,
}) => {
  const page = await open(device, '/contact')
  await typeLetter(page, { message: 'Antes' })
  await page.evaluate(async () => {
    const all = await indexedDB.databases()
    await Promise.all(
      all.map(({ name = '' }) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        indexedDB.deleteDatabase(name).addEventListener('success', () => resolve())
        return promise
      }),
    )
  })
  await fieldOf(page, 'message').fill('Sin bases')
  await page.evaluate(closeEverything)
  await fieldOf(page, 'message').fill('Sin nada')
  await sendLetter(page)
  await expect(snackbar(page, 'success-snackbar', contactNotices.sent)).toBeVisible()
  expect(storedMessages(site)).toEqual(['Sin nada'])
  await page.locator('header nav a[href="/"]:visible').first().click()
  await expect(page).toHaveURL(/\/$/)
  await useSite(page)
})

test('storage that goes away under several open pages takes nothing from any of them', async ({
  device,
  site,
}) => {
  await emptySections(site)
  const reading = await open(device, '/about')
  const writing = await open(device, '/contact')
  const hers = await open(device, '/login')
  await logInByForm(hers)
  await expect(logOutButton(hers)).toBeVisible()
  await hers.locator(`header nav a[href="${project.path}"]:visible`).click()
  await expect(hers.getByRole('heading', { level: 1 })).toContainText(project.title)
  await typeLetter(writing, { message: 'Antes' })
  // As a browser that wants the room: it closes what all of them hold open.
  const browser = await device.context.newCDPSession(reading)
  const storageTypes = 'indexeddb,cache_storage,local_storage'
  await browser.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes })
  for (const page of [reading, writing, hers]) await page.evaluate(closeEverything)
  await fieldOf(writing, 'message').fill('Sin nada')
  await addEntry(hers, { name: 'Sin cajones' })
  await sendLetter(writing)
  await expect(snackbar(writing, 'success-snackbar', contactNotices.sent)).toBeVisible()
  expect(storedMessages(site)).toEqual(['Sin nada'])
  await expect.poll(() => storedNames(site)).toEqual(['Sin cajones'])
  await useSite(reading)
})
