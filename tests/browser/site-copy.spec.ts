import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright/test'
import { fromBufferPromise } from 'yauzl'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { contactTexts } from '#contract/messages/contact.ts'
import { orderCall } from '#contract/entries/order.ts'
import { pages as table } from '#contract/pages.ts'
import { education } from '#contract/sections/education.ts'
import { project } from '#contract/sections/project.ts'
import { sample } from '#contract/sample.ts'
import { problems } from '#contract/problem.ts'
import { siteCopyCall, siteCopyName } from '#contract/site-copy.ts'
import { fill } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { copyLacksTexts } from '#contract/texts/copy-lacks.ts'
import { importTexts } from '#contract/texts/import.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { siteCopyTexts } from '#contract/texts/site-copy.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { refuse } from '#tests/support/answers.ts'
import {
  accessibilityFaults,
  faultsInEveryLook,
  looks,
  show,
  sidewaysOf,
} from '#tests/support/axe.ts'
import { expect, logOutButton, test } from '#tests/support/browser.ts'
import { createEntry, formValues } from '#tests/support/entries.ts'
import { letter } from '#tests/support/messages.ts'
import { firstSections, offPaths } from '#tests/support/page-paths.ts'
import { photograph } from '#tests/support/pictures.ts'
import { owner, type Site } from '#tests/support/site.ts'
import { serveFolder } from '#tests/support/static-server.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'
import { watchPage } from '#tests/support/watch.ts'

/* The site as files: served under `/` and under `/x/` by what knows files alone, and opened from the disk. */

test.use({ writes: true })

const hidden = sample.entries['education']?.map(({ name = '' }) => name) ?? []

