import type { Page } from 'playwright/test'
import { share } from '#contract/offline/offline.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { sharedTexts } from '#contract/texts/share.ts'
import { expect, logOutButton, signIn, throughReload } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { formValues, fillForm, snackbar } from '#tests/support/entries.ts'
import { everythingReadable } from '#tests/support/profile-search.ts'
import { colourSquare, redAndBlue, type Picture } from '#tests/support/pictures.ts'

test.use({ writes: true })

interface Shared {
  readonly picture?: Picture
  readonly moreBytes?: number
  readonly title?: string
}

/** Shares a title, a text with a link and a picture, as another application does; the picture with so many bytes behind it. */
async function shareInto(
  page: Page,
  { picture: given, moreBytes = 0, title = 'Faro' }: Shared = {},
): Promise<void> {
  const picture = given ?? (await colourSquare('#0a7'))
  await page.evaluate(
    ({ bytes, more, fileName, name }) => {
      const form = document.createElement('form')
      Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data' })
      const words = { title: name, text: 'Un faro https://faro.test/luz', url: '' }
      for (const [key, value] of Object.entries(words)) {
        form.append(Object.assign(document.createElement('input'), { name: key, value }))
      }
      const files = new DataTransfer()
      files.items.add(
        new File([new Uint8Array(bytes), new Uint8Array(more)], fileName, { type: 'image/png' }),
      )
      const photo = Object.assign(document.createElement('input'), { type: 'file', name: 'photo' })
      photo.files = files.files
      form.append(photo)
      document.body.append(form)
      form.submit()
    },
    { bytes: [...picture.buffer], more: moreBytes, fileName: picture.name, name: title },
  )
}

async function showsShared(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/addProj\?compartido=1$/)
  const field = (label: string) => page.getByRole('textbox', { name: label })
  await expect(field(project.fields.name.label)).toHaveValue('Faro')
  await expect(field(project.fields.description.label)).toHaveValue('Un faro')
  await expect(field(project.fields.demo.label)).toHaveValue('https://faro.test/luz')
  await expect(page.locator('main img[src^="blob:"]').first()).toBeVisible()
}

test('what is shared to the application opens a new project with it, and can be taken out again @main', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await signIn(page, site)
  await page.goto('/')
  await shareInto(page)
  await showsShared(page)
  const note = page.locator('.alert.shared')
  await expect(note).toContainText(sharedTexts.title)
  await expect(note).toContainText('Un título, un texto, un enlace y una imagen. Revísalos')
  await page.getByRole('textbox', { name: project.fields.duration.label }).fill('Mayo 2031')
  await note.getByRole('button', { name: sharedTexts.discard }).click()
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: project.fields.name.label })).toHaveValue('')
  await expect(page.locator('main img[src^="blob:"]')).toHaveCount(0)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await visit(page, project.addPath)
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: project.fields.duration.label })).toHaveValue(
    'Mayo 2031',
  )
})

test('a shared picture that was framed and then discarded is not sent', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await signIn(page, site)
  await page.goto('/')
  await shareInto(page, { picture: await redAndBlue() })
  await showsShared(page)
  const framing = page.getByRole('slider', { name: ownerTexts.framing })
  await framing.press('End')
  await expect(framing).toHaveValue('1')
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await page.locator('.alert.shared').getByRole('button', { name: sharedTexts.discard }).click()
  await expect(page.locator('main img[src^="blob:"]')).toHaveCount(0)
  await fillForm(page.locator('main form'), project, { values: formValues(project, 'Sin foto') })
  await page.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).created)).toBeVisible()
  const { json } = await site.call('GET', project.key)
  const rows = json as unknown as readonly { readonly name: string; readonly image: string }[]
  expect(rows.find(({ name }) => name === 'Sin foto')?.image).toBe('')
})

test('what is shared while nobody is signed in is in the form after signing in', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await shareInto(page)
  await expect(page).toHaveURL(/\/login$/)
  await logInByForm(page)
  await showsShared(page)
})

test('what is too much to be kept is said in the form, after signing in too', async ({
  device,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await shareInto(page, { moreBytes: 12_000_000 })
  await expect(page).toHaveURL(/\/login$/)
  await logInByForm(page)
  const said = page.getByRole('alert').filter({ hasText: sharedTexts.missing })
  await expect(said).toBeVisible()
  await page.goto('/')
  await shareInto(page, { moreBytes: 12_000_000 })
  await expect(said).toBeVisible()
  await visit(page, project.addPath)
  await expect(page.getByRole('textbox', { name: project.fields.name.label })).toBeVisible()
  await expect(said).toHaveCount(0)
})

test('where no more can wait, what is shared is said not to be kept after signing in, and the others are there', async ({
  device,
}) => {
  const page = await device.tab()
  for (let i = 0; i <= share.most; i++) {
    await visit(page, '/')
    await shareInto(page, { title: `Faro ${i}` })
    await page.waitForURL('/login')
  }
  await logInByForm(page)
  const said = page.getByRole('alert').filter({ hasText: sharedTexts.missing })
  await expect(said).toContainText(fill(sharedTexts.fullHint, { n: share.most }))
  // The last that was kept; those before it are beside it, and the one that came after them is nowhere.
  await expect(page.getByRole('textbox', { name: project.fields.name.label })).toHaveValue(
    `Faro ${share.most - 1}`,
  )
  expect(await databaseText(page, 'tintero-share')).toBe('[]')
  const drafts = await everythingReadable(page)
  const kept = Array.from({ length: share.most + 1 }, (_, i) => drafts.includes(`Faro ${i}`))
  expect(kept).toEqual([...Array.from({ length: share.most }, () => true), false])
})

test('what was shared before the application was closed is in the form after signing in later', async ({
  lasting: device,
}) => {
  let page = await device.tab()
  await visit(page, '/')
  await shareInto(page)
  await expect(page).toHaveURL(/\/login$/)
  await device.kill()
  page = await device.tab()
  await visit(page, '/login')
  await logInByForm(page)
  await showsShared(page)
})

test('what was shared and taken by no form is asked about at LogOut, and is nobody’s after it', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  await shareInto(page)
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => databaseText(page, 'tintero-share')).toContain('Faro')
  await signIn(page, site)
  await visit(page, '/')
  await logOutButton(page).click()
  await expect(page.getByText(ownerTexts.draftsOnLogout)).toBeVisible()
  const leave = page.getByRole('button', { name: ownerTexts.logoutHint })
  await throughReload(page, () => leave.click())
  expect(await databaseText(page, 'tintero-share')).toBe('[]')
  await signIn(page, site)
  await visit(page, project.addPath)
  await expect(page.getByRole('textbox', { name: project.fields.name.label })).toHaveValue('')
})
