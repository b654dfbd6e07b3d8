import type { Page } from 'playwright/test'
import type { SentHiddenEntry } from '#contract/entries/hidden.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { faultsOnPlainGround, looks, show } from '#tests/support/axe.ts'
import { expect, logOut } from '#tests/support/browser.ts'
import { keysOf, test } from '#tests/support/cutting-proxy.ts'
import { databaseText, keptPaths, visit, type Device } from '#tests/support/device.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import {
  createEntry,
  fillForm,
  formValues,
  itemOf,
  openPanel,
  pencilOf,
  seedProjects,
  servedPage,
  snackbar,
} from '#tests/support/entries.ts'
import {
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  queued,
  removeEntry,
  sendQueue,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const hiddenIn = async (site: Site) =>
  (await site.call('GET', 'hidden')).json as unknown as readonly SentHiddenEntry[]

const hiddenNames = async (site: Site) => (await hiddenIn(site)).map(({ entry }) => entry['name'])

test.beforeEach(async ({ site }) => {
  await emptySections(site)
  for (const { section, entry } of await hiddenIn(site))
    await site.call('DELETE', `${section}/delete/${String(entry['id'])}`)
})

const visibility = (page: Page) => page.getByRole('switch', { name: hiddenTexts.label })
const publishOf = (page: Page, name: string) =>
  page.getByRole('button', { name: fill(hiddenTexts.publishName, { name }) })

const undoOf = (page: Page, name: string) =>
  page.getByRole('button', { name: fill(binTexts.undoName, { name }) })

/** Hides an entry of the list by its form. */
async function hide(page: Page, name: string): Promise<void> {
  await pencilOf(page, project, name).click()
  await visibility(page).click()
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(publishOf(page, name)).toBeVisible()
}

/** Gives an entry of the list another name by its form; resolves when the server has it. */
async function rename(
  page: Page,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await pencilOf(page, project, from).click()
  await page.getByRole('textbox', { name: project.fields.name.label }).fill(to)
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(publishOf(page, to)).toBeVisible()
  await isDrained(page)
  await expect.poll(() => databaseText(page, 'tintero-hidden')).toContain(to)
}

test('what she hides is marked in its place and nobody else’s, until she publishes it @main', async ({
  device,
  site,
  browser,
}) => {
  await seedProjects(site, 'Uno', 'Dos', 'Tres')
  const visitor = await browser.newPage({ javaScriptEnabled: false })
  await visitor.goto(`${site.url}/projects`)
  await expect(itemOf(visitor, 'Dos')).toBeVisible()

  const page = await ownerTab(device, { site })
  await hide(page, 'Dos')
  await isDrained(page)
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno'])
  await expect(page.getByText('2 publicados · 1 oculto')).toBeVisible()
  await expect(itemOf(page, 'Dos').getByText('Oculto')).toBeVisible()
  await expect(itemOf(page, 'Dos').getByText(hiddenTexts.onlyYou[0])).toBeVisible()
  await expect(itemOf(page, 'Uno').getByText('Oculto')).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByText('2 proyectos')).toBeVisible()
  await expect(itemOf(visitor, 'Dos')).toHaveCount(0)
  for (const path of ['/projects', '/', '/cv', '/resume.json']) {
    expect(await servedPage(site, path)).not.toContain('Dos')
  }
  // Her own pages that visitors have too say what those say.
  await page.goto('/cv')
  await expect(page.getByText('Uno')).toBeVisible()
  await expect(page.getByText('Dos')).toHaveCount(0)

  await page.goto('/projects')
  await publishOf(page, 'Dos').click()
  await expect(
    snackbar(page, 'success-snackbar', fill(hiddenTexts.published, { name: 'Dos' })),
  ).toBeVisible()
  await expect(pencilOf(page, project, 'Dos')).toBeFocused()
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno'])
  await expect(page.getByText('3 proyectos')).toBeVisible()
  await visitor.reload()
  await expect(itemOf(visitor, 'Dos')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Uno', 'Dos', 'Tres'])
})

test('a hidden entry and its form have no fault in any section, in both themes and widths', async ({
  device,
  site,
}) => {
  for (const section of [project, experience, skill]) {
    await test.step(section.title, async () => {
      await createEntry(site, section, { ...formValues(section, 'Uno'), hidden: 'true' })
      await createEntry(site, section, formValues(section, 'Dos'))
      const page = await ownerTab(device, { site, path: section.path })
      for (const look of looks) {
        const at = `${section.title} at ${look.width} in ${look.theme}`
        await show(page, look)
        await expect(publishOf(page, 'Uno'), at).toBeVisible()
        expect(await faultsOnPlainGround(page), at).toEqual([])
      }
      await pencilOf(page, section, 'Uno').click()
      await expect(visibility(page), section.title).not.toBeChecked()
      for (const look of looks) {
        const at = `the form of ${section.title} at ${look.width} in ${look.theme}`
        await show(page, look)
        await expect(visibility(page), at).toBeVisible()
        expect(await faultsOnPlainGround(page), at).toEqual([])
      }
      await page.close()
    })
  }
})

test('without a connection she makes one hidden, edits it, and finds it again after a reload; it goes with LogOut @main', async ({
  device,
  site,
  watch,
}) => {
  watch.expect(/Failed to load resource/, /Could not load/)
  await seedProjects(site, 'Uno')
  await createEntry(site, project, { ...formValues(project, 'Dos'), hidden: 'true' })
  const page = await ownerTab(device, { site })
  await expect(publishOf(page, 'Dos')).toBeVisible()
  await expect.poll(() => databaseText(page, 'tintero-hidden')).toContain('Dos')

  await device.context.setOffline(true)
  await page.reload()
  await expect(publishOf(page, 'Dos')).toBeVisible()
  const panel = await openPanel(page, project)
  await fillForm(panel, project, { values: formValues(project, 'Tres') })
  await visibility(page).click()
  await panel.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(publishOf(page, 'Tres')).toBeVisible()
  await expect(page.getByText('1 publicado · 2 ocultos')).toBeVisible()
  // Still with the same change: what was never sent is edited, shown and hidden in one.
  await pencilOf(page, project, 'Tres').click()
  await page.getByRole('textbox', { name: project.fields.name.label }).fill('Cuatro')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(publishOf(page, 'Cuatro')).toBeVisible()
  expect((await queued(page)).map(({ verb, values }) => [verb, values['hidden']])).toEqual([
    ['create', 'true'],
  ])
  // Publishing what is only hidden here, and hiding what everybody sees.
  await publishOf(page, 'Dos').click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued).first()).toBeVisible()
  await expect(publishOf(page, 'Dos')).toHaveCount(0)
  await hide(page, 'Uno')
  await page.reload()
  await expect(publishOf(page, 'Uno')).toBeVisible()
  await expect(publishOf(page, 'Cuatro')).toBeVisible()
  await expect.poll(() => shownNames(page)).toEqual(['Cuatro', 'Dos', 'Uno'])
  const sheet = await openQueueSheet(page)
  await expect(sheet.getByText('Publicar proyecto «Dos»')).toBeVisible()
  await expect(sheet.getByText('Ocultar proyecto «Uno»')).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await storedNames(site)).toEqual(['Uno'])

  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Dos'])
  expect(await hiddenNames(site)).toEqual(['Uno', 'Cuatro'])
  await expect.poll(() => databaseText(page, 'tintero-hidden')).toContain('Cuatro')
  // What this device reads to whoever opens the site has none of it, in the queries nor in the worker's copies.
  await expect.poll(() => databaseText(page, 'tintero-cache')).toContain('Dos')
  expect(/Cuatro|Uno/.test(await databaseText(page, 'tintero-cache'))).toBe(false)
  expect([...(await keptWith(page, 'Cuatro')), ...(await keptWith(page, 'Uno'))]).toEqual([])

  await logOut(page)
  await expect(page.getByRole('link', { name: ownerTexts.editHeader })).toHaveCount(0)
  await expect(itemOf(page, 'Dos')).toBeVisible()
  await isHydrated(page)
  expect(await shownNames(page)).toEqual(['Dos'])
  expect(await databaseText(page, 'tintero-hidden')).not.toMatch(/Cuatro|Uno/)
})

