import { binCall } from '#contract/entries/bin.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf, pencilOf, snackbar } from '#tests/support/entries.ts'
import {
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  renameEntry,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

async function seed(site: Site): Promise<string> {
  await emptySections(site)
  await createEntry(site, project, formValues(project, 'Faro'))
  const [{ id = '' } = {}] = await storedRows(site)
  return id
}

test('the editor of an entry that was deleted leads to the bin, and its text is there when it is back', async ({
  device,
  site,
}) => {
  const id = await seed(site)
  const page = await ownerTab(device, { site })
  await pencilOf(page, project, 'Faro').click()
  const name = page.getByRole('textbox', { name: project.fields.name.label })
  await name.fill('Faro nuevo')
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await site.call('DELETE', `${project.key}/delete/${id}`)
  const address = page.url()
  // Until the list has been read again this device knows nothing of it, and opens the form.
  await visit(page, project.path)
  await expect(itemOf(page, 'Faro')).toHaveCount(0)
  await visit(page, address)
  const gone = page.getByRole('heading', { name: fill(binTexts.inBin, { name: 'Faro' }) })
  await expect(gone).toBeVisible()
  await expect(page.getByText(binTexts.typedStays)).toBeVisible()
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.getByRole('button', { name: binTexts.restore }).press('Enter')
  await expect(name).toHaveValue('Faro nuevo')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await name.press('Enter')
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  expect(await storedNames(site)).toEqual(['Faro nuevo'])
})

test('the editor of what never was is the page of a missing address', async ({ device, site }) => {
  await seed(site)
  const page = await ownerTab(device, { site })
  await visit(page, project.editPath.replace('$id', '01890000-0000-7000-8000-000000000001'))
  await expect(page.getByRole('heading', { name: texts.notFound })).toBeVisible()
})

test('without a connection nothing is said of an entry that this device does not know', async ({
  device,
  site,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/)
  const id = await seed(site)
  const page = await ownerTab(device, { site })
  await expect(itemOf(page, 'Faro')).toBeVisible()
  await site.call('DELETE', `${project.key}/delete/${id}`)
  await visit(page, project.path)
  await expect(itemOf(page, 'Faro')).toHaveCount(0)
  await device.context.setOffline(true)
  await page.goto(project.editPath.replace('$id', id))
  await expect(page.getByText(binTexts.unreadHint)).toBeVisible()
  await expect(page.getByRole('heading', { name: texts.notFound })).toHaveCount(0)
  await device.context.setOffline(false)
  const gone = page.getByRole('heading', { name: fill(binTexts.inBin, { name: 'Faro' }) })
  await expect(gone).toBeVisible()
})

test('a change of an entry that was deleted says so, and goes out when the entry is back', async ({
  device,
  site,
}) => {
  const id = await seed(site)
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await renameEntry(page, { from: 'Faro', to: 'Faro nuevo' })
  await site.call('DELETE', `${project.key}/delete/${id}`)
  await device.context.setOffline(false)
  const sheet = await openQueueSheet(page)
  await expect(sheet).toContainText(queueTexts.refusedGone)
  expect(await faultsInEveryLook(page)).toEqual([])
  await sheet.getByRole('link', { name: binTexts.open }).click()
  await page.getByRole('button', { name: fill(binTexts.restoreName, { name: 'Faro' }) }).click()
  await expect.poll(() => storedNames(site)).toEqual(['Faro nuevo'])
  await isDrained(page)
})

/* In several lines, and with a word that no window has room for. */
const described = 'Primera línea\n\nLa segunda, con un hueco antes'
const repository = `https://faro.example/${'x'.repeat(300)}`

test('what a change of an entry says that is gone for good is read and copied in the list', async ({
  device,
  site,
}) => {
  const id = await seed(site)
  await device.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await pencilOf(page, project, 'Faro').click()
  const { description, repo } = project.fields
  await page.getByRole('textbox', { name: description.label }).fill(described)
  await page.getByRole('textbox', { name: repo.label }).fill(repository)
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(page, 'Faro')).toBeVisible()
  await site.call('DELETE', `${project.key}/delete/${id}`)
  await site.call('DELETE', `${binCall}/${project.key}/${id}`)
  await device.context.setOffline(false)
  const sheet = await openQueueSheet(page)
  await expect(sheet).toContainText(queueTexts.refusedGone)
  const text = sheet.getByText('Primera línea')
  await expect(text).toBeHidden()
  const more = sheet.getByText(queueTexts.readText)
  expect((await more.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await more.click()
  await expect(text).toHaveText(described, { useInnerText: true })
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  await expect
    .poll(() => sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0)
  await sheet.getByRole('button', { name: queueTexts.copyText }).click()
  await expect(snackbar(page, 'success-snackbar', queueTexts.textCopied)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${description.label}\n${described}\n\n${repo.label}\n${repository}`,
  )
})
