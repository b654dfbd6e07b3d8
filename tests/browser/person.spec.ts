import sharp from 'sharp'
import { aboutFields, headerFields } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import type { Site } from '#tests/support/site.ts'
import { sample } from '#contract/sample.ts'
import { faultsInEveryLook, show } from '#tests/support/axe.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'
import { formValues, fillForm, servedPage, snackbar } from '#tests/support/entries.ts'
import { colourSquare, photograph, redAndBlue } from '#tests/support/pictures.ts'

test.use({ writes: true })

interface Named {
  readonly name: string
  readonly image: string
}

/** Which of its halves most of the picture at an address is of. */
async function colourOf(address: string): Promise<'red' | 'blue' | 'both'> {
  const stored = Buffer.from(await (await fetchInTime(address)).arrayBuffer())
  const { channels } = await sharp(stored).stats()
  const [red = 0, , blue = 0] = channels.map(({ mean }) => mean)
  if (Math.abs(red - blue) < 50) return 'both'
  return red > blue ? 'red' : 'blue'
}

/** The address of the portrait, and what is seen of it. */
async function portraitOf(site: Site) {
  const { json } = await site.call('GET', 'person')
  const [{ image } = { image: '' }] = json as unknown as readonly Named[]
  return { image, colour: await colourOf(site.url + image) }
}

test('a new name is on the home page, in the served page and in the title at once @main', async ({
  owner,
  site,
}) => {
  await owner.goto('/')
  await owner.getByRole('link', { name: ownerTexts.editHeader }).click()
  const name = owner.getByLabel(headerFields.name.label)
  await expect(name).toHaveValue(sample.person['name'] ?? '')
  await name.fill('Renata')
  await owner.getByLabel(headerFields.title.label).fill('Ilustradora')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  await expect(owner).toHaveURL(`${site.url}/`)
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Renata')
  await expect(owner.locator('main img[alt="Ilustradora"]').first()).toBeAttached()
  const html = await servedPage(site, '/')
  expect(html).toMatch(/<title>[^<]*Renata/)
  expect(html).not.toContain(sample.person['name'])
})

test('a new photograph and description are on the about page', async ({ owner, site }) => {
  await owner.goto('/about')
  await owner.getByRole('link', { name: ownerTexts.editAbout }).click()
  await owner.getByLabel(aboutFields.description.label).fill('Primera línea.\nSegunda línea.')
  await owner.getByLabel(aboutFields.image.label).setInputFiles(await photograph(900, 1200))
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  await expect(owner).toHaveURL(`${site.url}/about`)
  await expect(owner.getByText('Segunda línea.')).toBeVisible()
  await expect(owner.locator('main img').first()).toHaveAttribute('src', /^\/media\/.+\.webp$/)
  expect(await servedPage(site, '/about')).toContain('Primera línea.')
})

test('the head is shown beside its form as large as it will be read', async ({ owner }) => {
  await owner.goto('/editProf/1')
  const preview = owner.getByRole('complementary', { name: ownerTexts.preview })
  const name = preview.getByText(sample.person['name'] ?? '').first()
  for (const width of [390, 1440]) {
    await show(owner, { theme: 'dark', width })
    await expect(name).toBeVisible()
    const box = await preview.boundingBox()
    expect(box?.width).toBeGreaterThan(width === 390 ? 320 : 480)
    const size = Number.parseFloat(await name.evaluate((one) => getComputedStyle(one).fontSize))
    const onForm = await owner
      .getByRole('heading', { level: 1 })
      .evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
    expect(size).toBeGreaterThanOrEqual(onForm)
  }
  // As in the drawing that the page will have, the caret is in the title's own colour.
  const caret = await preview.locator('.caret').evaluate((title) => ({
    shown: getComputedStyle(title, '::after').backgroundColor,
    own: getComputedStyle(title).color,
  }))
  expect(caret.shown).toBe(caret.own)
})

test('what part of the portrait is seen is hers to choose, and that part is sent', async ({
  owner,
  site,
}) => {
  await owner.goto('/editPer/1')
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await expect(framing).toHaveCount(0)
  const picker = owner.getByLabel(aboutFields.image.label)
  await picker.setInputFiles(await redAndBlue())
  await framing.press('End')
  expect(await faultsInEveryLook(owner)).toEqual([])
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  const portrait = await portraitOf(site)
  expect(portrait.image).toContain('.400x500.webp')
  expect(portrait.colour).toBe('blue')
})

test('a portrait that was recovered can be framed anew, for the whole of it was kept', async ({
  owner,
  site,
}) => {
  await owner.goto('/editPer/1')
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await owner.getByLabel(aboutFields.image.label).setInputFiles(await redAndBlue())
  await framing.press('End')
  await expect(owner.getByText(ownerTexts.draftKept)).toBeVisible()
  await owner.reload()
  await expect(owner.getByText(texts.draftBack)).toBeVisible()
  await expect(framing).toHaveValue('1')
  await framing.press('Home')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  expect((await portraitOf(site)).colour).toBe('red')
})

test('a stored portrait of another shape can be framed, and the part that was chosen is recovered', async ({
  owner,
  site,
}) => {
  await owner.goto('/editPer/1')
  await owner.getByLabel(aboutFields.image.label).setInputFiles(await redAndBlue())
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  expect((await portraitOf(site)).image).toContain('.1200x500.webp')
  await owner.goto('/editPer/1')
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await framing.press('End')
  await expect(owner.getByText(ownerTexts.draftKept)).toBeVisible()
  await owner.reload()
  await expect(owner.getByText(texts.draftBack)).toBeVisible()
  await expect(framing).toHaveValue('1')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  const portrait = await portraitOf(site)
  expect(portrait.image).toContain('.400x500.webp')
  expect(portrait.colour).toBe('blue')
  // It has the shape of its place now: nothing is left to choose.
  await owner.goto('/editPer/1')
  await expect(owner.getByRole('button', { name: ownerTexts.removeImage })).toBeVisible()
  await expect(framing).toHaveCount(0)
})

