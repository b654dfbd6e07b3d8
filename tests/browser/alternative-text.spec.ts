import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { pictureTexts } from '#contract/texts/picture.ts'
import { fieldErrors, texts } from '#contract/texts/site.ts'
import { accessibilityFaults, faultsInEveryLook, show, sidewaysOf } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { formValues, fillForm, itemOf, pencilOf, servedPage } from '#tests/support/entries.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  ownerTab,
  sendQueue,
  storedRows,
} from '#tests/support/queue.ts'

test.use({ writes: true })

const altField = (page: Page) => page.getByRole('textbox', { name: pictureTexts.alt })
const update = (page: Page) => page.getByRole('button', { name: ownerTexts.update })

test('what pictures say is written without a connection, shown at once, and what visitors get once it arrives', async ({
  device,
  site,
}) => {
  await emptySections(site)
  const [lighthouse, portrait] = ['Un faro de noche', 'Lucía, de pie junto al faro']
  const page = await ownerTab(device, { site })
  await addEntry(page, { name: 'Faro', picture: await colourSquare('#0a7') })
  await isDrained(page)
  const picture = itemOf(page, 'Faro').locator('img')
  await expect(picture).toHaveAttribute('alt', '')
  await device.context.setOffline(true)

  await pencilOf(page, project, 'Faro').click()
  await altField(page).fill(lighthouse)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await page.reload()
  await expect(page.getByText(texts.draftBack)).toBeVisible()
  await expect(altField(page)).toHaveValue(lighthouse)
  await update(page).click()
  await expect(picture).toHaveAttribute('alt', lighthouse)
  await page.reload()
  await expect(picture).toHaveAttribute('alt', lighthouse)

  await page.getByRole('link', { name: 'Sobre mí' }).first().click()
  await page.getByRole('link', { name: ownerTexts.editAbout }).click()
  await expect(altField(page)).toHaveAccessibleDescription(pictureTexts.altOfPortrait)
  await altField(page).fill(portrait)
  await update(page).click()
  await expect(page.getByRole('img', { name: portrait })).toBeVisible()

  const isServed = async () => [
    (await servedPage(site, project.path)).includes(`alt="${lighthouse}"`),
    (await servedPage(site, '/about')).includes(`alt="${portrait}"`),
  ]
  expect(await isServed()).toEqual([false, false])
  await sendQueue(device, page)
  expect(await isServed()).toEqual([true, true])

  const visitor = await device.tab()
  await visit(visitor, '/')
  await expect(visitor.getByRole('img', { name: portrait })).toBeVisible()
  await visitor.getByRole('link', { name: project.title }).first().click()
  await expect(itemOf(visitor, 'Faro').locator('img')).toHaveAttribute('alt', lighthouse)
})

test('the text has its field while there is a picture, counts, and goes with the picture', async ({
  owner,
  site,
}) => {
  const stored = async () => (await storedRows(site)).at(-1)
  await owner.goto(project.addPath)
  const form = owner.locator('form')
  await fillForm(form, project, { values: formValues(project, 'Faro') })
  await expect(altField(owner)).toHaveCount(0)
  const picker = owner.getByLabel(project.fields.image.label)
  await picker.setInputFiles(await colourSquare('#0a7'))
  await expect(altField(owner)).toHaveAccessibleDescription(pictureTexts.altOfCard)
  await altField(owner).fill('a'.repeat(201))
  await expect(form.getByText('201/200')).toBeVisible()
  await expect(form.getByText(fill(fieldErrors.tooLong, { n: 200 }))).toBeVisible()
  const fits = async ({ width }: { readonly width: number }) =>
    expect([width, await sidewaysOf(owner)]).toEqual([width, 0])
  expect(await faultsInEveryLook(owner, fits)).toEqual([])
  const narrowest = { theme: 'dark', width: 320 }
  await show(owner, narrowest)
  await fits(narrowest)
  expect(await accessibilityFaults(owner)).toEqual([])

  // What would stop the form goes with the picture, too.
  const remove = owner.getByRole('button', { name: ownerTexts.removeImage })
  await remove.click()
  await expect(altField(owner)).toHaveCount(0)
  await picker.setInputFiles(await colourSquare('#a07'))
  await expect(altField(owner)).toHaveValue('')
  await altField(owner).fill('Un faro')
  await owner.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(itemOf(owner, 'Faro').locator('img')).toHaveAttribute('alt', 'Un faro')
  await expect.poll(stored).toMatchObject({ name: 'Faro', alt: 'Un faro' })

  await pencilOf(owner, project, 'Faro').click()
  await expect(altField(owner)).toHaveValue('Un faro')
  await remove.click()
  await update(owner).click()
  await expect(itemOf(owner, 'Faro').locator('img')).toHaveAttribute('alt', '')
  await expect.poll(stored).toMatchObject({ name: 'Faro', image: '' })
  expect(await stored()).not.toHaveProperty('alt')
})
