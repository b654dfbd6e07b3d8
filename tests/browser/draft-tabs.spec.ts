import type { Locator, Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { expect } from '#tests/support/browser.ts'
import { test, type Device } from '#tests/support/device.ts'
import { createEntry, formValues, fillForm, itemOf } from '#tests/support/entries.ts'
import {
  emptySections,
  isDrained,
  ownerTab,
  sendQueue,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

async function openPanel(device: Device, site: Site): Promise<readonly [Page, Locator]> {
  const page = await ownerTab(device, { site })
  await page.getByRole('button', { name: project.words.add }).first().click()
  const panel = page.getByRole('region', { name: project.words.add })
  await expect(nameIn(panel)).toBeVisible()
  return [page, panel]
}

const nameIn = (panel: Locator) => panel.getByRole('textbox', { name: project.fields.name.label })
const isKeptIn = (panel: Locator) => expect(panel.getByText(ownerTexts.draftKept)).toBeVisible()
const confirm = (panel: Locator) => panel.getByRole('button', { name: ownerTexts.confirm }).click()

test('two tabs in which a new entry is typed make two, and neither has the other’s draft', async ({
  device,
  site,
}) => {
  const [first, panel] = await openPanel(device, site)
  await fillForm(panel, project, { values: formValues(project, 'De la primera') })
  await isKeptIn(panel)
  const [second, other] = await openPanel(device, site)
  await expect(nameIn(other)).toHaveValue('')
  await fillForm(other, project, { values: formValues(project, 'De la segunda') })
  await isKeptIn(other)
  await confirm(panel)
  await expect(itemOf(first, 'De la primera')).toBeVisible()
  await isDrained(first)
  await expect(nameIn(other)).toHaveValue('De la segunda')
  await confirm(other)
  await expect(itemOf(second, 'De la segunda')).toBeVisible()
  await isDrained(second)
  const rows = await storedRows(site)
  expect(rows.map(({ name }) => name)).toEqual(['De la primera', 'De la segunda'])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
})

test('each tab loaded anew has its own draft again, and a closed one leaves its draft to the next', async ({
  device,
  site,
}) => {
  const [first, panel] = await openPanel(device, site)
  await nameIn(panel).fill('Uno')
  await isKeptIn(panel)
  const [second, other] = await openPanel(device, site)
  await nameIn(other).fill('Dos')
  await isKeptIn(other)
  await second.close()
  await first.reload()
  await first.getByRole('button', { name: project.words.add }).first().click()
  await expect(nameIn(panel)).toHaveValue('Uno')
  const [, third] = await openPanel(device, site)
  await expect(nameIn(third)).toHaveValue('Dos')
  await expect(third.getByText(texts.draftBack)).toBeVisible()
})

test('an old draft that comes back after its entry was made makes another entry', async ({
  device,
  site,
}) => {
  const [page, panel] = await openPanel(device, site)
  await fillForm(panel, project, { values: formValues(project, 'Hecha') })
  await isKeptIn(panel)
  const kept = await keptDrafts(page)
  await confirm(panel)
  await expect(itemOf(page, 'Hecha')).toBeVisible()
  await isDrained(page)
  // As a browser that is killed brings back what was there before.
  await putDrafts(page, kept)
  await page.close()
  const [next, again] = await openPanel(device, site)
  await expect(nameIn(again)).toHaveValue('Hecha')
  await nameIn(again).fill('Otra')
  await confirm(again)
  await expect(itemOf(next, 'Otra')).toBeVisible()
  await isDrained(next)
  expect(await storedNames(site)).toEqual(['Hecha', 'Otra'])
})

type Kept = readonly (readonly [key: string, value: unknown])[]

function keptDrafts(page: Page): Promise<Kept> {
  return page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<Kept>()
    const opening = indexedDB.open('tintero-drafts')
    opening.addEventListener('success', () => {
      const objects = opening.result.transaction('pictures').objectStore('pictures')
      const keys = objects.getAllKeys()
      const values = objects.getAll()
      values.addEventListener('success', () => {
        const names = keys.result as readonly string[]
        const found = values.result as readonly unknown[]
        opening.result.close()
        resolve(names.map((name, index) => [name, found[index]] as const))
      })
    })
    return promise
  })
}

function putDrafts(page: Page, kept: Kept): Promise<void> {
  return page.evaluate(async (drafts) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const opening = indexedDB.open('tintero-drafts')
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction('pictures', 'readwrite')
      for (const [key, value] of drafts) transaction.objectStore('pictures').put(value, key)
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve()
      })
    })
    return promise
  }, kept)
}

test('what is typed of an entry in one tab outlives its change in another', async ({
  device,
  site,
}) => {
  const id = await createEntry(site, project, formValues(project, 'Faro'))
  const openEdit = () => ownerTab(device, { site, path: project.editPath.replace('$id', id) })
  const [first, second] = [await openEdit(), await openEdit()]
  const words = (page: Page) =>
    page.getByRole('textbox', { name: project.fields.description.label })
  await words(first).fill('Escrito en la primera')
  await expect(first.getByText(ownerTexts.draftKept)).toBeVisible()
  await nameIn(second.locator('main')).fill('Faro nuevo')
  await second.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(second, 'Faro nuevo')).toBeVisible()
  await isDrained(second)
  await first.reload()
  await expect(words(first)).toHaveValue('Escrito en la primera')
})

for (const [what, finish, stored] of [
  [
    'discarding it takes nothing from the entry',
    (panel: Locator) => panel.getByRole('button', { name: ownerTexts.discardDraft }).click(),
    ['Hecha'],
  ],
  [
    'confirming it makes another',
    async (panel: Locator) => {
      await nameIn(panel).fill('Otra')
      await confirm(panel)
    },
    ['Hecha', 'Otra'],
  ],
] as const) {
  test(`a draft that an earlier build left unmarked while its entry waits is offered again, and ${what}`, async ({
    device,
    site,
  }) => {
    const [page, panel] = await openPanel(device, site)
    await fillForm(panel, project, { values: formValues(project, 'Hecha') })
    await isKeptIn(panel)
    const kept = await keptDrafts(page)
    await device.context.setOffline(true)
    await confirm(panel)
    await expect(itemOf(page, 'Hecha')).toBeVisible()
    await putDrafts(page, kept)
    await page.reload()
    await page.getByRole('button', { name: project.words.add }).first().click()
    await expect(nameIn(panel)).toHaveValue('Hecha')
    await finish(panel)
    await expect(itemOf(page, stored.at(-1) ?? '')).toBeVisible()
    await sendQueue(device, page)
    expect(await storedNames(site)).toEqual(stored)
  })
}
