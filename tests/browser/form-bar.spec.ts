import type { Locator, Page } from 'playwright/test'
import { contactFields, contactTexts } from '#contract/messages/contact.ts'
import { personForms } from '#contract/person/person.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors, texts } from '#contract/texts/site.ts'
import { beginAnew, expect, test } from '#tests/support/browser.ts'
import { refuse } from '#tests/support/answers.ts'
import {
  binOf,
  createEntry,
  fillForm,
  formValues,
  itemOf,
  openPanel,
  pencilOf,
} from '#tests/support/entries.ts'
import { colourSquare, photograph } from '#tests/support/pictures.ts'
import { storedRows } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

interface Form {
  readonly what: string
  /** Whether it needs an entry of its own. */
  readonly writes: boolean
  /** The field that is typed into; it may not be empty. */
  readonly label: string
  readonly submit: string
  readonly open: (owner: Page, site: Site) => Promise<Locator>
}

const nameLabel = project.fields.name.label
const pageOf = (path: string) => async (owner: Page) => {
  await owner.goto(path)
  return owner.locator('form.form-card')
}
const forms: readonly Form[] = [
  {
    what: 'the page of a new entry',
    writes: false,
    label: nameLabel,
    submit: ownerTexts.confirm,
    open: pageOf(project.addPath),
  },
  {
    what: 'the panel above a list',
    writes: false,
    label: nameLabel,
    submit: ownerTexts.confirm,
    open: (owner) => openPanel(owner, project),
  },
  {
    what: 'the page of an entry',
    writes: true,
    label: nameLabel,
    submit: ownerTexts.update,
    open: async (owner, site) => {
      const rows = await storedRows(site, project.key)
      // One for all widths.
      const id =
        rows.find((row) => row['name'] === 'Cometa')?.['id'] ??
        (await createEntry(site, project, formValues(project, 'Cometa')))
      return pageOf(project.editPath.replace('$id', id))(owner)
    },
  },
  {
    what: 'the page of name and title',
    writes: false,
    label: 'Nombre:',
    submit: ownerTexts.update,
    open: pageOf(personForms.header.path.replace('$id', '1')),
  },
]

const longName = `${'una-foto-con-un-nombre-muy-largo-'.repeat(4)}.png`

const barOf = (form: Locator) => form.locator('.formbar')
const stateOf = (form: Locator) => barOf(form).getByRole('status')

/** Where the bar's parts are within it, its size, and how tall its form is above it. */
function layoutOf(form: Locator) {
  return form.evaluate((box) => {
    const bar = box.querySelector('.formbar')
    if (!bar) return undefined
    const own = bar.getBoundingClientRect()
    const fields = [...box.querySelectorAll('input:not([type=hidden]), textarea')]
    const first = fields[0]?.getBoundingClientRect().top ?? 0
    return {
      bar: [own.width, own.height],
      buttons: [...bar.querySelectorAll('.btn')].map((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return [x - own.x, y - own.y, width, height]
      }),
      fields: fields.map((field) => field.getBoundingClientRect().top - first),
    }
  })
}

const widths = [320, 390, 1440]

for (const { what, writes, label, submit, open } of forms) {
  test.describe(what, () => {
    test.use({ writes })

    test('has one bar, which says where the words are and never moves, at every width', async ({
      owner,
      site,
    }) => {
      for (const width of widths) {
        await test.step(`at ${width}`, async () => {
          await owner.setViewportSize({ width, height: 844 })
          await beginAnew(owner, site)
          let form = await open(owner, site)
          const name = form.getByRole('textbox', { name: label }).first()
          await expect(stateOf(form)).toHaveText(ownerTexts.unchanged)
          await owner.evaluate(() => document.fonts.ready)
          const untouched = await layoutOf(form)
          const [cancel, send] = untouched?.buttons ?? []
          // Side by side, in reach at the foot of the screen, whatever the width.
          expect(cancel?.[1]).toBe(send?.[1])
          const buttons = barOf(form).getByRole('button')
          await expect(buttons).toHaveText([ownerTexts.cancel, submit])
          if (width < 960) await expect(barOf(form)).toBeInViewport({ ratio: 1 })

          const before = await name.inputValue()
          await name.fill('Brújula')
          await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
          expect(await layoutOf(form)).toEqual(untouched)
          await name.fill(before)
          await expect(stateOf(form)).toHaveText(ownerTexts.unchanged)
          expect(await layoutOf(form)).toEqual(untouched)

          await name.fill('Brújula')
          await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
          const path = new URL(owner.url()).pathname
          await owner.goto(path)
          if (path === project.path) form = await openPanel(owner, project)
          await expect(stateOf(form)).toHaveText(texts.draftBack)
          expect(await layoutOf(form)).toEqual(untouched)
          await form.getByRole('button', { name: ownerTexts.discardDraft }).click()
          await expect(stateOf(form)).toHaveText(ownerTexts.unchanged)
          const first = form.locator('input, textarea').first()
          await expect(first).toBeFocused()
          expect(await layoutOf(form)).toEqual(untouched)
        })
      }
    })
  })
}

