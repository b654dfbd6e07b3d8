import { imageFieldOf } from '#contract/fields.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { copySources, type Build } from '#tests/support/builds.ts'
import { expect, throughReload } from '#tests/support/browser.ts'
import { keptPaths, test, visit } from '#tests/support/device.ts'
import { formValues, fillForm, itemOf, openPanel } from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { isDrained, ownerTab, removeEntry, renameEntry } from '#tests/support/queue.ts'
import { addOwnPage, ownPage } from '#tests/support/own-page.ts'
import { addReadmeSection } from '#tests/support/readme-section.ts'

test.use({ writes: true })

let section: Section
let build: Build

test.beforeAll(async () => {
  const sources = copySources()
  section = await addReadmeSection(sources)
  addOwnPage(sources)
  expect(sources.typeErrors()).toBe('')
  build = sources.build()
})
test.afterAll(() => build.remove())

test('a section made as the README says works whole, on a data folder that is there @main', async ({
  device,
  site,
}) => {
  const image = imageFieldOf(section.fields) ?? ''
  await site.stop()
  await site.start(build.entry)
  const page = await ownerTab(device, { site, path: section.path })

  // With its picture, through the form; what is optional is left out.
  const panel = await openPanel(page, section)
  const { info: _left, ...values } = formValues(section, 'Soldadura')
  await expect(panel.getByText('Opcional', { exact: true })).toBeVisible()
  await fillForm(panel, section, { values, picture: await colourSquare('#2266aa') })
  // Some seconds after a create the page is loaded anew.
  await throughReload(page, async () => {
    await panel.getByRole('button', { name: ownerTexts.confirm }).click()
    await expect(itemOf(page, 'Soldadura').getByRole('link')).toHaveCount(1)
  })
  await renameEntry(page, { from: 'Soldadura', to: 'Soldadura fina', section })
  await isDrained(page)

  const rows = (await site.call('GET', section.key)).json as unknown as readonly Record<
    string,
    string
  >[]
  expect(rows.map(({ name, info }) => [name, info])).toEqual([['Soldadura fina', '']])
  expect(rows[0]?.[image]).toMatch(/^\/media\/.*\.webp$/)
  expect((await fetchInTime(`${site.url}${rows[0]?.[image]}`)).status).toBe(200)

  const read = async (path: string) => (await fetchInTime(site.url + path)).text()
  const list = await read(section.path)
  expect(list).toContain('Soldadura fina</h2>')
  expect(list).toContain('"numberOfItems":1')
  expect(list).toContain('<style data-page="list-timeline">')
  expect(list).not.toContain('<p class="description"></p>')
  expect(await read('/sitemap.xml')).toContain(`${section.path}</loc>`)
  expect(await read('/')).toContain(`href="${section.path}"`)
  const cv = await read('/cv')
  expect(cv.indexOf(section.title)).toBeGreaterThan(cv.indexOf('Educación'))
  expect(cv.indexOf('Habilidades')).toBeGreaterThan(cv.indexOf(section.title))

  await visit(page, '/')
  await expect.poll(() => keptPaths(page, 'api')).toContain(`/api/${section.key}`)
  await site.stop('SIGKILL')
  await page.goto(section.path)
  await expect(itemOf(page, 'Soldadura fina')).toBeVisible()

  await removeEntry(page, 'Soldadura fina', section)
  await site.start(build.entry)
  await expect.poll(async () => (await site.call('GET', section.key)).json).toEqual([])
})

test('a page of its own is served, listed, navigated to and read without a connection', async ({
  device,
  site,
}) => {
  const { path, title, heading } = ownPage
  await site.stop()
  await site.start(build.entry)
  const served = await fetchInTime(site.url + path)
  expect(served.status).toBe(200)
  const html = await served.text()
  expect(html).toContain(`<title>${title} · `)
  expect(html).toContain(`<meta name="description" content="${title}: `)
  expect(html).toContain(`${path}"><meta property="og:type"`)
  expect(html).toContain('<style data-page="about">')
  expect(html).toContain(`>${heading}</h1>`)
  expect((await fetchInTime(`${site.url}${path}/otra`)).status).toBe(404)
  const sitemap = await (await fetchInTime(`${site.url}/sitemap.xml`)).text()
  expect(sitemap).toContain(`${path}</loc>`)

  const page = await device.tab()
  await visit(page, '/')
  await page.evaluate(() => document.body.setAttribute('data-first', ''))
  const nav = page.getByRole('navigation', { name: texts.navigation }).first()
  await nav.getByRole('link', { name: title, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
  await expect(page).toHaveTitle(new RegExp(`^${title} · `))
  await expect(page.locator('body[data-first]')).toBeAttached()

  await expect.poll(() => keptPaths(page, 'pages')).toContain(path)
  await site.stop('SIGKILL')
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await site.start(build.entry)
})
