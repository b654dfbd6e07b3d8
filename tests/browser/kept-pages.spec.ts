import type { Page, Response } from 'playwright/test'
import { allPagesPath } from '#contract/offline/kept-page.ts'
import { personId } from '#contract/limits.ts'
import { cacheNames } from '#contract/offline/offline.ts'
import { siteReads } from '#contract/offline/site-reads.ts'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, logOut, logOutButton, signIn } from '#tests/support/browser.ts'
import { nextBuild } from '#tests/support/builds.ts'
import { keptPaths, test, visit, type Device } from '#tests/support/device.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { letter, sendLetter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { firstSections, publicPaths } from '#tests/support/page-paths.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const everyPath = [...publicPaths, '/cv', '/card']
const items = (page: Page) => page.locator('main .item')

/** A tab on a device that has kept all pages. */
async function keptTab(device: Device, path = '/'): Promise<Page> {
  const page = await device.tab()
  await visit(page, path)
  await expect.poll(() => keptPaths(page, 'pages')).toEqual(expect.arrayContaining(everyPath))
  return page
}

/** Opens a page and looks at what came as its document, before any script. */
async function documentOf(page: Page, path: string): Promise<string> {
  const response = await page.goto(path)
  return (response as Response).text()
}

/** What the device keeps of a page; undefined when nothing. */
function keptText(page: Page, path: string): Promise<string | undefined> {
  return page.evaluate(
    async ([name, address]) => (await (await caches.open(name)).match(address))?.text(),
    [cacheNames.pages, path] as const,
  )
}

const isCopy = (page: Page) => page.evaluate(() => 'kept' in document.documentElement.dataset)

async function namesOf(site: Site): Promise<readonly string[]> {
  const rows = (await site.call('GET', project.key)).json as unknown
  return (rows as readonly Readonly<Record<string, string>>[]).map(({ name = '' }) => name)
}

async function rename(site: Site, name: string): Promise<string> {
  const rows = (await site.call('GET', project.key)).json as unknown
  const row = (rows as readonly Readonly<Record<string, string>>[]).at(-1) ?? {}
  const { status } = await site.call('PUT', `${project.key}/update/${row['id']}`, {
    body: { ...row, name },
  })
  expect(status).toBe(200)
  return row['name'] ?? ''
}