for (const [what, open, hasPicture] of [
  ['the panel of a project', (page: Page) => openPanel(page, project), false],
  ['the page of an experience', pageOf(experience.addPath), false],
  ['the page of description and photo', pageOf(personForms.about.path.replace('$id', '1')), true],
] as const) {
  test(`no picture moves the buttons of ${what}, however it comes or goes, at every width`, async ({
    owner,
    site,
  }) => {
    const square = { ...(await colourSquare('#26a')), name: longName }
    const pictures = [square, await photograph()]
    for (const width of widths) {
      await test.step(`at ${width}`, async () => {
        await owner.setViewportSize({ width, height: 844 })
        await beginAnew(owner, site)
        const form = await open(owner)
        await owner.evaluate(() => document.fonts.ready)
        const picker = form.locator('[type=file]')
        const height = () => form.evaluate((box) => box.getBoundingClientRect().height)
        const remove = form.getByRole('button', { name: ownerTexts.removeImage })
        const alternative = form.getByRole('textbox', { name: 'Texto alternativo' })
        if (hasPicture) await remove.click()
        await expect(remove).toHaveCount(0)
        const before = await height()
        for (const picture of pictures) {
          await picker.setInputFiles(picture)
          await expect(form.locator('.drop p')).toContainText(picture.name)
          await expect(alternative).toBeVisible()
          expect(await height()).toBe(before)
        }
        const heic = { name: 'IMG_2041.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') }
        await picker.setInputFiles(heic)
        await expect(form.getByRole('alert')).toHaveText(ownerTexts.wrongImage)
        expect(await height()).toBe(before)
        await form.getByRole('button', { name: ownerTexts.withoutImage }).click()
        await expect(form.getByRole('alert')).toHaveCount(0)
        expect(await height()).toBe(before)
      })
    }
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })

  test('the bar of a panel stands in place of the tab bar until the panel is closed @main', async ({
    owner,
  }) => {
    const form = await openPanel(owner, project)
    const tabs = owner.locator('.tabs')
    const bar = () => barOf(form).evaluate((box) => box.getBoundingClientRect().bottom)
    await form.getByRole('textbox', { name: nameLabel }).tap()
    await expect(tabs).toBeHidden()
    await expect.poll(bar).toBe(700)
    await form.getByRole('switch').focus()
    await owner.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expect(tabs).toBeHidden()
    await expect.poll(bar).toBe(700)
    await form.getByRole('button', { name: ownerTexts.confirm }).tap()
    await expect(stateOf(form)).toHaveText('Faltan 5 campos')
    await form.getByRole('button', { name: ownerTexts.cancel }).tap()
    await expect(form).toBeHidden()
    await expect(tabs).toBeVisible()
  })

  test('what a visitor presses where it will stand counts', async ({ visitor }) => {
    await visitor.goto('/contact')
    await visitor.getByRole('textbox', { name: contactFields.message.label }).tap()
    await expect(visitor.locator('.tabs')).toBeHidden()
    const send = visitor.getByRole('button', { name: contactTexts.submit })
    const { x, y, height } = await send.evaluate((button) => {
      const { bottom } = button.getBoundingClientRect()
      scrollBy({ top: bottom - innerHeight + 30, behavior: 'instant' })
      return button.getBoundingClientRect()
    })
    await visitor.touchscreen.tap(x + 20, y + height - 10)
    await expect(visitor.getByText(fieldErrors.required).first()).toBeVisible()
  })
})

