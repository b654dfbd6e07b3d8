import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { expect, signIn } from '#tests/support/browser.ts'
import { nextBuild, workerlessBuild } from '#tests/support/builds.ts'
import { keysOf, test } from '#tests/support/cutting-proxy.ts'
import { databaseText, keptPaths, visit } from '#tests/support/device.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  ownerTab,
  shownNames,
  storedNames,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

/** What the page of a later build says of itself; the first one says nothing. */
const markOf = (page: Page) => page.locator('meta[name=build]')

/** Lets the browser look for a new worker now instead of at the next full hour. */
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })

async function deploy(site: Site, entry: string): Promise<void> {
  await site.stop()
  await site.start(entry)
}

/** Counts how often the page is loaded from now on. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => loads++)
  return () => loads
}

const offer = (page: Page) => page.getByText(offlineTexts.updateReady)
const accept = (page: Page) => page.getByRole('button', { name: offlineTexts.updateApply })

test('a new version is offered, and every tab takes it with one reload', async ({
  device,
  site,
}) => {
  const next = nextBuild('zwei')
  const one = await device.tab()
  await visit(one, '/projects')
  const two = await device.tab()
  await visit(two, '/about')
  await deploy(site, next.entry)
  await lookForUpdate(two)
  await expect(offer(two)).toBeVisible()
  for (const page of [one, two]) await expect(markOf(page)).toHaveCount(0)
  const loads = [countLoads(one), countLoads(two)]
  await accept(two).click()
  for (const page of [one, two]) await expect(markOf(page)).toHaveAttribute('content', 'zwei')
  await expect(two).toHaveURL(/\/about$/)
  await expect(two.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(offer(two)).toBeHidden()
  expect(loads.map((count) => count())).toEqual([1, 1])
  const files = await two.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('precache'))
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => url)
  })
  expect(files.filter((url) => url.includes('/assets/') && !url.includes('/zwei-'))).toEqual([])
  next.remove()
})

test('two versions in a row are offered once, and the newest is taken', async ({
  device,
  site,
}) => {
  const [second, third] = [nextBuild('zwei'), nextBuild('drei')]
  const page = await device.tab()
  await visit(page, '/projects')
  await deploy(site, second.entry)
  await lookForUpdate(page)
  await expect(offer(page)).toBeVisible()
  // A page that opens while one waits offers that, and hears of the next.
  await page.reload()
  await expect(offer(page)).toBeVisible()
  const waiting = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      const seen = window as unknown as { before?: ServiceWorker | null }
      const isOther = seen.before !== undefined && seen.before !== registration?.waiting
      seen.before ??= registration?.waiting ?? null
      return isOther && registration?.waiting !== null
    })
  expect(await waiting()).toBe(false)
  await deploy(site, third.entry)
  await lookForUpdate(page)
  await expect.poll(waiting).toBe(true)
  // The library looks after a fifth of a second whether the new worker still waits.
  await page.waitForTimeout(1000)
  await expect(offer(page)).toHaveCount(1)
  await accept(page).click()
  await expect(markOf(page)).toHaveAttribute('content', 'drei')
  for (const build of [second, third]) build.remove()
})

test('a tab of the old version goes on after its files are gone from the server', async ({
  device,
  site,
}) => {
  const next = nextBuild('drei')
  const page = await device.tab()
  await visit(page, '/')
  await signIn(page, site)
  await visit(page, '/')
  await deploy(site, next.entry)
  // The owner's form is a part that this tab has not loaded yet.
  await page.evaluate((path) => {
    history.pushState({}, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, project.addPath)
  await expect(page.getByRole('heading', { name: project.words.add })).toBeVisible()
  await expect(markOf(page)).toHaveCount(0)
  next.remove()
})

test('nothing is replaced under unsaved text, in whichever tab it is', async ({ device, site }) => {
  const next = nextBuild('vier')
  const reading = await device.tab()
  await visit(reading, '/projects')
  const writing = await device.tab()
  await visit(writing, '/')
  await signIn(writing, site)
  await visit(writing, project.addPath)
  const field = writing.getByRole('textbox', { name: project.fields.name.label })
  await field.fill('A medias')
  await deploy(site, next.entry)
  await lookForUpdate(reading)
  await expect(offer(reading)).toBeVisible()
  await accept(reading).click()
  await expect(reading.getByText(offlineTexts.updateLater)).toBeVisible()
  const loads = countLoads(writing)
  await expect(field).toHaveValue('A medias')
  for (const page of [reading, writing]) await expect(markOf(page)).toHaveCount(0)
  expect(loads()).toBe(0)
  await field.fill('')
  for (const page of [reading, writing]) {
    await expect(markOf(page)).toHaveAttribute('content', 'vier')
  }
  next.remove()
})

test('an update in the middle of a queue loses and doubles nothing, in two tabs @main', async ({
  device,
  site,
  line,
}) => {
  await emptySections(site)
  const next = nextBuild('sechs')
  const one = await ownerTab(device, { site })
  const two = await ownerTab(device, { site })
  await device.context.setOffline(true)
  for (const name of ['a-1', 'a-2', 'a-3']) await addEntry(one, { name })
  await addEntry(two, { name: 'b-1' })
  await deploy(site, next.entry)
  // The first change stays on its way until the new version was asked for.
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  line.decide(() => (line.writes.length === 1 ? { is: 'held', until: asked } : undefined))
  await device.context.setOffline(false)
  await expect.poll(() => line.writes.length).toBe(1)
  await lookForUpdate(two)
  await accept(two).click()
  await expect(two.getByText(offlineTexts.updateLater)).toBeVisible()
  for (const page of [one, two]) await expect(markOf(page)).toHaveCount(0)
  ask()
  for (const page of [one, two]) await expect(markOf(page)).toHaveAttribute('content', 'sechs')
  await isDrained(one)
  expect(await storedNames(site)).toEqual(['a-1', 'a-2', 'a-3', 'b-1'])
  expect(keysOf(line.writes).size).toBe(4)
  for (const page of [one, two]) {
    await expect.poll(() => shownNames(page)).toEqual(['b-1', 'a-3', 'a-2', 'a-1'])
  }
  next.remove()
})

test('a tab that reads one thing after the other does not hold the old version', async ({
  device,
  site,
}) => {
  const next = nextBuild('sieben')
  const page = await device.tab()
  await visit(page, '/projects')
  await deploy(site, next.entry)
  await lookForUpdate(page)
  await expect(offer(page)).toBeVisible()
  // It asks for all that it shows as often as somebody comes back to it.
  await page.evaluate(() => void setInterval(() => dispatchEvent(new Event('visibilitychange')), 1))
  await accept(page).click()
  await expect(markOf(page)).toHaveAttribute('content', 'sieben')
  next.remove()
})

test('a page in nobody’s sight takes the new version without asking', async ({ device, site }) => {
  const next = nextBuild('fuenf')
  const page = await device.tab()
  await visit(page, '/projects')
  await deploy(site, next.entry)
  const found = device.context.waitForEvent('serviceworker')
  // Browsers without a screen hide nothing, so the page and the new worker are told that it is hidden.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }))
  await lookForUpdate(page)
  await (
    await found
  ).evaluate(() => {
    const { WindowClient: Client } = globalThis as unknown as {
      WindowClient: { prototype: object }
    }
    Object.defineProperty(Client.prototype, 'visibilityState', { value: 'hidden' })
  })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(markOf(page)).toHaveAttribute('content', 'fuenf')
  next.remove()
})

test('the build without a worker takes it off the device and leaves what the owner kept', async ({
  device,
  site,
}) => {
  const next = workerlessBuild()
  const page = await device.tab()
  await visit(page, '/projects')
  await expect.poll(() => databaseText(page, 'tintero-cache')).toContain('proyect')
  await page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const opening = indexedDB.open('tintero-outbox')
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('queue'))
    opening.addEventListener('success', () => {
      const writing = opening.result.transaction('queue', 'readwrite')
      writing.objectStore('queue').put([{ id: 'queued' }], 'operations')
      writing.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
    await promise
  })
  await deploy(site, next.entry)
  const reloaded = page.waitForEvent('load')
  await lookForUpdate(page)
  await reloaded
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
  await page.goto('/projects')
  await page.mouse.move(200, 200)
  await expect(page.locator('main .item').first()).toBeVisible()
  expect(await databaseText(page, 'tintero-outbox')).toContain('queued')
  expect(await databaseText(page, 'tintero-cache')).toContain('proyect')
  expect(await keptPaths(page, 'api')).toEqual([])
  const registrations = () => navigator.serviceWorker.getRegistrations()
  expect(await page.evaluate(registrations)).toEqual([])
  next.remove()
})
