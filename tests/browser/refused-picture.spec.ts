import { rm, writeFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { imageEndings, maxImageBytes } from '#contract/limits.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { beginAnew, expect, test, throughReload } from '#tests/support/browser.ts'
import { recordNotices } from '#tests/support/notices.ts'
import { formValues, fillForm, itemOf, pencilOf, snackbar } from '#tests/support/entries.ts'
import { colourSquare, photograph, type Picture } from '#tests/support/pictures.ts'
import { storedNames, storedRows } from '#tests/support/queue.ts'

test.use({ writes: true })

async function openPanel(page: Page): Promise<Locator> {
  await page.goto(project.path)
  await page.getByRole('button', { name: project.words.add }).first().click()
  return page.getByRole('region', { name: project.words.add })
}

const pickerIn = (form: Locator) => form.locator('input[type="file"]')
const confirm = (form: Locator) => form.getByRole('button', { name: ownerTexts.confirm })

const heic: Picture = {
  name: 'IMG_2041.HEIC',
  mimeType: 'image/heic',
  buffer: Buffer.alloc(3_250_000, 'x'),
}
/** A drawing of so many bytes, which no browser makes smaller. */
const drawing = (bytes: number): Picture => ({
  name: 'plano.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><circle r="2"/></svg>'.padEnd(bytes),
  ),
})

const refused: readonly (readonly [what: string, picture: Picture, why: string, size: string])[] = [
  ['of another format', heic, ownerTexts.wrongImage, '3,1 MB'],
  [
    'that is empty',
    { name: 'vacia.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    ownerTexts.unreadableImage,
    '0 KB',
  ],
  [
    'that only has a picture’s name',
    { name: 'nota.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hola') },
    ownerTexts.unreadableImage,
    '1 KB',
  ],
  [
    'that is too big',
    drawing(maxImageBytes + 500_000),
    fill(ownerTexts.bigImage, { n: 10 }),
    '10,5 MB',
  ],
]

test('a file that is refused keeps the form from being sent, until another comes or none is wanted', async ({
  owner,
  site,
}) => {
  for (const [what, picture, why, size] of refused) {
    await test.step(`a file ${what}`, async () => {
      await beginAnew(owner, site)
      const before = await storedNames(site)
      const form = await openPanel(owner)
      await fillForm(form, project, { values: formValues(project, 'Mareas'), picture })
      await expect(form.getByRole('alert')).toHaveText(why)
      await expect(form.getByText(`${picture.name} · ${size}`)).toBeVisible()
      await expect(form.getByText(ownerTexts.imageRefused)).toBeVisible()
      // As drawn: the place of a picture that is none is no taller than its words.
      const drop = await form.locator('.drop').boundingBox()
      expect(drop?.height).toBeLessThan(120)
      await expect(confirm(form)).toBeEnabled()
      await confirm(form).click()
      await expect(pickerIn(form)).toBeFocused()
      await expect(pickerIn(form)).toHaveAttribute('aria-invalid', 'true')
      await expect(form.getByRole('alert')).toHaveText(why)
      expect(await storedNames(site)).toEqual(before)
      await form.getByRole('button', { name: ownerTexts.withoutImage }).click()
      await expect(form.getByRole('alert')).toHaveCount(0)
      await expect(form.getByText(imageEndings.slice(0, -1).join(', '))).toBeVisible()
      await confirm(form).click()
      await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
      expect(await storedNames(site)).toEqual([...before, 'Mareas'])
    })
  }
})