/** By how much what the bar says is cut, or stands out of it, at each width; nothing where it is whole. */
async function cutAt(page: Page, form: Locator): Promise<readonly string[]> {
  const cut: string[] = []
  for (let width = 320; width <= 1920; width += 20) {
    await page.setViewportSize({ width, height: 844 })
    const by = await barOf(form).evaluate((bar) => {
      const words = bar.querySelector('.state span')
      if (!words) return [Infinity]
      const [own, room] = [words.getBoundingClientRect(), bar.getBoundingClientRect()]
      const lines = words.scrollHeight - words.clientHeight
      const letters = words.scrollWidth - words.clientWidth
      return [letters, lines, room.top - own.top, own.bottom - room.bottom]
    })
    if (by.some((px) => px > 0.5)) cut.push(`${width}: ${by.join()}`)
  }
  return cut
}

for (const { what, writes, label, open } of forms.slice(1, 3)) {
  test.describe(what, () => {
    test.use({ writes })

    test('shows all that its bar says at every width', async ({ owner, site }) => {
      const form = await open(owner, site)
      const name = form.getByRole('textbox', { name: label }).first()
      await name.fill('Brújula')
      await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
      expect(await cutAt(owner, form)).toEqual([])
    })
  })
}

test('the bar counts what is missing, then what is wrong, and nothing once all is right @main', async ({
  owner,
}) => {
  await owner.goto(project.addPath)
  const form = owner.locator('form.form-card')
  const send = form.getByRole('button', { name: ownerTexts.confirm })
  const field = (name: keyof typeof project.fields) =>
    form.getByRole('textbox', { name: project.fields[name].label })
  const bar = async () => (await layoutOf(form))?.bar
  const untouched = await bar()
  await send.click()
  await expect(stateOf(form)).toHaveText('Faltan 5 campos')
  expect(await bar()).toEqual(untouched)
  for (const name of ['name', 'description', 'duration'] as const) await field(name).fill('Sí')
  await field('repo').fill('https://example.com/')
  await expect(stateOf(form)).toHaveText('Falta 1 campo')
  await field('demo').fill('https://example.com/')
  await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
  await field('name').fill('Más de lo que cabe en un nombre')
  await expect(stateOf(form)).toHaveText('Revisa 1 campo')
  await field('name').fill('Sí')
  await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
  expect(await bar()).toEqual(untouched)
})

