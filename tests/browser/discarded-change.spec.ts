import type { Page } from 'playwright/test'
import { personForms } from '#contract/person/person.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { personNotices } from '#contract/texts/person.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { expect } from '#tests/support/browser.ts'
import { databaseText, test, type Device } from '#tests/support/device.ts'
import {
  createEntry,
  fillForm,
  formValues,
  itemOf,
  pencilOf,
  snackbar,
} from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  removeEntry,
  renameEntry,
  sendQueue,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const nameIn = (page: Page) => page.getByRole('textbox', { name: project.fields.name.label })
const pictureIn = (page: Page) => page.locator('form .picture img').first()

/** Discards the only queued change in the list of changes, and closes that. */
async function discardChange(page: Page): Promise<void> {
  const sheet = await openQueueSheet(page)
  const discard = { name: queueTexts.discard }
  await sheet.getByRole('listitem').getByRole('button', discard).click()
  await sheet
    .getByRole('group', { name: queueTexts.confirmDiscard })
    .getByRole('button', discard)
    .click()
  await isDrained(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
}

/** Makes an entry without a connection, with a picture, and opens its form. */
async function madeOffline(device: Device, site: Site): Promise<Page> {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'De paso', picture: await colourSquare('#c0392b') })
  await pencilOf(page, project, 'De paso').click()
  await expect(nameIn(page)).toHaveValue('De paso')
  return page
}

const type = async (page: Page, name: string) => {
  await nameIn(page).fill(name)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
}

test('the form of a change that was discarded has its text still to save, and says so', async ({
  device,
  site,
}) => {
  await createEntry(site, project, formValues(project, 'De antes'))
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await renameEntry(page, { from: 'De antes', to: 'Descartada' })
  await pencilOf(page, project, 'Descartada').click()
  await expect(nameIn(page)).toHaveValue('Descartada')
  await discardChange(page)
  await expect(page.getByRole('status').filter({ hasText: ownerTexts.unsaved })).toBeVisible()
  await device.context.setOffline(false)
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  await expect(itemOf(page, 'Descartada')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Descartada'])
})

test('the picture of a change that was discarded is still in its form, is kept there and is sent with it', async ({
  device,
  site,
}) => {
  await createEntry(site, project, formValues(project, 'De antes'))
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await pencilOf(page, project, 'De antes').click()
  const form = page.locator('main form')
  await fillForm(form, project, { values: {}, picture: await colourSquare('#c0392b') })
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await form.getByRole('button', { name: ownerTexts.update }).click()
  await pencilOf(page, project, 'De antes').click()
  await expect(pictureIn(page)).toHaveAttribute('src', /^blob:/)
  await discardChange(page)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await page.reload()
  await expect(page.getByText(texts.draftBack)).toBeVisible()
  await expect(pictureIn(page)).toHaveJSProperty('naturalWidth', 64)
  await device.context.setOffline(false)
  await form.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  const [row] = await storedRows(site)
  expect(row?.['image']).toMatch(/\.webp$/)
})

test('a portrait whose change was discarded is in its form as chosen, and can be left out', async ({
  device,
  site,
}) => {
  const path = personForms.about.path.replace('$id', '1')
  const page = await ownerTab(device, { site, path })
  const before = await pictureIn(page).getAttribute('src')
  await device.context.setOffline(true)
  const form = page.locator('main form')
  await form.locator('input[type="file"]').setInputFiles(await colourSquare('#2980b9'))
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await form.getByRole('button', { name: ownerTexts.update }).click()
  await expect(form).toHaveCount(0)
  await page.goto(path)
  await expect(pictureIn(page)).toHaveAttribute('src', /^blob:/)
  await discardChange(page)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await page.reload()
  await form.getByRole('button', { name: ownerTexts.discardDraft }).click()
  await expect(pictureIn(page)).toHaveAttribute('src', before ?? '')
  await device.context.setOffline(false)
  await form.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'success-snackbar', personNotices.updated)).toBeVisible()
})

test('what was typed over a new entry whose making was discarded is the draft of another one', async ({
  device,
  site,
}) => {
  const page = await madeOffline(device, site)
  await type(page, 'De paso, mejor')
  await discardChange(page)
  const main = page.locator('main')
  await expect(main).toContainText(fill(ownerTexts.discarded, { name: 'De paso' }))
  await expect(main).toContainText(ownerTexts.typedStays)
  await expect(snackbar(page, 'info-snackbar', ownerTexts.typedStays)).toHaveCount(0)
  await main.getByRole('link', { name: project.words.add }).click()
  await expect(page.getByText(texts.draftBack)).toBeVisible()
  await expect(nameIn(page)).toHaveValue('De paso, mejor')
  const { description = '' } = formValues(project, 'De paso')
  const label = project.fields.description.label
  await expect(page.getByRole('textbox', { name: label })).toHaveValue(description)
  await expect(pictureIn(page)).toHaveJSProperty('naturalWidth', 64)
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(itemOf(page, 'De paso, mejor')).toBeVisible()
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['De paso, mejor'])
})

test('so is what a form that was left has of it', async ({ device, site }) => {
  const page = await madeOffline(device, site)
  await type(page, 'De paso, mejor')
  await page.goto(project.path)
  await discardChange(page)
  await expect(snackbar(page, 'info-snackbar', ownerTexts.typedStays)).toBeVisible()
  await page.goto(project.addPath)
  await expect(nameIn(page)).toHaveValue('De paso, mejor')
  await expect(pictureIn(page)).toHaveJSProperty('naturalWidth', 64)
})

test('of a new entry over which nothing was typed the form says that it was discarded, and leaves nothing', async ({
  device,
  site,
}) => {
  const page = await madeOffline(device, site)
  await discardChange(page)
  const main = page.locator('main')
  await expect(main).toContainText(fill(ownerTexts.discarded, { name: 'De paso' }))
  await expect(main).not.toContainText(ownerTexts.typedStays)
  await main.getByRole('link', { name: project.words.add }).click()
  await expect(nameIn(page)).toHaveValue('')
})

test('a form whose new entry another tab deletes before it is sent goes on with what was typed', async ({
  device,
  site,
}) => {
  const other = await ownerTab(device, { site })
  const page = await madeOffline(device, site)
  await type(page, 'De paso, mejor')
  await removeEntry(other, 'De paso')
  await isDrained(page)
  await expect(nameIn(page)).toHaveValue('De paso, mejor')
  await expect(page.locator('main')).not.toContainText(ownerTexts.typedStays)
})

test('what was typed over a new entry that is deleted before it is sent goes with it, and an undo brings both back', async ({
  device,
  site,
}) => {
  const page = await madeOffline(device, site)
  await type(page, 'De paso, mejor')
  await page.goto(project.path)
  const withDraft = { name: ownerTexts.recoverDraft }
  await expect(itemOf(page, 'De paso').getByRole('link', withDraft)).toBeVisible()
  await removeEntry(page, 'De paso')
  await isDrained(page)
  await expect.poll(() => databaseText(page, 'tintero-drafts')).not.toContain('De paso, mejor')
  await page.getByRole('main').getByRole('button', { name: binTexts.undo }).click()
  await itemOf(page, 'De paso').getByRole('link', withDraft).click()
  await expect(nameIn(page)).toHaveValue('De paso, mejor')
})