test('a picture that only the server finds too big comes back into the form with all that was typed, and no success is announced', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/413/, new RegExp(fill(ownerTexts.bigImage, { n: 1 })))
  const notices = await recordNotices(owner.context())
  const before = await storedNames(site)
  const form = await openPanel(owner)
  const values = formValues(project, 'Mareas')
  await fillForm(form, project, { values, picture: drawing(1_500_000) })
  // On another device she has meanwhile set what a picture may weigh.
  await site.call('PUT', calls.config, { body: { max_image_mb: '1' } })
  await confirm(form).click()
  await expect(form.getByRole('alert')).toHaveText(fill(ownerTexts.bigImage, { n: 1 }))
  await expect(form.getByText('plano.svg · 1,4 MB')).toBeVisible()
  for (const [field, value] of Object.entries(values)) {
    await expect(form.locator(`[name="${field}"]`)).toHaveValue(value)
  }
  expect(notices).toEqual([noticesOf(project).createFailed])
  expect(await storedNames(site)).toEqual(before)
  await pickerIn(form).setInputFiles(drawing(900_000))
  await confirm(form).click()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  const { name, image } = (await storedRows(site)).at(-1) ?? {}
  expect({ name, image }).toEqual({ name: 'Mareas', image: expect.stringMatching(/^\/media\//) })
})

test('a good picture after a refused one is sent with its entry', async ({ owner, site }) => {
  const form = await openPanel(owner)
  await fillForm(form, project, { values: formValues(project, 'Con imagen'), picture: heic })
  await expect(form.getByRole('alert')).toHaveText(ownerTexts.wrongImage)
  await pickerIn(form).setInputFiles(await colourSquare('#2266aa'))
  await expect(form.getByRole('alert')).toHaveCount(0)
  await confirm(form).click()
  await expect(itemOf(owner, 'Con imagen')).toBeVisible()
  await expect.poll(async () => (await storedRows(site)).at(-1)?.['image']).toMatch(/^\/media\//)
})

test('what is confirmed while its picture is still looked at goes with it', async ({
  owner,
  site,
}) => {
  const form = await openPanel(owner)
  await fillForm(form, project, { values: formValues(project, 'Deprisa') })
  const large = await photograph(3200, 2400)
  await pickerIn(form).setInputFiles(large)
  await confirm(form).click()
  await expect(itemOf(owner, 'Deprisa')).toBeVisible()
  await expect.poll(async () => (await storedRows(site)).at(-1)?.['image']).toMatch(/^\/media\//)
})

test('a picture can be taken away, one that was just chosen and one that is stored', async ({
  owner,
  site,
}) => {
  const form = await openPanel(owner)
  await fillForm(form, project, { values: formValues(project, 'Sin nada') })
  const remove = form.getByRole('button', { name: ownerTexts.removeImage })
  await expect(remove).toHaveCount(0)
  await pickerIn(form).setInputFiles(await colourSquare('#2266aa'))
  await remove.click()
  await expect(pickerIn(form)).toBeFocused()
  await expect(remove).toHaveCount(0)
  await pickerIn(form).setInputFiles(await colourSquare('#aa6622'))
  await throughReload(owner, () => confirm(form).click())
  await expect(itemOf(owner, 'Sin nada')).toBeVisible()
  const image = async () => (await storedRows(site)).at(-1)?.['image']
  await expect.poll(image).toMatch(/^\/media\//)
  await pencilOf(owner, project, 'Sin nada').click()
  await owner.getByRole('button', { name: ownerTexts.removeImage }).click()
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  await expect.poll(image).toBe('')
  await expect(itemOf(owner, 'Sin nada').locator('img')).toHaveAttribute('src', /placeholder/)
})

test('a picture that leaves the disk after it was chosen is sent as it was', async ({
  owner,
  site,
}, info) => {
  const form = await openPanel(owner)
  await fillForm(form, project, { values: formValues(project, 'Faro') })
  const { name, buffer } = await colourSquare('#0a7')
  const path = info.outputPath(name)
  await writeFile(path, buffer)
  await pickerIn(form).setInputFiles(path)
  // Until then the placeholder stands there, and what is still on its way from the disk may be lost with it.
  await expect(form.getByText(`${name} · `)).toBeVisible()
  await rm(path)
  await confirm(form).click()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  const rows = await storedRows(site)
  expect(rows.find((row) => row['name'] === 'Faro')?.['image']).toMatch(/^\/media\//)
})
