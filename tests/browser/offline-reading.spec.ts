import { certificate } from '#contract/sections/certificate.ts'
import type { Page } from 'playwright/test'
import { loginTexts, setupTexts } from '#contract/access/login.ts'
import { calls } from '#contract/api.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { keptPicture } from '#contract/images/picture-widths.ts'
import { personId } from '#contract/limits.ts'
import { personFields } from '#contract/person/person.ts'
import { noLoginTexts, noSetupTexts } from '#contract/texts/no-login.ts'
import { texts } from '#contract/texts/site.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { cacheNames } from '#contract/offline/offline.ts'
import { firstSections, publicPaths } from '#tests/support/page-paths.ts'
import { publicKinds } from '#contract/offline/public-kinds.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect, signIn, tokenOf } from '#tests/support/browser.ts'
import { databaseText, keptPaths, test, visit } from '#tests/support/device.ts'
import type { Site } from '#tests/support/site.ts'
import { passTime, stopClock } from '#tests/support/time.ts'

test.use({ writes: true })

const everyPath = [...publicPaths, '/cv', '/card']
const personPath = `${calls.personDetail}/${personId}`

interface Content {
  /** The names that each list shows. */
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly images: readonly string[]
}

async function contentOf(site: Site): Promise<Content> {
  const names: Record<string, readonly string[]> = {}
  const person = (await site.call('GET', personPath)).json
  const images = [String(person['image'])]
  for (const section of firstSections) {
    const answer = (await site.call('GET', section.key)).json as unknown
    const rows = answer as readonly Readonly<Record<string, string>>[]
    names[section.path] = rows.map((row) => row[section.display.title] ?? '')
    images.push(...rows.map((row) => row[imageFieldOf(section.fields) ?? ''] ?? ''))
  }
  return { names, images: images.filter(Boolean).map(keptPicture) }
}

declare const self: { readonly registration: ServiceWorkerRegistration }

const stateOfWorker = () => self.registration.active?.state

/** Waits until the device holds everything that one visit is to leave on it. */
async function isKept(page: Page, { images }: Content): Promise<void> {
  const answers = [personPath, calls.config, ...firstSections.map(({ key }) => key)]
  await expect
    .poll(() => keptPaths(page, 'api'))
    .toEqual(expect.arrayContaining(answers.map((path) => `/api/${path}`)))
  // What is off is not asked for.
  expect(await keptPaths(page, 'api')).not.toContain(`/api/${certificate.key}`)
  await expect.poll(() => keptPaths(page, 'images')).toEqual(expect.arrayContaining([...images]))
  await expect
    .poll(() => databaseText(page, 'tintero-cache'))
    .toMatch(new RegExp(firstSections.map(({ key }) => `"${key}\\\\*"`).join('.*'), 's'))
}

async function readsEverything(page: Page, { names }: Content): Promise<void> {
  for (const path of everyPath) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const name of names[path] ?? []) {
      await expect(page.locator('main .item', { hasText: name }).first()).toBeVisible()
    }
    await expect.poll(() => brokenImages(page), path).toEqual([])
  }
}

/** The pictures that do not show, wherever they are on the page. */
function brokenImages(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const images = [...document.images].filter((image) => image.checkVisibility())
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)))
    return images.filter((image) => image.naturalWidth === 0).map((image) => image.currentSrc)
  })
}

test('after one visit every page and picture is there with the server gone and the browser restarted @main', async ({
  lasting: device,
  site,
}) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  await site.stop('SIGKILL')
  await device.restart()
  await readsEverything(await device.tab(), content)
})

test('the worker’s copies alone are enough', async ({ device, site }) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  await site.stop('SIGKILL')
  await page.evaluate(() => indexedDB.deleteDatabase('tintero-cache'))
  await device.context.addInitScript(() => {
    indexedDB.deleteDatabase('tintero-cache')
  })
  await readsEverything(page, content)
})

test('the page’s own copy alone is enough', async ({ device, site }) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  await site.stop('SIGKILL')
  await page.evaluate((name) => caches.delete(name), cacheNames.api)
  await readsEverything(page, content)
  expect(await keptPaths(page, 'api')).toEqual([])
})

test('nothing of the owner’s stays on the device @main', async ({ device, site }) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  await signIn(page, site)
  for (const path of ['/settings', '/projects', '/editProf/1']) await visit(page, path)
  const token = await tokenOf(page)
  expect(token).not.toBe('')
  const kept = (await keptPaths(page, 'api')).map((path) => path.split('/')[2] ?? '')
  expect(kept.filter((kind) => !publicKinds.includes(kind))).toEqual([])
  const databases = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name ?? ''),
  )
  const held = await Promise.all(databases.map((name) => databaseText(page, name)))
  expect(held.join('')).not.toContain(token)
  expect(held.join('')).not.toContain('ROLE_ADMIN')
})

test('the band says that the line is down, and for a while that it is back', async ({ device }) => {
  const page = await device.tab()
  await visit(page, '/projects')
  await device.context.setOffline(true)
  await expect(page.getByText(offlineTexts.offlineVisitor)).toBeVisible()
  // Time stands still while the short word is looked for.
  await stopClock(page)
  await device.context.setOffline(false)
  const back = page.getByText(offlineTexts.back)
  // The page's line may be there a moment before the worker's: what it asks meanwhile is a copy, and asked for again later.
  await expect(async () => {
    if (!(await back.isVisible())) await passTime(page, 1_000)
    await expect(back).toBeVisible({ timeout: 300 })
  }).toPass()
  await passTime(page, 5_000)
  await expect(page.getByText(offlineTexts.back)).toBeHidden()
})

