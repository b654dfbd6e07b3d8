import type { Page, Route } from 'playwright/test'
import { contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { beginAnew, expect, signIn, test } from '#tests/support/browser.ts'
import { readManifest, sheetsOf } from '#tests/support/built-client.ts'
import { databaseText } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { fieldOf, letter, sendLetter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { recordNotices } from '#tests/support/notices.ts'
import type { Site } from '#tests/support/site.ts'

const manifest = readManifest()
const toolsSource = 'src/client/owner/shell/owner-tools.tsx'
const script = `**/${manifest[toolsSource]?.file}`
/** What only her code brings: without the others nothing would ask again. */
const sheets = sheetsOf(manifest, toolsSource).filter(
  (file) => !sheetsOf(manifest, 'src/client/offline/start.ts').includes(file),
)
/** What a network answers to everything until somebody signs in to it. */
const portal = { contentType: 'text/html', body: '<!doctype html><title>Wifi</title><p>Acepte' }
const settingsLink = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: texts.settings })
const band = (page: Page) => page.locator('.net-band', { hasText: offlineTexts.partMissing })

/** Leaves out what the address is of until told otherwise; resolves to how often it was asked for. */
async function withhold(page: Page, address: string, how: 'gone' | 'cut' | 'portal') {
  let asked = 0
  await page.context().route(address, (route) => {
    asked++
    if (how === 'cut') return route.abort()
    return route.fulfill(how === 'portal' ? portal : { status: 404 })
  })
  return { asked: () => asked, give: () => page.context().unroute(address) }
}