/** A site with a picture of its own, a hidden section and a message. */
async function fillSite(site: Site): Promise<string> {
  const { token } = await site.signIn()
  const { buffer: bytes, mimeType } = await photograph(1300, 900)
  const { type, newName } = project.images
  const put = await fetchInTime(
    `${site.url}/api/${ownerCalls.image}/${type}?name=${newName}copia`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer${String(token)}`, 'content-type': mimeType },
      body: new Uint8Array(bytes),
    },
  )
  const { url } = (await put.json()) as { readonly url: string }
  await createEntry(site, project, { ...formValues(project, 'Con foto'), image: url })
  const settings = { sections_hidden: education.key, email: 'lucia@example.com' }
  for (const [key, value] of Object.entries(settings)) {
    expect((await site.call('PUT', calls.config, { body: { [key]: value } })).status).toBe(200)
  }
  await sendMessage(site)
  return url
}

/** What stands between the given tags of a page, in its order. */
const namesIn = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, name]) => name)

test('the copy has her order of sections and entries', async ({ site }) => {
  const rows = (await site.call('GET', project.key, { token: null })).json as unknown as readonly {
    readonly id: string
  }[]
  const order = rows.map(({ id }) => id)
  const moved = [...order.slice(1), ...order.slice(0, 1)]
  const body = { order: moved, moved: order.slice(0, 1) }
  expect((await site.call('PUT', `${project.key}/${orderCall}`, { body })).status).toBe(200)
  const sections = firstSections.toReversed()
  const value = sections.map(({ key }) => key).join(',')
  await site.call('PUT', calls.config, { body: { sections_order: value } })
  const folder = await exported(site)
  const copied = await readFile(join(folder, 'index.html'), 'utf8')
  const nav = /<nav class="nav".*?<\/ul>/s.exec(copied)?.[0] ?? ''
  expect(namesIn(nav, /<a [^>]*>([^<]+)<\/a>/g).slice(2, -1)).toEqual(
    sections.map(({ title }) => title),
  )
  const served = await (await fetchInTime(site.url + project.path)).text()
  const list = await readFile(join(folder, project.path, 'index.html'), 'utf8')
  const names = namesIn(list, /<h2>([^<]+)<\/h2>/g)
  const before = sample.entries[project.key]?.map(({ name = '' }) => name).toReversed() ?? []
  expect(names).toEqual([...before.slice(-1), ...before.slice(0, -1)])
  expect(names).toEqual(namesIn(served, /<h2>([^<]+)<\/h2>/g))
  await rm(folder, { recursive: true })
})

const run = promisify(execFile)

/** The copy that the command line writes. */
async function exported(site: Site, ...options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tintero-copy-'))
  const env = { PATH: process.env['PATH'], DATA_DIR: site.dataDir, PUBLIC_URL: site.url }
  await run(process.execPath, ['dist/server/cli.js', 'export', folder, ...options], { env })
  return folder
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const all = paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)
  return new Map(await Promise.all(all))
}

/** The ZIP that the owner's browser gets. */
async function zipped(site: Site): Promise<Buffer> {
  const { status, json } = await site.call('POST', `${siteCopyCall}/link`, { body: {} })
  expect(status).toBe(201)
  const answer = await fetchInTime(`${site.url}/api/${String(json['path'])}`)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  return Buffer.from(await answer.arrayBuffer())
}

async function unzipped(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return files
}

/** What a document or a style sheet asks for or leads to, as absolute addresses without what stands behind `#`. */
async function leadsTo(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const add = (address: string | null | undefined, base = document.baseURI) => {
      if (address) found.add(new URL(address, base).href.replace(/#.*/, ''))
    }
    for (const element of document.querySelectorAll('[href], [src], [action], [poster]')) {
      for (const name of ['href', 'src', 'action', 'poster']) {
        const isElsewhere = element.matches('link[rel=canonical]')
        if (!isElsewhere) add(element.getAttribute(name))
      }
    }
    for (const element of document.querySelectorAll('[srcset]')) {
      for (const one of (element.getAttribute('srcset') ?? '').split(/,\s+/)) add(one.split(' ')[0])
    }
    for (const style of document.querySelectorAll('style')) {
      for (const [, address] of (style.textContent ?? '').matchAll(
        /url\((?!["']?data:)["']?([^)"']+)/g,
      ))
        add(address)
    }
    return [...found].filter((address) => !/^(?:mailto|data):/.test(address))
  })
}

/** Goes through every page that can be reached and asks for all that they name; answers the pages, as paths in the copy. */
async function crawl(page: Page, base: string, isThere: (address: string) => Promise<boolean>) {
  const asked = new Set<string>()
  const seen = new Set<string>([`${base}index.html`])
  for (const address of seen) {
    await page.goto(address)
    for (const found of await leadsTo(page)) {
      if (asked.has(found)) continue
      asked.add(found)
      if (!found.startsWith(base)) {
        expect(found, `on ${address}`).toMatch(/^https:\/\/example\.com\//)
        continue
      }
      expect(await isThere(found), `${found} on ${address}`).toBe(true)
      if (found.endsWith('.html')) seen.add(found)
    }
    const fonts = page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].filter(({ status }) => status === 'loaded').length
    })
    expect(await fonts, `fonts of ${address}`).toBeGreaterThan(0)
    const broken = page.locator('img').evaluateAll(async (all: HTMLImageElement[]) => {
      for (const one of all) one.loading = 'eager'
      // A picture that is not shown, for its theme or its width, is not asked for.
      const shown = all.filter((one) => one.checkVisibility())
      await Promise.allSettled(shown.map((one) => one.decode()))
      return shown.filter((one) => one.naturalWidth === 0).map((one) => one.src)
    })
    expect(await broken, `pictures of ${address}`).toEqual([])
  }
  return [...seen].map((address) => address.slice(base.length)).toSorted()
}

const shownFiles = table
  .filter(({ kind }) => kind === undefined)
  .filter(({ path }) => ![education.path, '/card', ...offPaths].includes(path))
  .map(({ path }) => (path === '/' ? 'index.html' : `${path.slice(1)}/index.html`))
  .toSorted()

async function answers(address: string): Promise<boolean> {
  return (await fetchInTime(address)).ok
}

async function isOnDisk(address: string): Promise<boolean> {
  return readFile(new URL(address)).then(
    () => true,
    () => false,
  )
}

for (const place of ['/', '/x/', 'file:'] as const) {
  test(`every page of a copy at ${place} leads only to what is there, whole and accessible`, async ({
    site,
    browser,
  }) => {
    // Some twenty pages, each looked at whole.
    test.setTimeout(300_000)
    await fillSite(site)
    const folder = await exported(site)
    const server = place === 'file:' ? undefined : await serveFolder(folder, place)
    const base = server?.url ?? `${pathToFileURL(folder).href}/`
    const page = await browser.newPage({ reducedMotion: 'reduce', locale: 'es-AR' })
    const watch = watchPage()
    watch.add(page, base)
    // What axe asks for by itself: it reads sheets again that it cannot look into.
    if (!server) watch.expect(/^console error: Connecting to 'file:.*\.css'|load preload assets/)
    const left: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(base)) left.push(request.url())
    })
    const answered = server ? answers : isOnDisk
    expect(await crawl(page, base, answered)).toEqual(shownFiles)
    for (const name of [...shownFiles, 'card/index.html', '404.html']) {
      await page.goto(base + name)
      // The pages are the same in all three places, and their looks are judged where they are served.
      const judged = looks.filter((_, index) => index === 0 || (place === '/' && index === 3))
      for (const look of judged) {
        await show(page, look)
        expect(await accessibilityFaults(page), `${name} ${JSON.stringify(look)}`).toEqual([])
        expect(await sidewaysOf(page), `${name} ${JSON.stringify(look)}`).toBe(0)
      }
    }
    // A browser asks for this one by itself, at the root of whatever host it is.
    expect(left.filter((address) => !/^http:.*\/favicon\.ico$/.test(address))).toEqual([])
    expect(watch.problems()).toEqual([])
    await page.close()
    server?.close()
    await rm(folder, { recursive: true })
  })
}

