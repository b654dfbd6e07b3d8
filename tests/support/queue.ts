import type { Locator, Page } from 'playwright/test'
import type { FieldValues } from '#contract/fields.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { askThroughReload, expect, takeSession } from './browser.ts'
import { databaseText, visit, type Device } from './device.ts'
import { binOf, formValues, fillForm, itemOf, pencilOf } from './entries.ts'
import type { Picture } from './pictures.ts'
import type { Site } from './site.ts'

/** A signed-in tab of the device on a page that works without the server from now on. */
export async function ownerTab(
  device: Device,
  { site, path = project.path }: { readonly site: Site; readonly path?: string },
): Promise<Page> {
  const page = await device.tab()
  await page.goto('/api/health')
  await takeSession(page, await site.signIn())
  await visit(page, path)
  return page
}

interface NewEntry {
  readonly name: string
  readonly picture?: Picture
  readonly section?: Section
}

/** Fills in and confirms the panel of the list that the page shows; resolves when the entry stands in it. */
export async function addEntry(
  page: Page,
  { name, picture, section = project }: NewEntry,
): Promise<void> {
  const panel = page.getByRole('region', { name: section.words.add })
  await page.getByRole('button', { name: section.words.add }).first().click()
  const values = formValues(section, name)
  await fillForm(panel, section, { values, ...(picture && { picture }) })
  await panel.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(itemOf(page, name)).toBeVisible()
}

interface Renaming {
  readonly from: string
  readonly to: string
  readonly section?: Section
}

/** Gives an entry of the list that the page shows another name, and comes back to the list. */
export async function renameEntry(
  page: Page,
  { from, to, section = project }: Renaming,
): Promise<void> {
  await pencilOf(page, section, from).click()
  const name = page.getByRole('textbox', { name: section.fields['name']?.label ?? '' })
  await expect(name).toHaveValue(from)
  await name.fill(to)
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(page, to)).toBeVisible()
}

/** Deletes an entry of the list that the page shows, and confirms it; resolves when the list is without it. */
export async function removeEntry(
  page: Page,
  name: string,
  section: Section = project,
): Promise<void> {
  await binOf(page, section, name).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: ownerTexts.remove, exact: true }).click()
  await expect(itemOf(page, name)).toHaveCount(0)
}

/** What waits on the device, in order. */
export async function queued(page: Page): Promise<readonly Operation[]> {
  const kept = JSON.parse((await databaseText(page, 'tintero-outbox')) || '[]') as unknown[]
  return kept.filter((value): value is Operation[] => Array.isArray(value)).flat()
}

/** Waits until nothing of the queue, pictures included, is left on the device. */
export async function isDrained(
  page: Page,
  patience?: { readonly timeout: number },
): Promise<void> {
  await expect
    .poll(() => databaseText(page, 'tintero-outbox'), patience)
    .toMatch(/^(?:\[(?:\[\](?:,"[\w-]+")?)?\])?$/)
}

/** Gives the device its connection back, and waits until all that the page has queued has left it. */
export async function sendQueue(device: Device, page: Page): Promise<void> {
  await device.context.setOffline(false)
  await isDrained(page)
}

/** The names in a section on the server, oldest first. */
export async function storedNames(
  site: Site,
  { key, display }: Section = project,
): Promise<string[]> {
  return (await storedRows(site, key)).map((row) => row[display.title] ?? '')
}

/** A section's rows on the server, oldest first. */
export async function storedRows(
  site: Site,
  key: string = project.key,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { json } = await site.call('GET', key, { token: null })
  return json as unknown as readonly Readonly<Record<string, string>>[]
}

/** The names in the list that the page shows, from the top. */
export function shownNames(page: Page): Promise<string[]> {
  return askThroughReload(() => page.locator('main .item h2, main .item h3').allTextContents())
}

/** Deletes every entry of every section on the server. */
export async function emptySections(site: Site): Promise<void> {
  const emptyOne = async ({ key }: Section) => {
    for (const { id } of await storedRows(site, key)) {
      await site.call('DELETE', `${key}/delete/${String(id)}`)
    }
  }
  await Promise.all(sections.map(emptyOne))
}

/** Presses the mark in the header; resolves to the list of pending changes. */
export async function openQueueSheet(page: Page): Promise<Locator> {
  await page.locator('header button.sync').click()
  return page.getByRole('dialog', { name: queueTexts.title })
}

/** What has all of the list of pending changes tried again. */
export const retryAllOf = (sheet: Locator): Locator =>
  sheet.getByRole('button', { name: queueTexts.retryAll })

/** Stores a change as another device makes it. */
export async function changeElsewhere(site: Site, id: string, patch: FieldValues): Promise<void> {
  const { status } = await site.call('PUT', `${project.key}/update/${id}`, { body: patch })
  if (status !== 200) throw new Error(`changing was answered ${status}`)
}
