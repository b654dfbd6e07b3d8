import type { Page } from 'playwright/test'
import { personForms } from '#contract/person/person.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { personNotices } from '#contract/texts/person.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/device.ts'
import { createEntry, fillForm, formValues, pencilOf, snackbar } from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  storedRows,
} from '#tests/support/queue.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

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
