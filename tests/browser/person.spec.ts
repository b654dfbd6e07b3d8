import sharp from 'sharp'
import { aboutFields, headerFields } from '#contract/person/person.ts'
import { personNotices } from '#contract/texts/person.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { sample } from '#contract/sample.ts'
import { accessibilityFaults, looks, show } from '#tests/support/axe.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'
import { servedPage, snackbar } from '#tests/support/entries.ts'
import { photograph } from '#tests/support/pictures.ts'

test.use({ writes: true })

test('a new name is on the home page, in the served page and in the title at once', async ({
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
})

test('what part of the portrait is seen is hers to choose, and that part is sent', async ({
  owner,
  site,
}) => {
  const half = { width: 600, height: 500, channels: 3 } as const
  const [red, blue] = await Promise.all(
    ['#ff0000', '#0000ff'].map((background) =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  )
  const buffer = await sharp({ create: { ...half, width: 1200, background: '#000' } })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: blue, left: 600, top: 0 },
    ])
    .png()
    .toBuffer()
  await owner.goto('/editPer/1')
  const framing = owner.getByRole('slider', { name: ownerTexts.framing })
  await expect(framing).toHaveCount(0)
  const picker = owner.getByLabel(aboutFields.image.label)
  await picker.setInputFiles({ name: 'yo.png', mimeType: 'image/png', buffer })
  await framing.press('End')
  for (const look of looks) {
    await show(owner, look)
    expect(await accessibilityFaults(owner)).toEqual([])
  }
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'success-snackbar', personNotices.updated)).toBeVisible()
  const { json } = await site.call('GET', 'person')
  const [{ image } = { image: '' }] = json as unknown as readonly { readonly image: string }[]
  expect(image).toContain('.400x500.webp')
  const stored = Buffer.from(await (await fetch(site.url + image)).arrayBuffer())
  const { dominant } = await sharp(stored).stats()
  expect(dominant.b).toBeGreaterThan(200)
  expect(dominant.r).toBeLessThan(60)
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