test('the pages and answers that a first visit lacks come in one answer, with their own policies', async ({
  device,
}) => {
  const asked: string[] = []
  device.context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const page = await keptTab(device)
  expect(asked).toContain(allPagesPath)
  expect(asked.filter((path) => path !== '/' && everyPath.includes(path))).toEqual([])
  const reads = siteReads(firstSections).map((read) => `/api/${read}`)
  expect(await keptPaths(page, 'api')).toEqual(expect.arrayContaining(reads))
  expect(asked.filter((path) => reads.includes(path))).toEqual([])
  const policies = await page.evaluate(async (name) => {
    const pages = await caches.open(name)
    const kept = await Promise.all((await pages.keys()).map((request) => pages.match(request)))
    return kept.map((response) => response?.headers.get('content-security-policy') ?? '')
  }, cacheNames.pages)
  for (const policy of policies)
    expect(policy).toMatch(/^default-src 'none'.*style-src 'self' 'sha256-/)
})

test('a repeated visit shows what the server drew, which is no copy once the server says the same @main', async ({
  device,
  site,
  watch,
}) => {
  const names = await namesOf(site)
  await keptTab(device)
  const page = await device.tab()
  watch.add(page, site.url)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const drawn = await documentOf(page, '/projects')
  expect(drawn).toMatch(/<html data-kept="\d+"/)
  for (const name of names) expect(drawn).toContain(name)
  await expect.poll(() => isCopy(page)).toBe(false)
  await page.mouse.move(200, 200)
  await isHydrated(page)
  await expect(items(page)).toHaveCount(names.length)
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
})

test('without the server every page is shown as the server drew it, with its age once that counts @main', async ({
  lasting: device,
  site,
  watch,
}) => {
  await keptTab(device)
  await site.stop('SIGKILL')
  await device.restart()
  const page = await device.tab()
  await page.clock.install({ time: Date.now() + 2 * 60 * 60 * 1000 + 1000 })
  for (const path of everyPath) {
    expect(await documentOf(page, path), path).toContain('data-kept="')
    await isHydrated(page)
    // These two have no place for a band.
    if (path === '/card' || path === '/cv') continue
    await expect(page.getByText(`${offlineTexts.savedCopy} hace 2 h`)).toBeVisible()
  }
  watch.add(page, site.url)
  watch.expect(/Failed to load|Failed to fetch|no-response|Could not|ERR_/)
  await device.context.setOffline(true)
  expect(await documentOf(page, '/projects')).toContain('data-kept="')
  const band = page.getByRole('status').filter({ hasText: offlineTexts.offlineVisitor })
  await expect(band).toHaveText(
    `${offlineTexts.offline} Guardado hace 2 h · ${offlineTexts.offlineVisitor}`,
  )
})

test('a page whose content nothing answers for says that it is of before, until the server is back', async ({
  device,
  site,
}) => {
  const page = await keptTab(device)
  await site.stop('SIGKILL')
  // The browser may have been closed before the worker had kept the answers too.
  await page.evaluate((name) => caches.delete(name), cacheNames.api)
  const band = page.getByRole('status').filter({ hasText: offlineTexts.savedCopy })
  for (const path of ['/about', '/projects']) {
    expect(await documentOf(page, path)).toContain('data-kept="')
    await expect(band).toHaveText(offlineTexts.savedCopy)
  }
  await page.getByRole('link', { name: texts.about, exact: true }).click()
  await expect(page).toHaveURL(/about$/)
  await expect(band).toHaveText(offlineTexts.savedCopy)
  // What only the page before showed is not read again.
  await site.start()
  await expect(band).toHaveCount(0)
  await expect(page.getByText(offlineTexts.savedCopy)).toHaveCount(0)
})

test('news comes into the page that is shown, without a reload and without moving it @main', async ({
  device,
  site,
}) => {
  const page = await keptTab(device)
  const old = await rename(site, 'Recién llegado')
  let loads = 0
  page.on('load', () => loads++)
  const drawn = await documentOf(page, '/projects')
  expect(drawn).toContain(old)
  expect(drawn).not.toContain('Recién llegado')
  await expect(items(page).filter({ hasText: 'Recién llegado' })).toHaveCount(1)
  expect(loads).toBe(1)
  await expect.poll(() => keptText(page, '/projects')).toContain('Recién llegado')
  expect(await documentOf(page, '/projects')).toContain('Recién llegado')
})

test('news waits until the page is taken over, so that nothing in it is drawn anew', async ({
  device,
  site,
  watch,
}) => {
  await keptTab(device)
  const page = await device.tab()
  watch.add(page, site.url)
  const session = await device.context.newCDPSession(page)
  // A device on which taking over takes its time.
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (const path of ['/', '/contact', '/cv', '/card']) {
    const lastname = `Llegada a ${path}`
    const body = { lastname }
    expect((await site.call('PUT', `person/update/${personId}`, { body })).status).toBe(200)
    const drawn = await documentOf(page, path)
    expect(drawn).toContain('data-kept="')
    expect(drawn).not.toContain(lastname)
    const heading = page.locator('main h1')
    await heading.evaluate((shown) => shown.setAttribute('data-drawn', ''))
    await expect(page.getByText(lastname).first()).toBeAttached()
    await expect(heading, path).toHaveAttribute('data-drawn')
    // The pages that are forgotten with the news are there again.
    await expect.poll(() => keptText(page, '/card')).toContain(lastname)
    await expect.poll(() => keptPaths(page, 'pages')).toEqual(expect.arrayContaining(everyPath))
  }
})

test('news of a list waits until the list itself is taken over, and draws anew what changed alone', async ({
  device,
  site,
  watch,
}) => {
  await keptTab(device)
  const page = await device.tab()
  watch.add(page, site.url)
  const session = await device.context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (const name of ['Recién llegado', 'Otro nombre', 'El de ahora']) {
    const old = await rename(site, name)
    expect(await documentOf(page, '/projects')).toContain(old)
    await items(page).evaluateAll((drawn) =>
      drawn.forEach((item) => item.setAttribute('data-drawn', '')),
    )
    const news = items(page).filter({ hasText: name })
    await expect(news).toHaveCount(1)
    expect(await page.locator('main .item:not([data-drawn])').count()).toBe(0)
    await expect.poll(() => keptText(page, '/projects')).toContain(name)
  }
})

test('a page whose news came is as new as they are when the connection goes', async ({
  device,
  site,
}) => {
  await keptTab(device)
  await rename(site, 'Recién llegado')
  const page = await device.tab()
  await page.clock.install({ time: Date.now() + 2 * 60 * 60 * 1000 + 1000 })
  expect(await documentOf(page, '/projects')).toContain('data-kept="')
  await expect(items(page).filter({ hasText: 'Recién llegado' })).toHaveCount(1)
  await device.context.setOffline(true)
  const band = page.getByRole('status').filter({ hasText: offlineTexts.offlineVisitor })
  await expect(band).toHaveText(`${offlineTexts.offline} ${offlineTexts.offlineVisitor}`)
})

test('a page that is hidden since leaves the device', async ({ device, site }) => {
  const page = await keptTab(device)
  await site.call('PUT', 'config', { body: { sections_hidden: project.key } })
  await page.goto('/projects')
  await expect(page.getByRole('heading', { name: texts.notFound })).toBeVisible()
  await expect.poll(() => keptText(page, '/projects')).toBeUndefined()
  expect(await documentOf(page, '/projects')).not.toContain('data-kept')
  await expect(page.getByRole('heading', { name: texts.notFound })).toBeVisible()
})

test('nothing that others answer in the place of the site is kept or shown', async ({ device }) => {
  const page = await keptTab(device)
  const before = await keptText(page, '/projects')
  const answers = [
    { status: 200, contentType: 'text/html', body: '<html><h1>Portal</h1>' },
    { status: 302, headers: { Location: '/about' } },
    { status: 404, contentType: 'text/html', body: '<html><h1>Portal</h1>' },
    { status: 204 },
    { status: 502, body: 'gateway' },
  ]
  for (const answer of answers) {
    let met = 0
    await device.context.route('**/projects', async (route) => {
      met++
      await route.fulfill(answer)
    })
    expect(await documentOf(page, '/projects')).toBe(before)
    await expect.poll(() => met).toBe(1)
    await isHydrated(page)
    expect(await keptText(page, '/projects')).toBe(before)
    await device.context.unroute('**/projects')
  }
})

test('a page of one build is never shown by the worker of another', async ({ device, site }) => {
  const next = nextBuild('sieben')
  const page = await keptTab(device, '/projects')
  await site.stop()
  await site.start(next.entry)
  // The old worker shows its own page; the new server's would ask for scripts that it does not have.
  expect(await documentOf(page, '/projects')).not.toContain('sieben')
  await isHydrated(page)
  await expect.poll(() => isCopy(page)).toBe(true)
  expect(await keptText(page, '/projects')).not.toContain('sieben')
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update()
  })
  await page.getByRole('button', { name: offlineTexts.updateApply }).click()
  const mark = page.locator('meta[name=build]')
  await expect(mark).toHaveAttribute('content', 'sieben')
  await visit(page, '/')
  await expect.poll(() => keptPaths(page, 'pages')).toEqual(expect.arrayContaining(everyPath))
  for (const path of everyPath) expect(await keptText(page, path)).toContain('sieben')
  await site.stop('SIGKILL')
  expect(await documentOf(page, '/projects')).toContain('data-kept')
  await isHydrated(page)
  next.remove()
})

