import type { Page } from 'playwright/test'
import { aboutFields, headerFields } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { project } from '#contract/sections/project.ts'
import { settingWords } from '#contract/texts/setting-words.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { expect, takeSession } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { databaseText, keptPaths, visit } from '#tests/support/device.ts'
import { itemOf, seedProjects, snackbar } from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  ownerTab,
  queued,
  removeEntry,
  renameEntry,
  sendQueue,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import { personPath } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

test('what is made, changed and removed offline survives a reload and arrives in order @main', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Vieja')
  const page = await ownerTab(device, { site })
  await expect(itemOf(page, 'Vieja')).toBeVisible()
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Una' })
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await renameEntry(page, { from: 'Vieja', to: 'Renovada' })
  await addEntry(page, { name: 'Dos' })
  await removeEntry(page, 'Renovada')
  await page.reload()
  await expect(itemOf(page, 'Dos')).toBeVisible()
  expect(await shownNames(page)).toEqual(['Dos', 'Una'])
  expect(await storedNames(site)).toEqual(['Vieja'])
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Una', 'Dos'])
  expect(line.writes.map(({ method, path }) => [method, path.split('/')[1]])).toEqual([
    ['POST', 'create'],
    // What she edited is in the bin as she left it.
    ['PUT', 'update'],
    ['POST', 'create'],
    ['DELETE', 'delete'],
  ])
  await expect(page.locator('main .item')).toHaveCount(2)
  expect(await shownNames(page)).toEqual(['Dos', 'Una'])
})

test('with the server dead and the browser restarted a queued picture is shown, then uploaded', async ({
  lasting: device,
  site,
  line,
}) => {
  let page = await ownerTab(device, { site })
  const session = await site.signIn()
  await site.stop('SIGKILL')
  await addEntry(page, { name: 'Con foto', picture: await colourSquare('#0a7') })
  await renameEntry(page, { from: 'Con foto', to: 'Con su foto' })
  await device.restart()
  page = await device.tab()
  await visit(page, project.path)
  await expect(itemOf(page, 'Con su foto')).toHaveCount(0)
  await takeSession(page, session)
  await visit(page, project.path)
  const image = itemOf(page, 'Con su foto').locator('img')
  await expect(image).toHaveAttribute('src', /^blob:/)
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(64)
  const before = line.writes.length
  await site.start()
  await visit(page, project.path)
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Con su foto'])
  const [row] = await storedRows(site)
  expect(row?.['image']).toMatch(/^\/media\/.+\.webp$/)
  await expect(image).toHaveAttribute('src', row?.['image'] ?? '')
  // A try may still meet the server while it starts; it is the same write when it has the same key.
  const sent = new Map(line.writes.slice(before).map(({ key, path }) => [key, path]))
  expect([...sent.values()].map((path) => path.split('/').slice(0, 2))).toEqual([
    ['image', 'Project'],
    ['proyect', 'create'],
    ['proyect', 'update'],
  ])
})

test('a change survives a reload right after it was made', async ({ device, site }) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Recién hecha' })
  await page.reload()
  await expect(itemOf(page, 'Recién hecha')).toBeVisible()
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Recién hecha'])
})

test('an entry made and removed offline never reaches the server', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  const other = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Fugaz', picture: await colourSquare('#a07') })
  await expect(itemOf(other, 'Fugaz')).toBeVisible()
  await page.reload()
  await removeEntry(page, 'Fugaz')
  await expect(itemOf(other, 'Fugaz')).toHaveCount(0)
  expect(await queued(page)).toEqual([])
  await device.context.setOffline(false)
  await addEntry(page, { name: 'Otra' })
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Otra'])
  expect(line.writes).toHaveLength(1)
})

/** Adds three entries in each tab, one after the other; resolves to their names in that order. */
async function addInTurns(one: Page, two: Page): Promise<readonly string[]> {
  const names: string[] = []
  for (const turn of [0, 1, 2]) {
    for (const [page, letter] of [
      [one, 'p'],
      [two, 'q'],
    ] as const) {
      await addEntry(page, { name: `${letter}${turn}` })
      names.push(`${letter}${turn}`)
    }
  }
  return names
}

test('two tabs that took turns offline send everything once and in that order @main', async ({
  device,
  site,
  line,
}) => {
  const one = await ownerTab(device, { site })
  const two = await ownerTab(device, { site })
  await device.context.setOffline(true)
  const names = await addInTurns(one, two)
  await sendQueue(device, one)
  expect(await storedNames(site)).toEqual(names)
  expect(line.writes.map(({ body }) => (JSON.parse(body) as { name: string }).name)).toEqual(names)
  for (const page of [one, two]) {
    await expect.poll(() => shownNames(page)).toEqual(names.toReversed())
    await expect(page.locator('header button.sync')).toHaveAccessibleName(/^Todo sincronizado$/)
  }
})

