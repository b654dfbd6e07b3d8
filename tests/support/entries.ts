import type { Locator, Page } from 'playwright/test'
import { imageFieldOf, type FieldValues, type Field } from '#contract/fields.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from './fetch-in-time.ts'
import type { Picture } from './pictures.ts'
import type { Site } from './site.ts'

/** Words for every field of a section that its form takes; the picture is left out. */
export function formValues(section: Section, name: string): FieldValues {
  const wordsOf = (field: string, { kind }: Field) => {
    if (field === section.display.title) return name
    return kind === 'url' ? `https://example.com/${field}` : `Texto ${field}`
  }
  const fields = Object.entries(section.fields).filter(([, { kind }]) => kind !== 'image')
  return Object.fromEntries(fields.map(([key, field]) => [key, wordsOf(key, field)]))
}

/** Stores an entry through the API; resolves to its id. */
export async function createEntry(
  site: Site,
  section: Section,
  values: FieldValues,
): Promise<string> {
  const { status, json } = await site.call('POST', `${section.key}/create`, { body: values })
  if (status !== 201) throw new Error(`creating was answered ${status}`)
  return String(json['id'])
}

/** Stores projects of these names, one after the other. */
export async function seedProjects(site: Site, ...names: readonly string[]): Promise<void> {
  for (const name of names) await createEntry(site, project, formValues(project, name))
}

/** Opens the panel of a new entry on the section's page; resolves to its form. */
export async function openPanel(page: Page, section: Section): Promise<Locator> {
  await page.goto(section.path)
  await page.getByRole('button', { name: section.words.add }).first().click()
  const panel = page.getByRole('region', { name: section.words.add })
  await panel.waitFor()
  // A button that still moves may be missed.
  await panel.evaluate((element) =>
    Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  )
  return panel
}

/** Types these values, and chooses a picture where one is given. */
export async function fillForm(
  form: Locator,
  section: Section,
  { values, picture }: { readonly values: FieldValues; readonly picture?: Picture },
): Promise<void> {
  await form.getByRole('textbox').first().waitFor()
  const more = form.locator('details:not([open]) > summary', { hasText: ownerTexts.moreFields })
  if ((await more.count()) > 0) await more.click()
  for (const [name, value] of Object.entries(values)) {
    const label = section.fields[name]?.label ?? name
    await form.getByRole('textbox', { name: label }).fill(value)
  }
  const image = imageFieldOf(section.fields)
  const imageLabel = section.fields[image ?? '']?.label ?? ''
  if (picture) await form.getByLabel(imageLabel).setInputFiles(picture)
}

/** The list's item of this name. */
export function itemOf(page: Page, name: string): Locator {
  return page.locator('main .item', { hasText: name })
}

/** The button of an entry that leads to its form. */
export function pencilOf(page: Page, { words }: Section, name: string): Locator {
  const label = ownerTexts.editEntry.replace('{noun}', words.noun).replace('{name}', name)
  return page.getByRole('link', { name: label })
}

/** The button of an entry that asks whether to delete it. */
export function binOf(page: Page, { words }: Section, name: string): Locator {
  const label = ownerTexts.removeEntry.replace('{noun}', words.noun).replace('{name}', name)
  return page.getByRole('button', { name: label })
}

type Kind = 'success-snackbar' | 'error-snackbar' | 'info-snackbar'

/** The snackbar of this kind with exactly this text. */
export function snackbar(page: Page, kind: Kind, text: string): Locator {
  return page.locator(`.${kind}`).filter({ has: page.getByText(text, { exact: true }) })
}

/** The button every ordinary snackbar has. */
export const closeOf = (notice: Locator) =>
  notice.getByRole('button', { name: texts.close, exact: true })

/** What a visitor's browser is sent for a path. */
export async function servedPage(site: Site, path: string): Promise<string> {
  return (await fetchInTime(site.url + path)).text()
}

/** What the rows say that the owner puts in another order, from the top. */
export const rowNames = (page: Page) => page.locator('.order-list b').allTextContents()