test('the owner’s pages are drawn on her device, after signing out too', async ({
  device,
  site,
}) => {
  const page = await keptTab(device)
  await signIn(page, site)
  await visit(page, '/projects')
  await expect(logOutButton(page)).toBeVisible()
  await rename(site, 'Lo último')
  expect(await documentOf(page, '/projects')).not.toContain('data-kept')
  await expect(items(page).filter({ hasText: 'Lo último' })).toHaveCount(1)
  await logOut(page)
  expect(await documentOf(page, '/projects')).not.toContain('data-kept')
  await expect(items(page).filter({ hasText: 'Lo último' })).toHaveCount(1)
  await expect(logOutButton(page)).toHaveCount(0)
})

test('a device without room goes on with what it has', async ({ device, site }) => {
  const page = await keptTab(device)
  const before = await keptText(page, '/projects')
  await rename(site, 'Sin sitio')
  const [worker] = device.context.serviceWorkers()
  await worker?.evaluate(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
  })
  expect(await documentOf(page, '/projects')).toBe(before)
  await expect(items(page).filter({ hasText: 'Sin sitio' })).toHaveCount(1)
  expect(await keptText(page, '/projects')).toBe(before)
})

test('a kept contact form sends what is typed into it', async ({ device, site }) => {
  const page = await keptTab(device)
  expect(await documentOf(page, '/contact')).toContain('data-kept')
  await typeLetter(page)
  await sendLetter(page)
  await expect.poll(() => storedMessages(site)).toEqual([letter.message])
})