/** The paths under which the worker keeps a text that has this in it. */
function keptWith(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate(async (wanted) => {
    const paths: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        const isText = /json|html/.test(answer?.headers.get('content-type') ?? '')
        if (isText && (await answer?.text())?.includes(wanted)) {
          paths.push(new URL(request.url).pathname)
        }
      }
    }
    return paths
  }, text)
}

test('hidden and edited twice, each time on a page that still waits for what is hidden, it stays as she left it @main', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  await createEntry(site, project, { ...formValues(project, 'Tres'), hidden: 'true' })
  const page = await ownerTab(device, { site })
  await expect.poll(() => databaseText(page, 'tintero-hidden')).toContain('Tres')
  const answered = Promise.withResolvers<void>()
  line.decideReads(({ path }) =>
    path === 'hidden' ? { is: 'answer held', until: answered.promise } : undefined,
  )
  await page.reload()
  await hide(page, 'Uno')
  await rename(page, { from: 'Uno', to: 'Cuatro' })
  await page.reload()
  await expect(publishOf(page, 'Cuatro')).toBeVisible()
  await expect(publishOf(page, 'Tres')).toBeVisible()
  await rename(page, { from: 'Cuatro', to: 'Cinco' })
  await page.reload()
  await expect(publishOf(page, 'Cinco')).toBeVisible()
  await publishOf(page, 'Tres').click()
  await isDrained(page)
  await expect.poll(() => databaseText(page, 'tintero-hidden')).not.toContain('Tres')
  await page.reload()
  await expect(itemOf(page, 'Tres')).toBeVisible()
  await expect(publishOf(page, 'Tres')).toHaveCount(0)
  answered.resolve()
  expect(await hiddenNames(site)).toEqual(['Cinco'])
  expect(await storedNames(site)).toEqual(['Dos', 'Tres'])
})

