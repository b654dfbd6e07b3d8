import type { Locator, Page } from 'playwright/test'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import type { Device } from '#tests/support/device.ts'
import { fillForm, formValues, itemOf, snackbar } from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { emptySections, openQueueSheet, ownerTab, storedRows } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

/*
 * Where the device keeps no queue, the form of a new entry stays open with its text until the server has it: whatever is
 * confirmed of it again is the same entry.
 */

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

/** Her projects on a device that takes nothing more, with the form of a new one filled in. */
async function filledForm(device: Device, site: Site): Promise<{ page: Page; form: Locator }> {
  const page = await ownerTab(device, { site })
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await page.getByRole('button', { name: project.words.add }).first().click()
  const form = page.getByRole('region', { name: project.words.add })
  await fillForm(form, project, { values: formValues(project, 'Faro') })
  return { page, form }
}

const describe = (form: Locator, description: string) =>
  fillForm(form, project, { values: { description } })

const confirm = (form: Locator) => form.getByRole('button', { name: ownerTexts.confirm }).click()

/** Confirms what is not kept, which is said. */
async function confirmUnkept(page: Page, form: Locator): Promise<void> {
  await confirm(form)
  await expect(snackbar(page, 'error-snackbar', queueTexts.unkept)).toBeVisible()
}

/** Says so, and closes the form: what arrives by itself is said in the same words. */
async function isCreated(page: Page, form: Locator): Promise<void> {
  await expect(form).toBeHidden()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).created).first()).toBeVisible()
}

test('an entry that is confirmed again without a connection is one, as she corrected it', async ({
  device,
  site,
}) => {
  const { page, form } = await filledForm(device, site)
  await fillForm(form, project, { values: {}, picture: await colourSquare('#0a7') })
  await device.context.setOffline(true)
  await confirmUnkept(page, form)
  await describe(form, 'Corregido')
  await confirm(form)
  await expect(itemOf(page, 'Faro')).toContainText('Corregido')
  await expect(itemOf(page, 'Faro')).toHaveCount(1)
  await device.context.setOffline(false)
  await expect.poll(() => storedRows(site)).toMatchObject([{ description: 'Corregido' }])
  await describe(form, 'Corregido otra vez')
  await confirm(form)
  await isCreated(page, form)
  const rows = await storedRows(site)
  expect(rows).toMatchObject([{ name: 'Faro', description: 'Corregido otra vez' }])
  expect(rows[0]?.['image']).toMatch(/\.webp$/)
})

test('an entry whose answer was lost is corrected by the next confirmation', async ({
  device,
  site,
  line,
}) => {
  const { page, form } = await filledForm(device, site)
  line.decide(({ path }) => (path === `${project.key}/create` ? { is: 'answer cut' } : undefined))
  await confirmUnkept(page, form)
  line.decide(() => undefined)
  await describe(form, 'Corregido')
  await confirm(form)
  await isCreated(page, form)
  expect(await storedRows(site)).toMatchObject([{ name: 'Faro', description: 'Corregido' }])
})

test('an entry that was deleted elsewhere meanwhile is made anew, and said to be', async ({
  device,
  site,
}) => {
  const { page, form } = await filledForm(device, site)
  await device.context.setOffline(true)
  await confirmUnkept(page, form)
  await device.context.setOffline(false)
  await expect.poll(() => storedRows(site)).toHaveLength(1)
  await emptySections(site)
  await confirm(form)
  await isCreated(page, form)
  expect(await storedRows(site)).toMatchObject([{ name: 'Faro' }])
})

test('what is typed into the form once it was emptied is another entry, though it has the same name', async ({
  device,
  site,
}) => {
  const { page, form } = await filledForm(device, site)
  await device.context.setOffline(true)
  await confirmUnkept(page, form)
  const values = formValues(project, 'Faro')
  const empty = Object.fromEntries(Object.keys(values).map((name) => [name, '']))
  await fillForm(form, project, { values: empty })
  await fillForm(form, project, { values: { ...values, description: 'El segundo' } })
  await confirm(form)
  await expect(itemOf(page, 'Faro')).toHaveCount(2)
  await device.context.setOffline(false)
  await expect
    .poll(() => storedRows(site))
    .toMatchObject([{ description: values['description'] }, { description: 'El segundo' }])
})

test('an entry that she discarded from the list of changes is made with its picture when she confirms it again', async ({
  device,
  site,
}) => {
  const { page, form } = await filledForm(device, site)
  await fillForm(form, project, { values: {}, picture: await colourSquare('#c0392b') })
  await device.context.setOffline(true)
  await confirmUnkept(page, form)
  const sheet = await openQueueSheet(page)
  await sheet.getByRole('listitem').getByRole('button', { name: queueTexts.discard }).click()
  await sheet
    .getByRole('group', { name: queueTexts.confirmDiscard })
    .getByRole('button', { name: queueTexts.discard })
    .click()
  await expect(sheet.getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await device.context.setOffline(false)
  await confirm(form)
  await isCreated(page, form)
  const rows = await storedRows(site)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.['image']).toMatch(/\.webp$/)
})