const waysIn = [
  ['/login', noLoginTexts, loginTexts.submit],
  ['/configurar#nothing', noSetupTexts, setupTexts.invalidTitle],
] as const

for (const [path, words, come] of waysIn) {
  test(`without a connection ${path} says that it needs one, and comes by itself once it is back`, async ({
    device,
  }) => {
    const page = await device.tab()
    await visit(page, '/')
    await device.context.setOffline(true)
    await expect(page.getByText(offlineTexts.offlineVisitor)).toBeVisible()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.offline)
    await expect(page.getByRole('link', { name: texts.backHome })).toBeVisible()
    expect(await faultsInEveryLook(page)).toEqual([])
    await device.context.setOffline(false)
    await expect(page.getByRole('main').getByText(come)).toBeVisible()
    await expect(page.getByText(words.offline)).toHaveCount(0)
  })

  test(`where the server is silent ${path} says so, and comes at a press once it is back`, async ({
    device,
    site,
  }) => {
    const page = await device.tab()
    await visit(page, '/')
    await site.stop('SIGKILL')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.silent)
    await site.start()
    await page.getByRole('main').getByRole('button', { name: texts.retry }).click()
    await expect(page.getByRole('main').getByText(come)).toBeVisible()
    await expect(page.getByText(words.silent)).toHaveCount(0)
  })
}

test('a page that is on its way while the first worker takes over is looked after too', async ({
  device,
  site,
}) => {
  const content = await contentOf(site)
  const page = await device.tab()
  const held = Promise.withResolvers<void>()
  await device.context.route('**/skills', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/')
  const first = device.context.waitForEvent('serviceworker')
  await page.mouse.move(200, 200)
  const worker = await first
  const opening = page.goto('/skills')
  await expect.poll(() => worker.evaluate(stateOfWorker)).toBe('activated')
  held.resolve()
  await opening
  await page.mouse.move(210, 210)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await isKept(page, content)
})

test('where storage is closed the site reads as usual and every page says once that nothing is kept', async ({
  device,
}) => {
  await device.context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('closed', 'SecurityError')
    }
  })
  const page = await device.tab()
  await page.goto('/')
  await page.mouse.move(200, 200)
  await expect(page.getByText(offlineTexts.nothingKept)).toBeVisible()
  await page.getByRole('link', { name: 'Proyectos' }).first().click()
  await expect(page.locator('main .item').first()).toBeVisible()
  await visit(page, '/skills')
  await expect(page.locator('main .item').first()).toBeVisible()
  await expect(page.getByText(offlineTexts.nothingKept)).toBeVisible()
})

test('a server in trouble is bridged by the copy, which says what it is', async ({
  device,
  site,
}) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  for (const path of ['api/proyect', 'projects']) {
    await device.context.route(`**/${path}`, (route) => route.fulfill({ status: 503 }))
  }
  await visit(page, '/projects')
  await expect(page.getByText(offlineTexts.savedCopy)).toBeVisible()
  await expect(page.locator('main .item').first()).toBeVisible()
})

test('a write makes the device forget its older copies of that kind', async ({ device, site }) => {
  const content = await contentOf(site)
  const page = await device.tab()
  await visit(page, '/')
  await isKept(page, content)
  await signIn(page, site)
  await visit(page, '/editProf/1')
  await page.getByRole('textbox', { name: personFields.title.label }).fill('Astrónoma')
  // The line breaks right behind the write: an old copy would be all there is to read.
  await device.context.route(`**/api/${personPath}`, (route) => route.abort())
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(page).not.toHaveURL(/editProf/)
  const kept = () =>
    page.evaluate(async (path) => {
      const copy = await caches.match(path)
      return copy?.ok
    }, `/api/${personPath}`)
  await expect.poll(kept).toBeUndefined()
})

for (const width of [390, 1440]) {
  test(`at ${width} a band that comes or goes under a finger leaves the press where it is`, async ({
    device,
  }) => {
    const page = await device.tab()
    await visit(page, '/projects')
    await page.setViewportSize({ width, height: 844 })
    const link = page.locator('main a').first()
    const band = page.locator('.net-band')
    const top = async () => (await page.locator('main').boundingBox())?.y
    await link.evaluate((element) =>
      element.addEventListener('click', (click) => {
        click.preventDefault()
        click.stopPropagation()
        element.dataset['presses'] = `${Number(element.dataset['presses'] ?? 0) + 1}`
      }),
    )
    const pressWhile = async (change: () => Promise<void>, presses: number) => {
      const before = await top()
      await link.hover()
      await page.mouse.down()
      await change()
      expect(await top()).toBe(before)
      await page.mouse.up()
      await expect(link).toHaveAttribute('data-presses', `${presses}`)
      await expect.poll(top).not.toBe(before)
    }

    await pressWhile(async () => {
      await device.context.setOffline(true)
      await expect(band).toContainText(offlineTexts.offline)
    }, 1)
    await pressWhile(async () => {
      await device.context.setOffline(false)
      await expect(band).toHaveCount(0)
    }, 2)
  })
}
