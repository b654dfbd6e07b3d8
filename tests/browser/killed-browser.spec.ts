import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, logOutButton, throughReload } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf, pencilOf, snackbar } from '#tests/support/entries.ts'
import { fieldOf, letter, sendLetter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { colourSquare, noise } from '#tests/support/pictures.ts'
import { addEntry, emptySections, ownerTab, storedRows } from '#tests/support/queue.ts'

/*
 * The browser is killed with SIGKILL and started again on the same profile: what the page said it has kept is there. What a
 * browser writes to disk only every now and then, as Chromium does with local storage, is not.
 */

test.use({ writes: true })
test.beforeEach(async ({ site }) => emptySections(site))

const words = Array.from({ length: 12 }, (_, n) => `palabra${n + 1}`).join(' ')
const inputOf = (page: Page, name: keyof typeof project.fields) =>
  page.getByRole('textbox', { name: project.fields[name].label })

test('a message that is said to be kept leaves with the start after the browser was killed @main', async ({
  lasting: device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  await device.context.setOffline(true)
  await typeLetter(page)
  await sendLetter(page)
  await expect(snackbar(page, 'info-snackbar', messageTexts.kept)).toBeVisible()
  await device.kill()
  const next = await device.tab()
  await next.goto('/')
  await expect.poll(() => storedMessages(site)).toEqual([letter.message])
})

test('a draft that is said to be kept outlives the death of the browser, picture included @main', async ({
  lasting: device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: project.addPath })
  await inputOf(page, 'name').fill('Brújula')
  await page.getByLabel(project.fields.image.label).setInputFiles(await colourSquare('#0a7'))
  await inputOf(page, 'description').pressSequentially(words)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await device.kill()
  const next = await ownerTab(device, { site, path: project.addPath })
  await expect(next.getByText(texts.draftBack)).toBeVisible()
  await expect(inputOf(next, 'name')).toHaveValue('Brújula')
  await expect(inputOf(next, 'description')).toHaveValue(words)
  const preview = next.getByRole('img', { name: ownerTexts.imagePreview })
  await expect(preview).toHaveAttribute('src', /^blob:/)
})

test('a draft that was sent does not come back after the death of the browser', async ({
  lasting: device,
  site,
}) => {
  await createEntry(site, project, formValues(project, 'Faro'))
  const page = await ownerTab(device, { site })
  await pencilOf(page, project, 'Faro').click()
  await inputOf(page, 'description').fill('A medias')
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await inputOf(page, 'description').fill('Entera')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect.poll(() => storedRows(site)).toMatchObject([{ description: 'Entera' }])
  await expect(itemOf(page, 'Faro')).toContainText('Entera')
  await device.kill()
  const next = await ownerTab(device, { site })
  await pencilOf(next, project, 'Faro').click()
  await expect(inputOf(next, 'description')).toHaveValue('Entera')
  await expect(next.getByText(texts.draftBack)).toHaveCount(0)
})

test('what a visitor typed into the message form outlives the death of the browser', async ({
  lasting: device,
}) => {
  const page = await device.tab()
  await visit(page, '/contact')
  await typeLetter(page)
  await expect
    .poll(() => databaseText(page, 'tintero-drafts'))
    .toContain(JSON.stringify(letter.message).slice(1, -1))
  await device.kill()
  const next = await device.tab()
  await visit(next, '/contact')
  await expect(fieldOf(next, 'message')).toHaveValue(letter.message)
  await expect(next.getByText(texts.draftBack)).toBeVisible()
})

test('a change kept without a connection outlives the death of the browser @main', async ({
  lasting: device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Sin red' })
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await device.kill()
  await ownerTab(device, { site, path: '/' })
  await expect.poll(() => storedRows(site)).toMatchObject([{ name: 'Sin red' }])
})

test('a draft whose picture the disk has lost is offered, asked about at the end and forgotten', async ({
  lasting: device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: project.addPath })
  await inputOf(page, 'name').fill('Brújula')
  await page.getByLabel(project.fields.image.label).setInputFiles(await noise())
  const preview = page.getByRole('img', { name: ownerTexts.imagePreview })
  await expect(preview).toHaveAttribute('src', /^blob:/)
  await expect(page.getByText(ownerTexts.draftKept)).toBeVisible()
  await device.restart(async () => loseLargeValues(device.folder))
  const next = await ownerTab(device, { site, path: project.addPath })
  await expect(next.getByText(texts.draftBack)).toBeVisible()
  await expect(inputOf(next, 'name')).toHaveValue('Brújula')
  await visit(next, '/')
  await logOutButton(next).click()
  await expect(next.getByText(ownerTexts.draftsOnLogout)).toBeVisible()
  const leave = next.getByRole('button', { name: ownerTexts.logoutHint })
  await throughReload(next, () => leave.click())
  await expect.poll(() => databaseText(next, 'tintero-drafts')).toBe('[]')
})

/** Removes the files in which Chromium keeps what is too large for the rows of its database. */
function loseLargeValues(profile: string): void {
  const databases = join(profile, 'Default', 'IndexedDB')
  const large = readdirSync(databases).filter((name) => name.endsWith('.blob'))
  expect(large).toHaveLength(1)
  for (const name of large) rmSync(join(databases, name), { recursive: true })
}
