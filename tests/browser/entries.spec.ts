import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { confirmMs, noticeMs, reloadAfterCreateMs } from '#contract/durations.ts'
import { imageFieldOf } from '#contract/fields.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import type { Section } from '#contract/sections/section.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { refuse } from '#tests/support/answers.ts'
import { beginAnew, expect, test, throughReload } from '#tests/support/browser.ts'
import {
  binOf,
  closeOf,
  createEntry,
  formValues,
  fillForm,
  itemOf,
  openPanel,
  pencilOf,
  servedPage,
  snackbar,
} from '#tests/support/entries.ts'
import { photograph } from '#tests/support/pictures.ts'
import type { Site } from '#tests/support/site.ts'
import { passTime, stopClock } from '#tests/support/time.ts'
import { firstSections } from '#tests/support/page-paths.ts'

test.use({ writes: true })

/** A step in one section, by the owner whose device knows nothing of the site yet. */
type Play = (
  section: Section,
  fixtures: { readonly owner: Page; readonly site: Site },
) => Promise<void>

/** One journey through all sections: they share the site and the sign-in, and nothing that the device keeps. */
function testInEverySection(title: string, play: Play, ...expected: readonly RegExp[]): void {
  test(`in every section ${title}`, async ({ owner, site, watch }) => {
    watch.expect(...expected)
    for (const section of firstSections) {
      await test.step(section.title, async () => {
        await beginAnew(owner, site)
        // What moves is waited for once.
        const reducedMotion = section === project ? 'no-preference' : 'reduce'
        await owner.emulateMedia({ reducedMotion })
        await play(section, { owner, site })
      })
    }
  })
}

testInEverySection(
  'a new entry with a photograph is announced, shown and served @main',
  async (section, { owner, site }) => {
    const { path, order } = section
    const notices = noticesOf(section)
    const form = await openPanel(owner, section)
    await fillForm(form, section, {
      values: formValues(section, 'Entrada nueva'),
      picture: await photograph(),
    })
    await form.getByRole('button', { name: ownerTexts.confirm }).click()
    const notice = snackbar(owner, 'success-snackbar', notices.created)
    await expect(closeOf(notice)).toBeVisible()
    const item = itemOf(owner, 'Entrada nueva')
    await expect(
      order === 'newest-first' ? item.and(owner.locator(':first-child')) : item,
    ).toBeVisible()
    const address = await item.locator('img').getAttribute('src')
    expect(address).toMatch(/^\/media\/[0-9a-f]{40}\.\d+x\d+\.webp$/)
    const html = await servedPage(site, path)
    expect(html).toContain('Entrada nueva')
    expect(html).toContain(address)
  },
)

testInEverySection(
  'the preview of a new entry says what will stand where',
  async (section, { owner, site }) => {
    await createEntry(site, section, formValues(section, 'Entrada vieja'))
    const form = await openPanel(owner, section)
    const preview = owner.getByRole('complementary', { name: ownerTexts.preview })
    const { label = '' } = section.fields[section.display.title] ?? {}
    await expect(preview.getByText(label.replace(':', '')).first()).toBeVisible()
    await fillForm(form, section, { values: formValues(section, 'Entrada nueva') })
    await expect(preview.getByText('Entrada nueva').first()).toBeVisible()
    await expect(preview.getByText(label.replace(':', ''))).toHaveCount(0)
    await pencilOf(owner, section, 'Entrada vieja').click()
    await owner.getByRole('textbox', { name: label }).fill('')
    await expect(preview).toBeVisible()
    await expect(preview.getByText(label.replace(':', ''))).toHaveCount(0)
  },
)

testInEverySection(
  'a refused create says so and comes back with everything typed',
  async (section, { owner }) => {
    const { key } = section
    const notices = noticesOf(section)
    await owner.route(`**/api/${key}/create`, (route) => refuse(route, 'datos-no-validos'))
    const form = await openPanel(owner, section)
    await fillForm(form, section, { values: formValues(section, 'Entrada nueva') })
    const notice = snackbar(owner, 'error-snackbar', notices.createFailed)
    await throughReload(owner, async () => {
      await form.getByRole('button', { name: ownerTexts.confirm }).click()
      await expect(notice.and(owner.getByRole('alert'))).toBeVisible()
    })
    const nameField = form.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
    await expect(nameField).toHaveValue('Entrada nueva')
  },
  /422/,
  /change was not taken/,
)

