import type { Locator, Page } from 'playwright/test'
import { historyCall, type History } from '#contract/entries/history.ts'
import { sample } from '#contract/sample.ts'
import { project } from '#contract/sections/project.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { refuse } from '#tests/support/answers.ts'
import { faultsInEveryLook, faultsOnPlainGround } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { keysOf, test } from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf, snackbar } from '#tests/support/entries.ts'
import {
  changeElsewhere,
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  queued,
  sendQueue,
  storedNames,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(({ site }) => emptySections(site))

const formOf = (id: string) => project.editPath.replace('$id', id)
const historyButton = (page: Page) =>
  page.getByRole('button', { name: historyTexts.open, exact: true })
const nameField = (page: Page) => page.getByRole('textbox', { name: project.fields['name']?.label })
const goBackIn = (sheet: Locator) => sheet.getByRole('button', { name: historyTexts.goBack })
const versionsOf = (sheet: Locator) => sheet.locator('.picks button')

/** Opens the history from the form that the page shows. */
async function openHistory(page: Page): Promise<Locator> {
  await historyButton(page).click()
  const sheet = page.locator('dialog.history')
  await expect(sheet.getByRole('heading', { level: 2 })).toBeFocused()
  return sheet
}

/** An entry with two versions behind it. */
async function changedTwice(site: Site): Promise<string> {
  const values = {
    ...formValues(project, 'Ferias del barrio'),
    description: 'Mapa de ferias nuevas',
  }
  const id = await createEntry(site, project, values)
  await changeElsewhere(site, id, { name: 'Feria', description: 'Mapa de ferias y puestos' })
  await changeElsewhere(site, id, { name: 'Feria cerca' })
  return id
}

async function storedHistory(site: Site, id: string): Promise<readonly string[]> {
  const { json } = await site.call('GET', `${historyCall}/${project.key}/${id}`)
  return (json as unknown as History).versions.map(({ fields }) => fields['name'] ?? '')
}

test('an earlier version is compared word by word, comes back, and that can be undone @main', async ({
  device,
  site,
}) => {
  const id = await changedTwice(site)
  const page = await ownerTab(device, { site, path: formOf(id) })
  const sheet = await openHistory(page)
  await expect(sheet.getByRole('heading', { level: 2 })).toHaveText('Historial de «Feria cerca»')
  await expect(versionsOf(sheet)).toHaveCount(3)
  await expect(versionsOf(sheet).nth(1)).toHaveAttribute('aria-current', 'true')
  await expect(sheet.locator('dd').first()).toHaveText('Feria se quitaría:  cerca')
  await versionsOf(sheet).nth(2).click()
  const [name, description] = [sheet.locator('dd').nth(0), sheet.locator('dd').nth(1)]
  await expect(name.locator('del')).toHaveText('se quitaría: Feria cerca')
  await expect(name.locator('ins')).toHaveText('volvería: Ferias del barrio')
  await expect(description.locator('del')).toHaveText('se quitaría: y puestos')
  await expect(description.locator('ins')).toHaveText('volvería: nuevas')
  await expect(sheet.locator('.same').first()).toContainText('sin cambios')
  expect(await faultsInEveryLook(page)).toEqual([])
  await versionsOf(sheet).nth(0).click()
  await expect(goBackIn(sheet)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(historyButton(page)).toBeFocused()

  await openHistory(page)
  await versionsOf(sheet).nth(2).click()
  await goBackIn(sheet).click()
  const notice = snackbar(page, 'success-snackbar', historyTexts.returned)
  await expect(notice).toBeVisible()
  await expect(nameField(page)).toHaveValue('Ferias del barrio')
  expect(await storedNames(site)).toEqual(['Ferias del barrio'])
  expect(await storedHistory(site, id)).toEqual(['Feria cerca', 'Feria', 'Ferias del barrio'])
  await notice.getByRole('button', { name: historyTexts.undo }).click()
  await expect(snackbar(page, 'success-snackbar', historyTexts.undone)).toBeVisible()
  await expect(nameField(page)).toHaveValue('Feria cerca')
  expect(await storedNames(site)).toEqual(['Feria cerca'])
  // The form goes on from there, without a conflict with itself.
  await nameField(page).fill('Feria final')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(page, 'Feria final')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Feria final'])
})

test('without a connection what was seen comes back, what waited becomes a version, and nothing unseen is promised', async ({
  device,
  site,
  line,
  watch,
}) => {
  watch.expect(/Could not load history|ERR_INTERNET_DISCONNECTED/)
  const id = await changedTwice(site)
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await page
    .locator(`a[href="${formOf(id)}"]`)
    .first()
    .click()
  const sheet = await openHistory(page)
  await expect(sheet.getByText(historyTexts.unreadHint)).toBeVisible()
  expect(await faultsOnPlainGround(page)).toEqual([])
  await device.context.setOffline(false)
  await expect(versionsOf(sheet)).toHaveCount(3)
  await sheet.getByRole('button', { name: texts.close }).first().click()

  await device.context.setOffline(true)
  await nameField(page).fill('Feria sin conexión')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await page
    .locator(`a[href="${formOf(id)}"]`)
    .first()
    .click()
  await expect(nameField(page)).toHaveValue('Feria sin conexión')
  await openHistory(page)
  await expect(sheet.getByText(historyTexts.old)).toBeVisible()
  await expect(versionsOf(sheet).first()).toContainText(historyTexts.pending)
  await versionsOf(sheet).nth(2).click()
  await goBackIn(sheet).click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued).last()).toBeVisible()
  await expect(nameField(page)).toHaveValue('Ferias del barrio')
  expect(await queued(page)).toHaveLength(2)
  await page.reload()
  await expect(nameField(page)).toHaveValue('Ferias del barrio')
  const before = line.writes.length
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Ferias del barrio'])
  expect((await storedHistory(site, id)).slice(0, 2)).toEqual(['Feria sin conexión', 'Feria cerca'])
  expect(keysOf(line.writes.slice(before)).size).toBe(2)
})

