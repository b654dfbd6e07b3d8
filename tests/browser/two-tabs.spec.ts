import type { Page } from 'playwright/test'
import { problems } from '#contract/problem.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect } from '#tests/support/browser.ts'
import { test, type Device } from '#tests/support/device.ts'
import { formValues, createEntry, itemOf, pencilOf, snackbar } from '#tests/support/entries.ts'
import { emptySections, isDrained, ownerTab, queued, storedRows } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const name = (page: Page) =>
  page.getByRole('textbox', { name: project.fields['name']?.label ?? '' })
const save = (page: Page) => page.getByRole('button', { name: ownerTexts.update }).click()

/** Two tabs of one browser with the same entry's form open in both. */
async function twoForms(device: Device, site: Site): Promise<readonly [Page, Page]> {
  await createEntry(site, project, formValues(project, 'De antes'))
  const first = await ownerTab(device, { site })
  const second = await ownerTab(device, { site })
  for (const page of [first, second]) {
    await pencilOf(page, project, 'De antes').click()
    await expect(name(page)).toHaveValue('De antes')
  }
  return [first, second]
}

for (const isOffline of [false, true]) {
  test(`${isOffline ? 'offline' : 'online'} the form that never saw the other tab's save asks which version stays @main`, async ({
    device,
    site,
  }) => {
    const [first, second] = await twoForms(device, site)
    await device.context.setOffline(isOffline)
    await name(first).fill('De la primera')
    await save(first)
    await expect(itemOf(first, 'De la primera')).toBeVisible()
    // A tab that is still sending takes the other's change along, and what is refused then waits in the list.
    if (!isOffline) await isDrained(first)
    await name(second).fill('De la segunda')
    await save(second)
    const title = isOffline ? queueTexts.changedHere : problems['version-cambiada'][2]
    const dialog = second.getByRole('dialog', { name: title })
    await expect(dialog).toContainText('De la primera')
    await expect(dialog).toContainText('De la segunda')
    if (isOffline) {
      expect((await queued(second)).map(({ values }) => values['name'])).toEqual(['De la primera'])
    }
    await dialog.getByRole('button', { name: ownerTexts.keepEditing }).click()
    await expect(name(second)).toHaveValue('De la segunda')
    await save(second)
    await dialog.getByRole('button', { name: ownerTexts.keepMine }).click()
    await expect(itemOf(second, 'De la segunda')).toBeVisible()
    await device.context.setOffline(false)
    await isDrained(second)
    expect((await storedRows(site)).map((row) => row['name'])).toEqual(['De la segunda'])
    await expect(itemOf(first, 'De la segunda')).toBeVisible()
  })
}

test('taking the other tab’s version puts it into the form, and the next save goes on from there', async ({
  device,
  site,
}) => {
  const [first, second] = await twoForms(device, site)
  await device.context.setOffline(true)
  await name(first).fill('De la primera')
  await save(first)
  await expect(itemOf(first, 'De la primera')).toBeVisible()
  await name(second).fill('De la segunda')
  await save(second)
  const dialog = second.getByRole('dialog', { name: queueTexts.changedHere })
  await dialog.getByRole('button', { name: ownerTexts.takeOther }).click()
  await expect(name(second)).toHaveValue('De la primera')
  await name(second).fill('De ambas')
  await save(second)
  await expect(itemOf(second, 'De ambas')).toBeVisible()
  await device.context.setOffline(false)
  await isDrained(second)
  expect((await storedRows(site)).map((row) => row['name'])).toEqual(['De ambas'])
  await expect(snackbar(second, 'error-snackbar', noticesOf(project).updateFailed)).toHaveCount(0)
})