testInEverySection(
  'an edited entry keeps its picture and goes back to a fresh list @main',
  async (section, { owner, site }) => {
    const { path } = section
    const notices = noticesOf(section)
    const imageField = imageFieldOf(section.fields) ?? ''
    const values = {
      ...formValues(section, 'Nombre viejo'),
      [imageField]: '/sample/perfil.640x800.svg',
    }
    await createEntry(site, section, values)
    await owner.goto(path)
    await pencilOf(owner, section, 'Nombre viejo').click()
    const name = owner.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
    await expect(name).toHaveValue('Nombre viejo')
    await name.fill('Nombre nuevo')
    await owner.getByRole('button', { name: ownerTexts.update }).click()
    await expect(snackbar(owner, 'success-snackbar', notices.updated)).toBeVisible()
    await expect(owner).toHaveURL(site.url + path)
    await expect(itemOf(owner, 'Nombre nuevo')).toBeVisible()
    await expect(itemOf(owner, 'Nombre viejo')).toHaveCount(0)
    const image = itemOf(owner, 'Nombre nuevo').locator('img')
    await expect(image).toHaveAttribute('src', '/sample/perfil.640x800.svg')
    expect(await servedPage(site, path)).toContain('Nombre nuevo')
  },
)

testInEverySection(
  'a refused update says so, goes back and keeps what was typed',
  async (section, { owner, site }) => {
    const { path, key } = section
    const notices = noticesOf(section)
    await createEntry(site, section, formValues(section, 'Nombre viejo'))
    await owner.route(`**/api/${key}/update/**`, (route) => refuse(route, 'datos-no-validos'))
    await owner.goto(path)
    await pencilOf(owner, section, 'Nombre viejo').click()
    const name = owner.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
    await name.fill('Nombre nuevo')
    await owner.getByRole('button', { name: ownerTexts.update }).click()
    await expect(snackbar(owner, 'error-snackbar', notices.updateFailed)).toBeVisible()
    await expect(owner).toHaveURL(site.url + path)
    await expect(itemOf(owner, 'Nombre viejo')).toBeVisible()
    await owner.getByRole('button', { name: ownerTexts.recoverDraft }).click()
    await expect(name).toHaveValue('Nombre nuevo')
  },
  /422/,
  /change was not taken/,
)

testInEverySection(
  'a confirmed delete removes the entry from the list and from the served page @main',
  async (section, { owner, site }) => {
    const { path } = section
    const notices = noticesOf(section)
    await createEntry(site, section, formValues(section, 'Entrada vieja'))
    await owner.goto(path)
    await binOf(owner, section, 'Entrada vieja').click()
    const question = owner.getByRole('alertdialog')
    await expect(question).toContainText(ownerTexts.confirmRemoval)
    await question.getByRole('button', { name: ownerTexts.remove, exact: true }).click()
    await expect(snackbar(owner, 'success-snackbar', notices.deleted)).toBeVisible()
    await expect(itemOf(owner, 'Entrada vieja')).toHaveCount(0)
    expect(await servedPage(site, path)).not.toContain('Entrada vieja')
  },
)

testInEverySection(
  'a refused delete says so and keeps the entry',
  async (section, { owner, site }) => {
    const { path, key } = section
    await createEntry(site, section, formValues(section, 'Entrada vieja'))
    await owner.route(`**/api/${key}/delete/**`, (route) => refuse(route, 'datos-no-validos'))
    await owner.goto(path)
    await binOf(owner, section, 'Entrada vieja').click()
    await owner
      .getByRole('alertdialog')
      .getByRole('button', { name: ownerTexts.remove, exact: true })
      .click()
    await expect(snackbar(owner, 'error-snackbar', ownerTexts.removalFailed)).toBeVisible()
    await expect(itemOf(owner, 'Entrada vieja')).toBeVisible()
  },
  /422/,
  /change was not taken/,
)

testInEverySection('cancelling a form returns to the list', async (section, { owner, site }) => {
  const { path } = section
  await owner.goto(section.addPath)
  await owner.getByRole('button', { name: ownerTexts.cancel }).click()
  await expect(owner).toHaveURL(site.url + path)
  const id = await createEntry(site, section, formValues(section, 'Sin cambios'))
  await owner.goto(section.editPath.replace('$id', id))
  await owner.getByRole('button', { name: ownerTexts.cancel }).click()
  await expect(owner).toHaveURL(site.url + path)
})

testInEverySection('the form as a page ends on the list', async (section, { owner, site }) => {
  const { path } = section
  const notices = noticesOf(section)
  await owner.goto(section.addPath)
  await fillForm(owner.locator('main form'), section, {
    values: formValues(section, 'Entrada nueva'),
  })
  await owner.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'success-snackbar', notices.created)).toBeVisible()
  const name = owner.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
  await expect(name).toHaveValue('')
  const isRed = (input: Element) => input.matches(':user-invalid')
  expect(await name.evaluate(isRed), 'an emptied form finds fault').toBe(false)
  await owner.waitForURL(site.url + path)
  await expect(itemOf(owner, 'Entrada nueva')).toBeVisible()
})