/** From now on no pause ends by itself; the one that goes on ends now. */
async function holdClock(page: Page): Promise<void> {
  // The page's time goes on between the question and the halt, which is refused a moment that is over.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

test('her tools come by themselves after their code was missing for a while, in whatever way', async ({
  page,
  site,
}) => {
  for (const how of ['gone', 'cut', 'portal'] as const) {
    await test.step(how, async () => {
      await beginAnew(page, site)
      const code = await withhold(page, script, how)
      await page.goto('/')
      await expect(band(page)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await code.give()
      await expect(settingsLink(page)).toBeVisible()
      await expect(band(page)).toHaveCount(0)
    })
  }
})

test('the band names what is missing and asks for it again at a press @main', async ({
  page,
  site,
}) => {
  await signIn(page, site)
  await page.clock.install()
  const code = await withhold(page, script, 'gone')
  await page.goto('/')
  await expect.poll(code.asked).toBeGreaterThan(0)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.getByRole('link', { name: project.title }).first().click()
  await expect(band(page)).toBeVisible()
  expect(await faultsInEveryLook(page)).toEqual([])
  await holdClock(page)
  const retry = band(page).getByRole('button', { name: texts.retry })
  // What is on its way could still be answered with the code, and the press would find nothing to ask for.
  await expect(retry).toHaveAttribute('aria-busy', 'false')
  await code.give()
  await retry.click()
  await expect(settingsLink(page)).toBeVisible()
  await expect(band(page)).toHaveCount(0)
})

/** Answers what the page asks of itself; its loading is left alone. */
async function answerForPage(page: Page, site: Site, body: string): Promise<() => number> {
  let asked = 0
  await page.context().route(`${site.url}/`, (route) => {
    if (route.request().isNavigationRequest()) return route.fallback()
    asked++
    return route.fulfill({ contentType: 'text/html', body })
  })
  return () => asked
}

/** Marks the document; resolves to whether it is still the page's. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(globalThis, { isMarked: true }))
  return () => page.evaluate(() => 'isMarked' in globalThis)
}

test('what a portal answers for a part and for the page is no new version of it', async ({
  page,
  site,
}) => {
  await signIn(page, site)
  const code = await withhold(page, script, 'portal')
  await page.goto('/')
  await expect(band(page)).toBeVisible()
  const isSame = await mark(page)
  const asked = await answerForPage(page, site, portal.body)
  const retry = band(page).getByRole('button', { name: texts.retry })
  await retry.click()
  await expect.poll(asked).toBeGreaterThan(0)
  await expect(retry).toHaveAttribute('aria-busy', 'false')
  await code.give()
  await expect(settingsLink(page)).toBeVisible()
  expect(await isSame()).toBe(true)
})

test('a page that a new version has replaced is loaded anew at a press', async ({ page, site }) => {
  await signIn(page, site)
  await withhold(page, script, 'gone')
  await page.goto('/')
  await expect(band(page)).toBeVisible()
  const isSame = await mark(page)
  const drawn = await (await fetchInTime(site.url)).text()
  const replaced = drawn.replace(/(?<=src="[^"]+-)[^"]+(?=\.js")/, 'newer')
  expect(replaced).not.toBe(drawn)
  await answerForPage(page, site, replaced)
  await band(page).getByRole('button', { name: texts.retry }).click()
  // While the page is being replaced there is none to ask.
  await expect.poll(() => isSame().catch(() => true)).toBe(false)
})

test('what does not come at a press, though the server answers, comes with the page loaded anew', async ({
  page,
  site,
}) => {
  await signIn(page, site)
  const code = await withhold(page, script, 'gone')
  await page.goto('/')
  await expect(band(page)).toBeVisible()
  const isSame = await mark(page)
  await band(page).getByRole('button', { name: texts.retry }).click()
  // While the page is being replaced there is none to ask.
  await expect.poll(() => isSame().catch(() => true)).toBe(false)
  await code.give()
  await expect(settingsLink(page)).toBeVisible()
})

test('a connection that is back brings what was missing', async ({ page, site }) => {
  await signIn(page, site)
  await page.clock.install()
  const code = await withhold(page, script, 'cut')
  await page.goto('/')
  await expect.poll(code.asked).toBeGreaterThan(0)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.context().setOffline(true)
  await holdClock(page)
  await code.give()
  await page.context().setOffline(false)
  await expect(settingsLink(page)).toBeVisible()
})

for (const isDrawn of [true, false]) {
  test(`styles that did not come to a page ${isDrawn ? 'of the server' : 'of the device alone'} are asked for again with the part that needs them`, async ({
    page,
    site,
  }) => {
    expect(sheets).not.toEqual([])
    await signIn(page, site)
    if (!isDrawn) await page.route(`${site.url}/`, withoutState)
    const held = await Promise.all(sheets.map((file) => withhold(page, `**/${file}`, 'gone')))
    await page.goto('/')
    await expect(band(page)).toBeVisible()
    for (const { give } of held) await give()
    await expect(settingsLink(page)).toBeVisible()
    await expect(band(page)).toHaveCount(0)
    const applied = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href))
    expect(applied).toEqual(expect.arrayContaining(sheets.map((file) => `${site.url}/${file}`)))
  })
}

/** Gives a page nothing of what the server drew it from, as the worker does on her devices. */
async function withoutState(route: Route): Promise<void> {
  const response = await route.fetch()
  const body = (await response.text()).replace(/<script[^>]* id="?state"?[^>]*>[^]*?<\/script>/, '')
  await route.fulfill({ response, body })
}

const senderFile = manifest['src/client/outbox/messages/send-or-keep.ts']?.file ?? ''
const sender = `**/${senderFile}`

test.describe('what sends a visitor’s message', () => {
  test.use({ writes: true })

  /** Has what is missing asked for now, not after its pause. */
  const askNow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))

  test('kept without it, a message goes once it comes, and once', async ({ page, site }) => {
    const notices = await recordNotices(page.context())
    const failures = () => notices.filter((said) => said.includes(contactNotices.failed)).length
    const code = await withhold(page, sender, 'cut')
    await page.goto('/contact')
    await typeLetter(page)
    await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(letter.message)
    await page.reload()
    await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
    for (const count of [1, 2]) {
      await sendLetter(page)
      await expect.poll(failures).toBe(count)
    }
    expect(code.asked()).toBeGreaterThan(2)
    expect(storedMessages(site)).toEqual([])
    await code.give()
    await askNow(page)
    await expect(page.getByRole('link', { name: contactTexts.again })).toBeVisible()
    expect(storedMessages(site)).toEqual([letter.message])
  })

  test('sends the form that is there, not the one that was left', async ({ page, site }) => {
    const code = await withhold(page, sender, 'gone')
    await page.goto('/contact')
    await typeLetter(page)
    await sendLetter(page)
    await expect(snackbar(page, 'error-snackbar', contactNotices.failed)).toBeVisible()
    await page.locator('header nav a[href="/about"]:visible').click()
    await page.locator('header nav a[href="/contact"]:visible').click()
    await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
    await fieldOf(page, 'message').fill('La segunda')
    const asked = code.asked()
    await sendLetter(page)
    await expect.poll(code.asked).toBeGreaterThan(asked)
    await expect(page.getByRole('button', { name: contactTexts.submit })).not.toHaveAttribute(
      'aria-busy',
    )
    await code.give()
    await askNow(page)
    await expect(page.getByRole('link', { name: contactTexts.again })).toBeVisible()
    expect(storedMessages(site)).toEqual(['La segunda'])
  })

  test('may be asked for at a press while a text is in the form, which is there again', async ({
    page,
    site,
  }) => {
    const code = await withhold(page, sender, 'gone')
    await page.goto('/contact')
    await typeLetter(page)
    await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(letter.message)
    await sendLetter(page)
    await expect(band(page)).toBeVisible()
    const isSame = await mark(page)
    await band(page).getByRole('button', { name: texts.retry }).click()
    await expect.poll(() => isSame().catch(() => true)).toBe(false)
    await code.give()
    await expect(fieldOf(page, 'message')).toHaveValue(letter.message)
    await sendLetter(page)
    await expect(page.getByRole('link', { name: contactTexts.again })).toBeVisible()
    expect(storedMessages(site)).toEqual([letter.message])
  })

  test('does not send a text that was changed after the press', async ({ page, site }) => {
    const code = await withhold(page, sender, 'gone')
    await page.goto('/contact')
    await typeLetter(page)
    await sendLetter(page)
    await expect(snackbar(page, 'error-snackbar', contactNotices.failed)).toBeVisible()
    const asked = code.asked()
    await fieldOf(page, 'message').fill('Otra cosa')
    await expect.poll(code.asked).toBeGreaterThan(asked)
    await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('Otra cosa')
    await code.give()
    const come = page.waitForResponse((answer) => answer.ok() && answer.url().includes(senderFile))
    await askNow(page)
    const url = (await come).url()
    // It runs, and whoever waited for it has been told.
    await page.evaluate((address) => import(address), url)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await expect(fieldOf(page, 'message')).toHaveValue('Otra cosa')
    const submit = page.getByRole('button', { name: contactTexts.submit })
    expect(await submit.getAttribute('aria-busy')).toBeNull()
    expect(storedMessages(site)).toEqual([])
    await sendLetter(page)
    await expect(page.getByRole('link', { name: contactTexts.again })).toBeVisible()
    expect(storedMessages(site)).toEqual(['Otra cosa'])
  })
})