test('what a résumé brought without a link is hidden and renamed without one', async ({
  device,
  site,
}) => {
  const body = { ...formValues(project, 'Uno'), repo: '', imported: true }
  await site.call('POST', `${project.key}/create`, { body })
  const page = await ownerTab(device, { site })
  await pencilOf(page, project, 'Uno').click()
  await visibility(page).click()
  await page.getByRole('textbox', { name: project.fields.name.label }).fill('Dos')
  await page.getByRole('textbox', { name: project.fields.demo.label }).fill('')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  // What it has is still asked for.
  await expect(page.getByText('Falta 1 campo')).toBeVisible()
  await page.getByRole('textbox', { name: project.fields.demo.label }).fill('Privado')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect.poll(() => hiddenNames(site)).toEqual(['Dos'])
})

test('hidden on one device and edited on another without a connection: she chooses, and nobody sees it', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno')
  const [{ id = '' } = {}] = await storedRows(site)
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await pencilOf(page, project, 'Uno').click()
  await page.getByRole('textbox', { name: project.fields.name.label }).fill('Otro')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(page, 'Otro')).toBeVisible()
  await site.call('PUT', `${project.key}/update/${id}`, { body: { hidden: 'true' } })
  await device.context.setOffline(false)
  await expect(page.getByRole('button', { name: /^Con errores/ })).toBeVisible()
  const sheet = await openQueueSheet(page)
  await expect(sheet.getByText(queueTexts.conflict)).toBeVisible()
  await sheet.getByRole('button', { name: ownerTexts.keepMine }).click()
  await isDrained(page)
  await page.keyboard.press('Escape')
  await expect(publishOf(page, 'Otro')).toBeVisible()
  expect([await storedNames(site), await hiddenNames(site)]).toEqual([[], ['Otro']])

  // Published elsewhere meanwhile: publishing again is no conflict.
  await device.context.setOffline(true)
  await publishOf(page, 'Otro').click()
  await expect(publishOf(page, 'Otro')).toHaveCount(0)
  await site.call('PUT', `${project.key}/update/${id}`, { body: { hidden: '' } })
  await sendQueue(device, page)
  expect([await storedNames(site), await hiddenNames(site)]).toEqual([['Otro'], []])
  await expect(page.getByRole('button', { name: /^Con errores/ })).toHaveCount(0)
})