for (const section of firstSections) {
  test.describe(() => {
    if (section === project) test.use({ contextOptions: { reducedMotion: 'no-preference' } })

    test(`${section.title}: the page is loaded anew three seconds after a create`, async ({
      owner,
    }) => {
      const form = await openPanel(owner, section)
      await fillForm(form, section, { values: formValues(section, 'Entrada nueva') })
      await stopClock(owner)
      await form.getByRole('button', { name: ownerTexts.confirm }).click()
      await expect(snackbar(owner, 'success-snackbar', noticesOf(section).created)).toBeVisible()
      await owner.evaluate(() => document.body.setAttribute('data-old', ''))
      await passTime(owner, reloadAfterCreateMs - 1)
      await expect(owner.locator('body[data-old]')).toBeAttached()
      await passTime(owner, 1)
      await expect(owner.locator('body:not([data-old])')).toBeAttached()
      await expect(itemOf(owner, 'Entrada nueva')).toBeVisible()
      expect(new URL(owner.url()).pathname).toBe(section.path)
    })
  })
}

const [section] = firstSections
if (!section) throw new Error('the product has no sections')

test('a create that the server fails at three times is told and stays queued', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/500/, /change was not taken/)
  let tries = 0
  // The next try comes some seconds later, however long it takes here to look at what was told.
  const looked = Promise.withResolvers<void>()
  await owner.route(`**/api/${section.key}/create`, async (route) => {
    if (tries === 3) {
      await looked.promise
      return route.continue()
    }
    tries++
    return refuse(route, 'error-interno')
  })
  const form = await openPanel(owner, section)
  await fillForm(form, section, { values: formValues(section, 'Entrada nueva') })
  await form.getByRole('button', { name: ownerTexts.confirm }).click()
  const notice = snackbar(owner, 'error-snackbar', noticesOf(section).createFailed)
  await expect(notice.getByRole('button', { name: offlineTexts.seeChanges })).toBeVisible()
  expect(tries).toBe(3)
  looked.resolve()
  await expect(form).toBeHidden()
  await expect(itemOf(owner, 'Entrada nueva')).toBeVisible()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(section).created)).toBeVisible()
  expect(await servedPage(site, section.path)).toContain('Entrada nueva')
})

test('an edit that the server fails at three times is told, shown and stays queued', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/500/, /change was not taken/)
  await createEntry(site, section, formValues(section, 'Nombre viejo'))
  let isInTrouble = true
  await owner.route(`**/api/${section.key}/update/**`, (route) =>
    isInTrouble ? refuse(route, 'error-interno') : route.continue(),
  )
  await owner.goto(section.path)
  await pencilOf(owner, section, 'Nombre viejo').click()
  const name = owner.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
  await name.fill('Nombre nuevo')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(owner, 'error-snackbar', noticesOf(section).updateFailed)).toBeVisible()
  await expect(owner).toHaveURL(site.url + section.path)
  await expect(itemOf(owner, 'Nombre nuevo')).toBeVisible()
  isInTrouble = false
  await expect(snackbar(owner, 'success-snackbar', noticesOf(section).updated)).toBeVisible()
  expect(await servedPage(site, section.path)).toContain('Nombre nuevo')
})

test('a change made while nothing answers is said to be kept on this device @main', async ({
  owner,
  watch,
}) => {
  watch.expect(/ERR_/, /change was not taken/)
  await owner.route(`**/api/${section.key}/create`, (route) => route.abort())
  const form = await openPanel(owner, section)
  await fillForm(form, section, { values: formValues(section, 'Entrada nueva') })
  await form.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'info-snackbar', queueTexts.keptSilent)).toBeVisible()
  await expect(itemOf(owner, 'Entrada nueva')).toBeVisible()
})

test('how long the question and the notices stay is set by the owner', async ({ owner, site }) => {
  const body = { removal_seconds: '8', notice_seconds: '4' }
  expect((await site.call('PUT', calls.config, { body })).status).toBe(200)
  await createEntry(site, section, formValues(section, 'Entrada vieja'))
  await owner.goto(section.path)
  await expect(binOf(owner, section, 'Entrada vieja')).toBeVisible()
  await stopClock(owner)
  await binOf(owner, section, 'Entrada vieja').click()
  const question = owner.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await passTime(owner, 7_999)
  await expect(question).toBeVisible()
  await passTime(owner, 1)
  await expect(question).toBeHidden()
  const cancelled = snackbar(owner, 'info-snackbar', ownerTexts.removalCancelled)
  await passTime(owner, 3_999)
  await expect(cancelled).toBeVisible()
  await passTime(owner, 1)
  await expect(cancelled).toBeHidden()
})