test('the link past the header leads into a form with unsaved text and asks nothing', async ({
  owner,
}) => {
  const form = await pageOf(project.addPath)(owner)
  const name = form.getByRole('textbox', { name: nameLabel })
  await name.fill('Brújula')
  await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
  await owner.getByRole('link', { name: texts.skip }).focus()
  await owner.keyboard.press('Enter')
  await expect(owner).toHaveURL(/#contenido$/)
  // The next stop lies behind the header.
  await owner.keyboard.press('Tab')
  await expect(owner.locator('main :focus')).toHaveCount(1)
  await expect(owner.getByRole('dialog')).toHaveCount(0)
  await expect(name).toHaveValue('Brújula')
})

test('on a phone the focus comes to no field under the bar', async ({ owner }) => {
  await owner.setViewportSize({ width: 390, height: 700 })
  for (const open of [pageOf(project.addPath), (page: Page) => openPanel(page, project)]) {
    const form = await open(owner)
    const fields = form.locator('input, textarea')
    await fields.first().focus()
    for (let at = 1; at < (await fields.count()); at++) {
      await owner.keyboard.press('Tab')
      await expect(fields.nth(at)).toBeFocused()
      const room = await fields.nth(at).evaluate((field) => {
        const bar = field.closest('form')?.querySelector('.formbar')
        return (bar?.getBoundingClientRect().top ?? 0) - field.getBoundingClientRect().bottom
      })
      expect(room).toBeGreaterThanOrEqual(0)
    }
  }
})

/** Each opens a form of the owner's and has a notice come; resolves to the form's bar. */
const underNotice: Readonly<Record<string, (owner: Page) => Promise<Locator>>> = {
  'the page of a form': async (owner) => {
    await owner.route('**/create', (route) => refuse(route, 'datos-no-validos'))
    await owner.goto(project.addPath)
    const form = owner.locator('form.form-card')
    await fillForm(form, project, { values: formValues(project, 'Cometa') })
    await form.getByRole('button', { name: ownerTexts.confirm }).click()
    return barOf(form)
  },
  'a panel above a list': async (owner) => {
    const panel = await openPanel(owner, project)
    await binOf(owner, project, 'Papelito').evaluate((bin) => (bin as HTMLElement).click())
    await panel.getByRole('textbox').first().scrollIntoViewIfNeeded()
    return barOf(panel)
  },
  'a list that is put in order': async (owner) => {
    await owner.goto(project.path)
    await binOf(owner, project, 'Papelito').click()
    await owner.locator('#sort-entries').click()
    return owner.locator('.applybar')
  },
}
test.describe('of a site of its own', () => {
  test.use({ writes: true })

  test('an earlier draft is offered above the form until it is answered, also while somebody types', async ({
    owner,
    site,
  }) => {
    const id = await createEntry(site, project, formValues(project, 'Primera'))
    await owner.goto(project.editPath.replace('$id', id))
    const form = owner.locator('form.form-card')
    const name = form.getByRole('textbox', { name: nameLabel })
    await name.fill('Borrador')
    await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
    const body = formValues(project, 'Segunda')
    const { status } = await site.call('PUT', `${project.key}/update/${id}`, { body })
    expect(status).toBe(200)
    await owner.goto(project.path)
    await expect(itemOf(owner, 'Segunda')).toBeVisible()
    await pencilOf(owner, project, 'Segunda').click()
    await expect(name).toHaveValue('Segunda')
    await expect(form.getByText(ownerTexts.draftEarlier)).toBeVisible()
    await expect(stateOf(form)).toHaveText(ownerTexts.unchanged)
    const before = await layoutOf(form)
    await form.getByRole('textbox', { name: project.fields.duration.label }).fill('Otoño')
    await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
    expect(await layoutOf(form)).toEqual(before)
    await form.getByRole('button', { name: ownerTexts.recoverDraft }).click()
    await expect(name).toHaveValue('Borrador')
    await expect(name).toBeFocused()
    await expect(form.getByText(ownerTexts.draftEarlier)).toHaveCount(0)
  })

  test('whoever stays has the focus on the page, though nothing of it had the focus before', async ({
    owner,
    site,
  }) => {
    await createEntry(site, project, formValues(project, 'Primera'))
    await owner.goto(project.path)
    await pencilOf(owner, project, 'Primera').click()
    const form = owner.locator('form.form-card')
    const name = form.getByRole('textbox', { name: nameLabel })
    await name.fill('Brújula')
    await expect(stateOf(form)).toHaveText(ownerTexts.draftKept)
    await name.blur()
    await owner.goBack({ waitUntil: 'commit' })
    await owner.getByRole('button', { name: ownerTexts.keepEditing }).click()
    await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(name).toHaveValue('Brújula')
  })

  test('on a phone the answers to a question stand below each other, each as wide as the question', async ({
    owner,
    site,
  }) => {
    await owner.setViewportSize({ width: 390, height: 844 })
    await createEntry(site, project, formValues(project, 'Primera'))
    await owner.goto(project.path)
    await pencilOf(owner, project, 'Primera').click()
    const form = owner.locator('form.form-card')
    await form.getByRole('textbox', { name: nameLabel }).fill('Brújula')
    await owner.goBack({ waitUntil: 'commit' })
    const question = owner.getByRole('dialog', { name: ownerTexts.leaveTitle })
    await expect(question).toBeVisible()
    const sizes = await question
      .locator('h2, button')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width))
    expect(sizes).toHaveLength(3)
    expect(new Set(sizes).size).toBe(1)
  })

  for (const [what, open] of Object.entries(underNotice)) {
    test(`on a phone a notice leaves the bar free on ${what}`, async ({ owner, watch }) => {
      watch.expect(/422/, /change was not taken/)
      for (const width of [320, 390]) {
        await owner.setViewportSize({ width, height: 800 })
        const bar = await open(owner)
        const notice = owner.locator('.toast').first()
        await expect(notice).toBeVisible()
        const room = async () => {
          const [over, under] = [await notice.boundingBox(), await bar.boundingBox()]
          if (!over || !under) throw new Error('the notice or the bar has no place')
          return under.y - (over.y + over.height)
        }
        // It comes up from below, however short that takes.
        await expect.poll(room, `at ${width}`).toBeGreaterThanOrEqual(0)
      }
    })
  }
})