test('what another device changed meanwhile is asked about, as with every change', async ({
  device,
  site,
}) => {
  const id = await changedTwice(site)
  const page = await ownerTab(device, { site, path: formOf(id) })
  const sheet = await openHistory(page)
  await versionsOf(sheet).nth(2).click()
  await device.context.setOffline(true)
  await goBackIn(sheet).click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await changeElsewhere(site, id, { name: 'Feria de otro' })
  await device.context.setOffline(false)
  const queue = await openQueueSheet(page)
  await expect(queue.getByText(queueTexts.conflict)).toBeVisible()
  expect(await storedNames(site)).toEqual(['Feria de otro'])
  await queue.getByRole('button', { name: ownerTexts.keepMine }).click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Ferias del barrio'])
  expect((await storedHistory(site, id))[0]).toBe('Feria de otro')
})

test('what is typed in the form stays when an earlier version comes back', async ({
  device,
  site,
}) => {
  const id = await changedTwice(site)
  const page = await ownerTab(device, { site, path: formOf(id) })
  const typed = page.getByRole('textbox', { name: project.fields['duration']?.label })
  await typed.fill('Mayo 2026')
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  const sheet = await openHistory(page)
  await goBackIn(sheet).click()
  await expect(snackbar(page, 'success-snackbar', historyTexts.returned)).toBeVisible()
  await expect(typed).toHaveValue('Mayo 2026')
  await page.reload()
  await expect(typed).toHaveValue('Mayo 2026')
  await expect(nameField(page)).toHaveValue('Feria')
})

test('the profile has a history too, with its picture', async ({ device, site }) => {
  const image = sample.person['image'] ?? ''
  await site.call('PUT', 'person/update/1', { body: { lastname: 'Primera', image } })
  await site.call('PUT', 'person/update/1', { body: { lastname: 'Segunda', image: '' } })
  const page = await ownerTab(device, { site, path: '/editProf/1' })
  const lastname = page.getByRole('textbox', { name: 'Apellido:' })
  await expect(lastname).toHaveValue('Segunda')
  const sheet = await openHistory(page)
  await expect(sheet.getByRole('heading', { level: 2 })).toHaveText(historyTexts.profile)
  await expect(sheet.locator('ins').nth(0)).toHaveText('volvería: Primera')
  await expect(sheet.locator('.pictures del')).toHaveText(`se quitaría: ${historyTexts.noPicture}`)
  await expect(sheet.locator('.pictures ins img')).toHaveAttribute('src', image)
  await goBackIn(sheet).click()
  await expect(snackbar(page, 'success-snackbar', historyTexts.returned)).toBeVisible()
  await expect(lastname).toHaveValue('Primera')
  await visit(page, '/about')
  await expect(page.locator('.brand')).toContainText('Primera')
})

test('an entry without earlier versions says so, and a server in trouble too', async ({
  device,
  site,
  watch,
}) => {
  const id = await createEntry(site, project, formValues(project, 'Uno'))
  const page = await ownerTab(device, { site, path: formOf(id) })
  await page.setViewportSize({ width: 390, height: 844 })
  const sheet = await openHistory(page)
  await expect(sheet.getByRole('heading', { name: historyTexts.empty })).toBeVisible()
  const middles = await sheet.locator('.empty > *').evaluateAll((parts) =>
    parts.map((part) => {
      const { left, right } = part.getBoundingClientRect()
      return Math.round((left + right) / 2)
    }),
  )
  expect(new Set(middles).size).toBe(1)
  await expect(goBackIn(sheet)).toHaveCount(0)
  expect(await faultsOnPlainGround(page)).toEqual([])
  await page.keyboard.press('Escape')
  watch.expect(/Could not load history|500/)
  await visit(page, formOf(id))
  await page.route(`**/api/${historyCall}/**`, (route) => refuse(route, 'error-interno'))
  await openHistory(page)
  await expect(sheet.getByText(historyTexts.unread)).toBeVisible()
  await expect(sheet.getByText(historyTexts.unreadHint)).toHaveCount(0)
  await page.unroute(`**/api/${historyCall}/**`)
  await sheet.getByRole('button', { name: texts.retry }).press('Enter')
  await expect(sheet.getByRole('heading', { name: historyTexts.empty })).toBeVisible()
  // The button goes with what was wrong.
  await expect(sheet.getByRole('heading', { level: 2 })).toBeFocused()
})