/** As on a site without https: whatever keeps the tabs apart must do without. */
function takeLocksAway(): void {
  Reflect.deleteProperty(Navigator.prototype, 'locks')
}

test('two tabs of a browser without locks add everything once and in order', async ({
  device,
  site,
  line,
}) => {
  await device.context.addInitScript(takeLocksAway)
  const tab = async () => {
    const page = await device.tab()
    await page.goto('/')
    await takeSession(page, await site.signIn())
    await page.goto(project.path)
    await page.getByRole('button', { name: project.words.add }).first().waitFor()
    return page
  }
  const [one, two] = [await tab(), await tab()]
  await device.context.setOffline(true)
  const names = await addInTurns(one, two)
  await sendQueue(device, one)
  expect(await storedNames(site)).toEqual(names)
  // Both tabs may call at once for the same change: under its one key, and none before the one ahead of it is done.
  const called = new Map(line.writes.map(({ key, body }) => [key, body]))
  expect([...called.values()].map((body) => (JSON.parse(body) as { name: string }).name)).toEqual(
    names,
  )
  for (const page of [one, two]) {
    await expect.poll(() => shownNames(page)).toEqual(names.toReversed())
    await expect(page.locator('header button.sync')).toHaveAccessibleName(/^Todo sincronizado$/)
  }
})

test('both forms of the profile queue together and neither undoes the other', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site, path: '/about' })
  await device.context.setOffline(true)
  await page.getByRole('link', { name: ownerTexts.editAbout }).click()
  await page.getByLabel(aboutFields.description.label).fill('Escrita sin conexión.')
  await page.getByLabel(aboutFields.image.label).setInputFiles(await colourSquare('#70a'))
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(page).toHaveURL(/about$/)
  await expect(page.locator('main p', { hasText: 'Escrita sin conexión.' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Inicio' }).first().click()
  await page.getByRole('link', { name: ownerTexts.editHeader }).click()
  await page.getByLabel(headerFields.name.label).fill('Renata')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Renata')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Renata')
  await site.call('PUT', personPath('person/update'), { body: { title: 'Grabadora' } })
  await device.context.setOffline(false)
  // Somebody else changed the profile meanwhile, and only the changed fields are put side by side.
  await page.locator('header button.sync').click()
  await page.getByRole('button', { name: ownerTexts.keepMine }).click()
  await isDrained(page)
  const { json } = await site.call('GET', personPath('person/detail'), { token: null })
  expect(json).toMatchObject({
    name: 'Renata',
    description: 'Escrita sin conexión.',
    title: 'Grabadora',
    image: expect.stringMatching(/^\/media\/.+\.webp$/),
  })
  expect(line.writes.filter(({ path }) => path.startsWith('person/')).length).toBe(2)
  await expect(snackbar(page, 'success-snackbar', personNotices.updated)).toBeVisible()
})

test('a setting changed offline is shown as changed and arrives later', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  const field = page.getByRole('textbox', { name: settingWords.location_text.label })
  await device.context.setOffline(true)
  await field.fill('Mendoza')
  await field.blur()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue('Mendoza')
  await sendQueue(device, page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({ location_text: 'Mendoza' })
})

test('whoever is not signed in sees nothing of what is queued', async ({ device, site }) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Secreta' })
  const visitor = await device.tab()
  await visit(visitor, project.path)
  await expect(itemOf(page, 'Secreta')).toBeVisible()
  await expect(visitor.getByText('Secreta')).toHaveCount(0)
  expect(await databaseText(visitor, 'tintero-cache')).not.toContain('Secreta')
})

test('the copy on the device is deleted on request, and what waits is not', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await expect.poll(() => keptPaths(page, 'api')).not.toEqual([])
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Pendiente' })
  await visit(page, '/settings')
  await page.getByRole('button', { name: ownerTexts.dropCopy }).click()
  await expect(page.getByText(ownerTexts.copyDropped)).toBeVisible()
  expect(await keptPaths(page, 'api')).toEqual([])
  expect(await keptPaths(page, 'images')).toEqual([])
  await expect.poll(() => databaseText(page, 'tintero-cache')).toBe('[]')
  expect(await queued(page)).toHaveLength(1)
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Pendiente'])
})