test('a copy holds what visitors see and nothing else, and no script @main', async ({ site }) => {
  const url = await fillSite(site)
  const folder = await exported(site)
  const files = await filesIn(folder)
  const names = [...files.keys()]
  expect(names).toContain(url.slice(1))
  expect(files.get('cv.pdf')?.subarray(0, 5).toString()).toBe('%PDF-')
  expect(files.get('about/index.html')?.toString()).toContain('href="../cv.pdf"')
  expect(names.filter((name) => name.startsWith('media/')).length).toBeGreaterThan(2)
  const texts = [...files].filter(([name]) => /\.(?:html|json|xml|txt|js|css)$|_headers/.test(name))
  expect(texts.length).toBeGreaterThan(10)
  const { token } = await site.signIn()
  const secrets = [...hidden, letter.message, letter.email, owner.userName, String(token)]
  expect(hidden.length).toBeGreaterThan(1)
  for (const [name, bytes] of texts) {
    const text = bytes.toString()
    for (const secret of secrets) expect(text.includes(secret), `${secret} in ${name}`).toBe(false)
    expect(text, name).not.toMatch(/href="[^"]*(?:login|settings|inbox|configurar)/)
    if (!name.endsWith('.html')) continue
    const scripts = text.match(/<script[^>]*>/g) ?? []
    expect(
      scripts.filter((tag) => !tag.includes('ld+json')),
      name,
    ).toEqual([])
    expect(text, name).not.toMatch(/\son\w+=|\/api\/|manifest/)
    // What a button does, a browser does by itself.
    for (const button of text.match(/<button[^>]*>/g) ?? [])
      expect(button).toContain('popovertarget')
  }
  await rm(folder, { recursive: true })
})