test('a delete left unanswered for five seconds is cancelled @main', async ({ owner, site }) => {
  await createEntry(site, section, formValues(section, 'Entrada vieja'))
  await owner.goto(section.path)
  await expect(binOf(owner, section, 'Entrada vieja')).toBeVisible()
  await stopClock(owner)
  await binOf(owner, section, 'Entrada vieja').click()
  const question = owner.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await passTime(owner, confirmMs - 1)
  await expect(question).toBeVisible()
  await passTime(owner, 1)
  await expect(question).toBeHidden()
  const cancelled = snackbar(owner, 'info-snackbar', ownerTexts.removalCancelled)
  await expect(cancelled).toBeVisible()
  await passTime(owner, noticeMs - 1)
  await expect(cancelled).toBeVisible()
  await passTime(owner, 1)
  await expect(cancelled).toBeHidden()
  await expect(itemOf(owner, 'Entrada vieja')).toBeVisible()
})

test('Escape cancels a delete at once', async ({ owner, site }) => {
  await createEntry(site, section, formValues(section, 'Entrada vieja'))
  await owner.goto(section.path)
  await binOf(owner, section, 'Entrada vieja').click()
  await expect(owner.getByRole('alertdialog')).toBeVisible()
  await owner.keyboard.press('Escape')
  await expect(snackbar(owner, 'info-snackbar', ownerTexts.removalCancelled)).toBeVisible()
  await expect(itemOf(owner, 'Entrada vieja')).toBeVisible()
})

test('F8 leads to a notice, and closing it leads back to where the focus was', async ({
  owner,
  site,
}) => {
  await createEntry(site, project, formValues(project, 'Entrada vieja'))
  await owner.goto(project.path)
  await pencilOf(owner, project, 'Entrada vieja').click()
  const form = owner.locator('form.form-card')
  const name = form.getByRole('textbox', { name: project.fields.name.label })
  await name.fill('Entrada')
  await form.getByRole('button', { name: ownerTexts.update }).click()
  const close = closeOf(snackbar(owner, 'success-snackbar', noticesOf(project).updated))
  const pencil = pencilOf(owner, project, 'Entrada')
  await pencil.focus()
  await owner.keyboard.press('F8')
  await expect(close).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(close).toHaveCount(0)
  await expect(pencil).toBeFocused()
})

test('a second press on the same bin asks only once', async ({ owner, site }) => {
  await createEntry(site, section, formValues(section, 'Entrada vieja'))
  await owner.goto(section.path)
  await binOf(owner, section, 'Entrada vieja').click()
  await binOf(owner, section, 'Entrada vieja').click()
  await expect(owner.getByRole('alertdialog')).toHaveCount(1)
})

test('a picture of another kind is refused before it is sent', async ({ owner }) => {
  const form = await openPanel(owner, section)
  const picture = { name: 'nota.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') }
  await fillForm(form, section, { values: {}, picture })
  await expect(form.getByRole('alert')).toContainText(ownerTexts.wrongImage)
})

test('a picture of an unknown category is logged in the given words', async ({ owner, watch }) => {
  watch.expect(/400/, /change was not taken/, new RegExp(ownerTexts.unknownCategory))
  const logged: string[] = []
  owner.on('console', (message) => logged.push(message.text()))
  const form = await openPanel(owner, section)
  // The page only ever names known categories, so the one it names is changed on its way.
  await owner.route('**/api/image/**', (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/\/image\/\w+/, '/image/Planet'),
    }),
  )
  await fillForm(form, section, {
    values: formValues(section, 'Entrada nueva'),
    picture: await photograph(320, 240),
  })
  await form.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'error-snackbar', noticesOf(section).createFailed)).toBeVisible()
  expect(logged.join('\n')).toContain(ownerTexts.unknownCategory)
})

test('a form that is emptied on its own page leaves the focus at the heading', async ({
  owner,
}) => {
  await owner.goto(project.addPath)
  const form = owner.locator('main form')
  await fillForm(form, project, { values: formValues(project, 'Entrada nueva') })
  await stopClock(owner)
  await form.getByRole('button', { name: ownerTexts.confirm }).press('Enter')
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
})

test('whoever went on to another page after a create is left in peace', async ({ owner }) => {
  const form = await openPanel(owner, project)
  await fillForm(form, project, { values: formValues(project, 'Entrada nueva') })
  await stopClock(owner)
  await form.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  await owner.evaluate(() => document.body.setAttribute('data-old', ''))
  await pencilOf(owner, project, 'Entrada nueva').click()
  const nameField = owner.getByRole('textbox', { name: project.fields['name']?.label ?? '' })
  await expect(nameField).toHaveValue('Entrada nueva')
  await passTime(owner, 2 * reloadAfterCreateMs)
  await expect(nameField).toHaveValue('Entrada nueva')
  await expect(owner.locator('body[data-old]')).toBeAttached()
})