test('hidden and then deleted without a connection it is in the bin as it was hidden, and comes back so', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await hide(page, 'Dos')
  await removeEntry(page, 'Dos')
  await undoOf(page, 'Dos').click()
  await expect(publishOf(page, 'Dos')).toBeVisible()
  await sendQueue(device, page)
  expect([await storedNames(site), await hiddenNames(site)]).toEqual([['Uno'], ['Dos']])

  await removeEntry(page, 'Dos')
  await isDrained(page)
  expect(await hiddenNames(site)).toEqual([])
  await undoOf(page, 'Dos').click()
  await expect(publishOf(page, 'Dos')).toBeVisible()
  await isDrained(page)
  expect([await storedNames(site), await hiddenNames(site)]).toEqual([['Uno'], ['Dos']])
})

/** What shows an entry of the projects, and is kept. */
const showing = [project.path, '/', '/cv']

/** A visitor's device that holds what shows two projects. */
async function keptTab(device: Device, site: Site): Promise<Page> {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await device.tab()
  await visit(page, project.path)
  await expect(itemOf(page, 'Dos')).toBeVisible()
  const held = [...showing, `/api/${project.key}`]
  await expect.poll(() => keptWith(page, 'Dos')).toEqual(expect.arrayContaining(held))
  return page
}

async function hideStored(site: Site, name: string): Promise<void> {
  const row = (await storedRows(site)).find((one) => one['name'] === name)
  await site.call('PUT', `${project.key}/update/${row?.['id'] ?? ''}`, { body: { hidden: 'true' } })
}

/** No text on the device has what was hidden. */
async function isForgotten(page: Page): Promise<void> {
  await expect(page.getByText('Dos', { exact: true })).toHaveCount(0)
  await expect.poll(() => keptWith(page, 'Dos')).toEqual([])
  await expect
    .poll(async () => (await databaseText(page, 'tintero-cache')).includes('Dos'))
    .toBe(false)
}

/** Without a connection every page is there, and shows what is left. */
async function showsWhatIsLeft(device: Device, page: Page): Promise<void> {
  await device.context.setOffline(true)
  for (const path of showing) {
    await page.goto(path)
    await isHydrated(page)
    await expect(page.getByText('Uno', { exact: true }).first(), path).toBeVisible()
    await expect(page.getByText('Dos', { exact: true }), path).toHaveCount(0)
  }
}

for (const heard of [project.path, '/']) {
  test(`what a visitor’s device holds of it goes once the device reads ${heard}`, async ({
    device,
    site,
  }) => {
    const page = await keptTab(device, site)
    await hideStored(site, 'Dos')
    await visit(page, heard)
    await isForgotten(page)
    await expect.poll(() => keptPaths(page, 'pages')).toEqual(expect.arrayContaining(showing))
    await showsWhatIsLeft(device, page)
  })
}

test('it goes where the device hears of it by a list alone, read anew when the page is looked at again', async ({
  device,
  site,
}) => {
  const page = await keptTab(device, site)
  await hideStored(site, 'Dos')
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await isForgotten(page)
  await showsWhatIsLeft(device, page)
})

test('a publication whose answer is lost is done once @main', async ({
  device,
  site,
  line,
  watch,
}) => {
  watch.expect(/Failed to load resource/)
  await createEntry(site, project, { ...formValues(project, 'Uno'), hidden: 'true' })
  const page = await ownerTab(device, { site })
  await expect(publishOf(page, 'Uno')).toBeVisible()
  let lost = 0
  line.decide(({ path }) =>
    path.includes('/update/') && lost++ === 0 ? { is: 'answer lost' } : undefined,
  )
  await publishOf(page, 'Uno').click()
  await isDrained(page)
  await expect(publishOf(page, 'Uno')).toHaveCount(0)
  const updates = line.writes.filter(({ path }) => path.includes('/update/'))
  expect(keysOf(updates).size).toBe(1)
  expect(await storedNames(site)).toEqual(['Uno'])
})