test('where the site was, its copy takes away what that one left in browsers, and is shown', async ({
  site,
  browser,
}) => {
  const folder = await exported(site)
  const context = await browser.newContext({ serviceWorkers: 'allow' })
  const page = await context.newPage()
  await page.goto(`${site.url}/about`)
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  expect(await page.evaluate(() => caches.keys())).not.toEqual([])
  await site.stop()
  const copy = await serveFolder(folder, '/', Number(new URL(site.url).port))
  // On a visit a browser asks for the worker's file by itself; the page is still the site's.
  await page.goto(`${site.url}/about`)
  await expect(async () => {
    const left = await page.evaluate(async () => [
      ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
      ...(await caches.keys()),
    ])
    expect(left).toEqual([])
  }).toPass({ timeout: 30_000 })
  await page.goto(`${site.url}/about/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('script:not([type="application/ld+json"])')).toHaveCount(0)
  await context.close()
  copy.close()
  await site.restart()
  await rm(folder, { recursive: true })
})

test('the same content gives the same bytes, in the folder as in the ZIP; a change gives others', async ({
  site,
}) => {
  await fillSite(site)
  const first = await exported(site)
  const again = await exported(site)
  const zip = await zipped(site)
  const files = await filesIn(first)
  expect(await filesIn(again)).toEqual(files)
  await site.restart()
  expect((await zipped(site)).equals(zip)).toBe(true)
  const inZip = await unzipped(zip)
  const { '.tintero': list, ...inFolder } = Object.fromEntries(files)
  expect(Object.fromEntries(inZip)).toEqual(inFolder)
  expect(list?.toString().split('\n')).toEqual([...inZip.keys()])
  await createEntry(site, project, formValues(project, 'Otro'))
  expect((await zipped(site)).equals(zip)).toBe(false)
  for (const folder of [first, again]) await rm(folder, { recursive: true })
})

/** Where she says how her copy is to be. */
async function openWish(page: Page) {
  await page.goto('/settings#datos')
  await page.getByRole('button', { name: copiesTexts.downloadSite }).click()
  const wish = page.getByRole('dialog', { name: copiesTexts.downloadSite })
  await expect(wish).toBeVisible()
  const download = wish.getByRole('button', { name: siteCopyTexts.download })
  return { wish, download, alert: wish.getByRole('alert') }
}

test('her browser saves it from the settings; where that fails she is told, and can try again', async ({
  owner: page,
  site,
  watch,
}) => {
  watch.expect(/could not be downloaded|Could not load|ERR_INTERNET_DISCONNECTED|503/)
  const { wish, download: button, alert } = await openWish(page)
  await page.route(`**/api/${siteCopyCall}/link`, (route) => refuse(route, 'no-disponible'))
  await button.click()
  await expect(alert).toHaveText(problems['no-disponible'][2])
  await page.unrouteAll()
  await expect(logOutButton(page)).toBeVisible()
  await page.context().setOffline(true)
  await button.click()
  await expect(alert).toHaveText(importTexts.offlineDownload)
  await page.context().setOffline(false)
  const downloading = page.waitForEvent('download')
  await button.click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(siteCopyName)
  expect((await readFile(await download.path())).equals(await zipped(site))).toBe(true)
  await expect(wish).toBeHidden()
  const opener = page.getByRole('button', { name: copiesTexts.downloadSite })
  await expect(opener).toBeFocused()
  const row = page.locator('section#datos .setting').filter({ has: opener })
  await expect(row.getByRole('status')).toHaveText('')
  const faults = await faultsInEveryLook(page, async (look) => {
    expect(await sidewaysOf(page), JSON.stringify(look)).toBe(0)
  })
  expect(faults).toEqual([])
})

test('before that she chooses where it will be and where its contact leads, without a mouse and every time anew', async ({
  owner: page,
  site,
}) => {
  const { email } = sample.settings
  const { wish, alert } = await openWish(page)
  const place = wish.getByLabel(siteCopyTexts.address, { exact: true })
  const service = wish.getByLabel(siteCopyTexts.service)
  const choice = (name: string) =>
    wish.getByRole('radio', { name: fill(name, { email: email ?? '' }) })
  await expect(choice(siteCopyTexts.choices.mail)).toBeChecked()
  await expect(place).toHaveValue('')
  await place.focus()
  await page.keyboard.type('lucia')
  await page.keyboard.press('Enter')
  await expect(place).toHaveAccessibleDescription(RegExp(siteCopyTexts.noAddress))
  await expect(place).toBeFocused()
  await place.fill('lucia.example')
  await page.keyboard.press('Tab')
  await expect(choice(siteCopyTexts.choices.mail)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(choice(siteCopyTexts.choices.server)).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(service).toBeFocused()
  await page.keyboard.type('http://a.example')
  await expect(choice(siteCopyTexts.choices.service)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(service).toHaveAccessibleDescription(RegExp(siteCopyTexts.noService))
  await expect(service).toBeFocused()
  const faults = await faultsInEveryLook(page, async (look) => {
    expect(await sidewaysOf(page), JSON.stringify(look)).toBe(0)
  })
  expect(faults).toEqual([])
  await service.fill('https://formularios.example/lucia')
  await expect(alert).toHaveText('')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const files = await unzipped(await readFile(await (await downloading).path()))
  expect(String(files.get('CNAME'))).toBe('lucia.example\n')
  const contact = String(files.get('contact/index.html'))
  expect(contact).toContain('action="https://formularios.example/lucia"')
  expect(contact).toContain('rel="canonical" href="https://lucia.example/contact"')
  await openWish(page)
  await expect(place).toHaveValue('')
  await expect(choice(siteCopyTexts.choices.mail)).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(wish).toBeHidden()
  // Without an e-mail address and on a site that only this machine reaches, nobody could write.
  await site.call('PUT', calls.config, { body: { email: '' } })
  await page.reload()
  await openWish(page)
  await expect(choice(siteCopyTexts.choices.none)).toBeChecked()
  await expect(wish.getByRole('radio')).toHaveCount(3)
  await site.call('PUT', calls.config, { body: { contact_enabled: 'false' } })
  await page.reload()
  await openWish(page)
  await expect(wish.getByText(siteCopyTexts.formClosed)).toBeVisible()
  await expect(wish.getByRole('radio')).toHaveCount(0)
})

test('she is told which pictures her copy lacks, by the page and by the copy itself', async ({
  owner: page,
  site,
}) => {
  await fillSite(site)
  const { download: whole, wish } = await openWish(page)
  const first = page.waitForEvent('download')
  await whole.click()
  await first
  await expect(wish).toBeHidden()
  const opener = page.getByRole('button', { name: copiesTexts.downloadSite })
  const row = page.locator('section#datos .setting').filter({ has: opener })
  await expect(row.getByRole('status')).toHaveText('')
  await rm(join(site.dataDir, 'media'), { recursive: true })
  const { download: button } = await openWish(page)
  const downloading = page.waitForEvent('download')
  await button.click()
  const files = await unzipped(await readFile(await (await downloading).path()))
  const names = fill(copyLacksTexts.pictureOf, { title: 'Con foto', section: project.title })
  const told = [fill(copyLacksTexts.pictureOne, { names }), copyLacksTexts.advice]
  await expect(row.getByRole('status')).toHaveText(told.join(' '))
  expect(String(files.get(copyLacksTexts.file))).toBe([...told, ''].join('\n'))
  const title = row.getByText(copiesTexts.site, { exact: true })
  const faults = await faultsInEveryLook(page, async (look) => {
    // A long notice leaves the words above it their room.
    expect((await title.boundingBox())?.height, JSON.stringify(look)).toBeLessThan(40)
    expect(await sidewaysOf(page), JSON.stringify(look)).toBe(0)
  })
  expect(faults).toEqual([])
})

test('a copy that breaks off while it is saved is called failed by her browser, and the log says why', async ({
  owner: page,
  site,
}) => {
  const picture = await fillSite(site)
  const { download: button } = await openWish(page)
  await page.route(`**/api/${siteCopyCall}/link`, async (route) => {
    const response = await route.fetch()
    await rm(join(site.dataDir, 'media'), { recursive: true })
    await route.fulfill({ response })
  })
  const downloading = page.waitForEvent('download')
  await button.click()
  const download = await downloading
  expect(await download.failure()).not.toBeNull()
  await expect
    .poll(() =>
      site
        .logs()
        .split('\n')
        .find((line) => line.includes('copy-broke-off')),
    )
    .toContain(picture.split('/').at(-1)?.slice(0, 40))
  // The next one is made anew, and says what is missing.
  await page.unrouteAll()
  const { download: again, wish } = await openWish(page)
  const second = page.waitForEvent('download')
  await again.click()
  expect(await (await second).failure()).toBeNull()
  await expect(wish).toBeHidden()
  const opener = page.getByRole('button', { name: copiesTexts.downloadSite })
  const row = page.locator('section#datos .setting').filter({ has: opener })
  await expect(row.getByRole('status')).not.toHaveText('')
})

test('a copy that she no longer waits for is not saved', async ({ owner: page }) => {
  const { wish, download } = await openWish(page)
  const saved: string[] = []
  page.on('download', (file) => saved.push(file.suggestedFilename()))
  const held = Promise.withResolvers<void>()
  const asked = page.waitForRequest(`**/api/${siteCopyCall}/link`)
  await page.route(`**/api/${siteCopyCall}/link`, async (route) => {
    await held.promise
    // The call may have ended meanwhile, as it should.
    await route.continue().catch(() => undefined)
  })
  await download.click()
  await asked
  await wish.getByRole('button', { name: ownerTexts.cancel }).click()
  await expect(wish).toBeHidden()
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  const { download: again } = await openWish(page)
  const downloading = page.waitForEvent('download')
  await again.click()
  await downloading
  expect(saved).toEqual([siteCopyName])
})

test('only a signed-in owner gets it, by an address for this file that ends with her sign-in', async ({
  site,
}) => {
  const call = (path: string) => fetchInTime(`${site.url}/api/${siteCopyCall}/${path}`)
  expect((await call(siteCopyName)).status).toBe(401)
  expect((await call(`${siteCopyName}?ticket=${'a'.repeat(43)}`)).status).toBe(401)
  expect((await site.call('POST', `${siteCopyCall}/link`, { token: null, body: {} })).status).toBe(
    401,
  )
  const { token } = await site.signIn()
  const asked = { token: String(token) }
  const { json } = await site.call('POST', `${siteCopyCall}/link`, { ...asked, body: {} })
  const address = `${site.url}/api/${String(json['path'])}`
  expect(address).not.toContain(String(token))
  const head = await fetchInTime(address, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('content-disposition')).toBe(`attachment; filename="${siteCopyName}"`)
  expect(head.headers.get('cache-control')).toBe('private, no-store')
  await site.call('POST', ownerCalls.logout, asked)
  expect((await fetchInTime(address)).status).toBe(401)
})

test('whoever writes from a copy gets to her e-mail, to the running site or to a service', async ({
  site,
  browser,
}) => {
  await fillSite(site)
  const page = await browser.newPage()
  const contactOf = async (...options: readonly string[]) => {
    const folder = await exported(site, ...options)
    await page.goto(pathToFileURL(join(folder, 'contact/index.html')).href)
    await rm(folder, { recursive: true })
    return page.locator('.letters')
  }
  const link = { name: contactTexts.submit }
  const mail = 'mailto:lucia@example.com'
  await expect((await contactOf()).getByRole('link', link)).toHaveAttribute('href', mail)
  const live = (await contactOf('--contact', 'server')).getByRole('link', link)
  await expect(live).toHaveAttribute('href', `${site.url}/contact`)
  const none = await contactOf('--contact', 'none')
  await expect(none).toHaveText(defaultSettings.contact_disabled_text)
  const service = 'https://formularios.example/lucia'
  const form = (await contactOf('--contact', service)).locator('form')
  await expect(form).toHaveAttribute('action', service)
  await expect(form).toHaveAttribute('method', 'post')
  await expect(form.getByRole('button', link)).toBeVisible()
  await page.close()
})