test('an earlier draft that is recovered brings its picture, though the stored one was framed', async ({
  owner,
  site,
}) => {
  const picker = owner.getByLabel(aboutFields.image.label)
  const kept = owner.getByText(ownerTexts.draftKept)
  const update = owner.getByRole('button', { name: ownerTexts.update })
  await owner.goto('/editPer/1')
  await picker.setInputFiles(await redAndBlue())
  await update.click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  await owner.goto('/editPer/1')
  await owner.getByLabel(aboutFields.description.label).fill('Del borrador')
  await picker.setInputFiles(await colourSquare('#f00'))
  await expect(owner.locator('main img[src^="blob:"]').first()).toBeVisible()
  await expect(kept).toBeVisible()
  await site.call('PUT', 'person/update/1', { body: { description: 'De otro dispositivo' } })
  await owner.goto('/about')
  await expect(owner.getByText('De otro dispositivo')).toBeVisible()
  await owner.getByRole('link', { name: ownerTexts.editAbout }).click()
  await expect(owner.getByText(ownerTexts.draftEarlier)).toBeVisible()
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await framing.press('End')
  await expect(kept).toBeVisible()
  await owner.getByRole('button', { name: ownerTexts.recoverDraft }).click()
  await expect(owner.getByLabel(aboutFields.description.label)).toHaveValue('Del borrador')
  await update.click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  expect((await portraitOf(site)).colour).toBe('red')
})

test("a project's photograph is framed in its form, a logo is shown whole", async ({
  owner,
  site,
}) => {
  await owner.goto(project.addPath)
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await fillForm(owner.locator('main form'), project, {
    values: formValues(project, 'Faro'),
    picture: await redAndBlue(),
  })
  await framing.press('Home')
  await owner.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  const rows = (await site.call('GET', project.key)).json as unknown as readonly Named[]
  const image = rows.find(({ name }) => name === 'Faro')?.image ?? ''
  expect(image).toContain('.864x500.webp')
  expect(await colourOf(site.url + image)).toBe('red')
  await owner.goto(experience.addPath)
  await owner.getByLabel(experience.fields.image.label).setInputFiles(await redAndBlue())
  await expect(owner.getByRole('button', { name: ownerTexts.removeImage })).toBeVisible()
  await expect(framing).toHaveCount(0)
})

test('what is typed while a picture is being read stays', async ({ owner }) => {
  await owner.addInitScript(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    Object.assign(globalThis, { readOn: resolve })
    const { decode } = HTMLImageElement.prototype
    HTMLImageElement.prototype.decode = async function (this: HTMLImageElement) {
      await promise
      return decode.call(this)
    }
  })
  await owner.goto('/editPer/1')
  await owner.getByLabel(aboutFields.image.label).setInputFiles(await redAndBlue())
  const description = owner.getByLabel(aboutFields.description.label)
  await description.fill('Escrita mientras tanto.')
  await owner.evaluate(() => (globalThis as unknown as { readonly readOn: () => void }).readOn())
  await expect(owner.getByText('yo.png')).toBeVisible()
  await expect(description).toHaveValue('Escrita mientras tanto.')
})

test('a refused change says so and goes back', async ({ owner, site, watch }) => {
  watch.expect(/422/, /change was not taken/)
  await owner.route('**/api/person/update/**', (route) => refuse(route, 'datos-no-validos'))
  await owner.goto('/')
  await owner.getByRole('link', { name: ownerTexts.editHeader }).click()
  await owner.getByLabel(headerFields.name.label).fill('Renata')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'error-snackbar', personNotices.updateFailed)).toBeVisible()
  await expect(owner).toHaveURL(`${site.url}/`)
  await expect(owner.getByRole('link', { name: ownerTexts.editHeader })).toBeVisible()
  await expect(owner.getByRole('dialog')).toHaveCount(0)
})

test('a change that the server fails at three times is told and shown, and goes later', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/500/, /change was not taken/)
  let tries = 0
  await owner.route('**/api/person/update/**', (route) => {
    tries++
    return tries > 3 ? route.continue() : refuse(route, 'error-interno')
  })
  await owner.goto('/')
  await owner.getByRole('link', { name: ownerTexts.editHeader }).click()
  await owner.getByLabel(headerFields.name.label).fill('Renata')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'error-snackbar', personNotices.updateFailed)).toBeVisible()
  await expect(owner).toHaveURL(`${site.url}/`)
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Renata')
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  expect(await servedPage(site, '/')).toContain('Renata')
})

for (const [path, back] of [
  ['/editProf/1', '/'],
  ['/editPer/1', '/about'],
] as const) {
  test(`cancelling ${path} returns to ${back}`, async ({ owner, site }) => {
    await owner.goto(path)
    await owner.getByRole('button', { name: ownerTexts.cancel }).click()
    await expect(owner).toHaveURL(site.url + back)
  })
}

test('there is only one profile, whatever the address says', async ({ owner, site }) => {
  await owner.goto('/editProf/7')
  await expect(owner).toHaveURL(`${site.url}/editProf/1`)
  await expect(owner.getByLabel(headerFields.name.label)).toHaveValue(sample.person['name'] ?? '')
})
