import type { Locator, Page } from 'playwright/test'
import type { BinnedEntry } from '#contract/entries/bin.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { skill } from '#contract/sections/skill.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { refuse } from '#tests/support/answers.ts'
import { faultsInEveryLook, faultsOnPlainGround } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { keysOf, test } from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import {
  binOf,
  closeOf,
  createEntry,
  formValues,
  itemOf,
  pencilOf,
  seedProjects,
  snackbar,
} from '#tests/support/entries.ts'
import { recordNotices } from '#tests/support/notices.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import {
  addEntry,
  changeElsewhere,
  emptySections,
  isDrained,
  ownerTab,
  queued,
  removeEntry,
  renameEntry,
  sendQueue,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => {
  await emptySections(site)
  const binned = (await site.call('GET', 'bin')).json as unknown as readonly BinnedEntry[]
  for (const { section, entry } of binned)
    await site.call('DELETE', `bin/${section}/${String(entry['id'])}`)
})

const binPath = '/settings#papelera'

const undoOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: fill(binTexts.undoName, { name }) })

const restoreOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: fill(binTexts.restoreName, { name }) })

/** The rows that stand for what was just deleted. */
const goneFrom = (page: Page): Locator => page.locator('main .gone')

test('what was deleted keeps its place in the list and comes back to it, by the snackbar or the row @main', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos', 'Tres')
  const page = await ownerTab(device, { site })
  await removeEntry(page, 'Dos')
  const notice = snackbar(page, 'success-snackbar', noticesOf(project).deleted)
  await expect(closeOf(notice)).toBeVisible()
  // It stays for as long as the pointer is on it, however long axe looks.
  await notice.hover()
  const row = goneFrom(page)
  await expect(row).toContainText(fill(binTexts.inBin, { name: 'Dos' }))
  expect(await page.locator('main .grid > :is(.item, .gone)').allTextContents()).toEqual([
    expect.stringContaining('Tres'),
    expect.stringContaining('Dos'),
    expect.stringContaining('Uno'),
  ])
  expect(await faultsOnPlainGround(page)).toEqual([])
  await notice.getByRole('button', { name: binTexts.undo, exact: true }).click()
  await expect(
    snackbar(page, 'success-snackbar', fill(binTexts.restored, { name: 'Dos' })),
  ).toBeVisible()
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno'])
  expect(await storedNames(site)).toEqual(['Uno', 'Dos', 'Tres'])
  await removeEntry(page, 'Dos')
  await expect.poll(() => storedNames(site)).toEqual(['Uno', 'Tres'])
  await undoOf(page, 'Dos').click()
  await expect(row).toHaveCount(0)
  await expect.poll(() => storedNames(site)).toEqual(['Uno', 'Dos', 'Tres'])
  await removeEntry(page, 'Dos')
  await visit(page, project.path)
  await expect(itemOf(page, 'Tres')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('what the row brings back is no longer said to be deleted, and the notice brings back what has no row any more', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await ownerTab(device, { site })
  const notice = snackbar(page, 'success-snackbar', noticesOf(project).deleted)
  await removeEntry(page, 'Dos')
  // It would stay for as long as the pointer is on it.
  await notice.hover()
  await undoOf(page, 'Dos').press('Enter')
  await expect(
    snackbar(page, 'success-snackbar', fill(binTexts.restored, { name: 'Dos' })),
  ).toBeVisible()
  expect(await notice.count()).toBe(0)

  await removeEntry(page, 'Dos')
  await notice.hover()
  await page.getByRole('link', { name: texts.about }).first().press('Enter')
  await expect(page).toHaveURL('/about')
  await notice.getByRole('button', { name: binTexts.undo, exact: true }).click()
  await expect.poll(() => storedNames(site)).toEqual(['Uno', 'Dos'])
})

test('what stands for an entry that was deleted fits in its place in every kind of list', async ({
  device,
  site,
}) => {
  const kinds = [project, experience, skill] as const
  for (const section of kinds) await createEntry(site, section, formValues(section, 'Primera'))
  const page = await ownerTab(device, { site })
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const section of kinds) {
      await visit(page, section.path)
      await removeEntry(page, 'Primera', section)
      const row = goneFrom(page)
      const undo = row.getByRole('button')
      await expect(undo).toBeVisible()
      const [place, words, button] = await row.evaluate((item) =>
        [item, ...item.querySelectorAll('p, button')].map((part) => part.getBoundingClientRect()),
      )
      if (!place || !words || !button) throw new Error('the row has no words or no button')
      const where = `${section.path} at ${width}`
      expect(button.top, where).toBeGreaterThanOrEqual(words.bottom)
      expect(button.height, where).toBeLessThan(48)
      expect(button.left, where).toBeGreaterThanOrEqual(place.left)
      expect(button.right, where).toBeLessThanOrEqual(place.right)
      expect(words.height, where).toBeLessThan(section === skill ? 100 : 60)
      await undo.click()
      await expect(itemOf(page, 'Primera')).toBeVisible()
      await expect(row).toHaveCount(0)
    }
  }
})

test('what is back before its removal was answered is not said to be deleted, and has the focus', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const said = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  const { promise, resolve } = Promise.withResolvers<void>()
  line.decide(() => ({ is: 'held', until: promise }))
  await removeEntry(page, 'Dos')
  await undoOf(page, 'Dos').press('Enter')
  await expect(itemOf(page, 'Dos')).toBeVisible()
  resolve()
  await isDrained(page)
  await expect(pencilOf(page, project, 'Dos')).toBeFocused()
  expect(await storedNames(site)).toEqual(['Uno', 'Dos'])
  await expect.poll(() => said).toContain(fill(binTexts.restored, { name: 'Dos' }))
  expect(said).not.toContain(noticesOf(project).deleted)
})

test('undoing offline brings back what waited for the server, with its picture', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await renameEntry(page, { from: 'Uno', to: 'Uno nuevo' })
  await addEntry(page, { name: 'Tres', picture: await colourSquare('#a07') })
  await removeEntry(page, 'Tres')
  await removeEntry(page, 'Uno nuevo')
  expect(await shownNames(page)).toEqual(['Dos'])
  await expect(goneFrom(page).first()).toContainText(fill(binTexts.taken, { name: 'Tres' }))
  await expect(goneFrom(page).last()).toContainText(fill(binTexts.inBin, { name: 'Uno nuevo' }))
  await undoOf(page, 'Uno nuevo').click()
  await expect(
    snackbar(page, 'success-snackbar', fill(binTexts.restored, { name: 'Uno nuevo' })),
  ).toBeVisible()
  await undoOf(page, 'Tres').click()
  await expect(goneFrom(page)).toHaveCount(0)
  await page.reload()
  await expect(itemOf(page, 'Tres')).toBeVisible()
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno nuevo'])
  await expect(itemOf(page, 'Tres').locator('img')).toHaveAttribute('src', /^blob:/)
  expect((await queued(page)).map(({ verb }) => verb).toSorted()).toEqual(['create', 'update'])
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Uno nuevo', 'Dos', 'Tres'])
  expect((await storedRows(site)).at(-1)?.['image']).toMatch(/^\/media\/.+\.webp$/)
  expect(line.writes.filter(({ method }) => method === 'DELETE')).toEqual([])
})

test('from the bin an entry comes back offline, is seen at once in its place and arrives once @main', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Uno', 'Dos', 'Tres')
  const page = await ownerTab(device, { site })
  await removeEntry(page, 'Dos')
  await expect.poll(() => storedNames(site)).toEqual(['Uno', 'Tres'])
  await visit(page, '/settings')
  await page.getByRole('link', { name: binTexts.open }).click()
  await expect(page.getByRole('heading', { name: binTexts.title, level: 1 })).toBeVisible()
  const deleted = page.locator('.bin-list li', { hasText: 'Dos' })
  await expect(deleted).toContainText(binTexts.today)
  await expect(deleted).toContainText(binTexts.daysLeft.replace('{n}', '30'))
  expect(await faultsInEveryLook(page)).toEqual([])
  await device.context.setOffline(true)
  await restoreOf(page, 'Dos').click()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await expect(deleted).toHaveCount(0)
  await page.goto(project.path)
  await expect(itemOf(page, 'Dos')).toHaveClass(/is-pending/)
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno'])
  const before = line.writes.length
  await sendQueue(device, page)
  await expect(page.locator('main .is-pending')).toHaveCount(0)
  expect(await shownNames(page)).toEqual(['Tres', 'Dos', 'Uno'])
  expect(await storedNames(site)).toEqual(['Uno', 'Dos', 'Tres'])
  expect(keysOf(line.writes.slice(before)).size).toBe(1)
})

test('two presses on one way back from the bin bring the entry back once, and say so once', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const said = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  await removeEntry(page, 'Dos')
  await expect.poll(() => storedNames(site)).toEqual(['Uno'])
  await visit(page, binPath)
  const before = line.writes.length
  await restoreOf(page, 'Dos').dblclick()
  await isDrained(page)
  const restored = fill(binTexts.restored, { name: 'Dos' })
  await expect(snackbar(page, 'success-snackbar', restored)).toBeVisible()
  // Whatever the second press asked for was asked before this answer.
  await visit(page, project.path)
  await expect(itemOf(page, 'Dos')).toBeVisible()
  expect(said.filter((text) => text === restored)).toHaveLength(1)
  expect(line.writes.slice(before)).toHaveLength(1)
})

test('what another device changed before holds, and what it changes meanwhile is not lost', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await ownerTab(device, { site })
  const [{ id = '' } = {}] = await storedRows(site)
  await device.context.setOffline(true)
  await renameEntry(page, { from: 'Uno', to: 'Uno aquí' })
  // Another device deletes it and thinks better of it.
  await site.call('DELETE', `${project.key}/delete/${id}`)
  await site.call('PUT', `${project.key}/restore/${id}`)
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Uno aquí', 'Dos'])
  await visit(page, project.path)
  await device.context.setOffline(true)
  await removeEntry(page, 'Uno aquí')
  await undoOf(page, 'Uno aquí').click()
  await changeElsewhere(site, id, { name: 'Uno allí' })
  await device.context.setOffline(false)
  await visit(page, project.path)
  await expect(itemOf(page, 'Uno allí')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Uno allí', 'Dos'])
})

test('a removal that still waits is in the bin too, and what is erased is gone', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await removeEntry(page, 'Dos')
  await page.goto(binPath)
  await expect(page.getByText(binTexts.pending)).toBeVisible()
  await expect(page.getByText(binTexts.unread)).toBeVisible()
  // As tall as any small button, however many lines the words beside it take.
  await page.setViewportSize({ width: 390, height: 844 })
  const retry = await page.getByRole('alert').getByRole('button').boundingBox()
  expect(retry?.height).toBeLessThanOrEqual(44)
  expect(await faultsOnPlainGround(page)).toEqual([])
  await restoreOf(page, 'Dos').click()
  await expect(restoreOf(page, 'Dos')).toHaveCount(0)
  await expect.poll(() => queued(page)).toEqual([])
  await device.context.setOffline(false)
  await visit(page, project.path)
  await removeEntry(page, 'Dos')
  await visit(page, binPath)
  await page.getByRole('button', { name: fill(binTexts.eraseName, { name: 'Dos' }) }).click()
  const question = page.getByRole('dialog', { name: fill(binTexts.confirmErase, { name: 'Dos' }) })
  await expect(question).toBeVisible()
  expect(await faultsOnPlainGround(page)).toEqual([])
  await question.getByRole('button', { name: binTexts.erase }).click()
  await expect(snackbar(page, 'success-snackbar', binTexts.erased)).toBeVisible()
  await expect(page.locator('.bin-list li', { hasText: 'Dos' })).toHaveCount(0)
  expect(JSON.stringify((await site.call('GET', 'bin')).json)).not.toContain('Dos')
  expect(await storedNames(site)).toEqual(['Uno'])
})

test('the second press on one trash changes nothing, and a refused removal leaves no way back', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno')
  const page = await ownerTab(device, { site })
  const [{ id = '' } = {}] = await storedRows(site)
  await changeElsewhere(site, id, { name: 'Uno allí' })
  await binOf(page, project, 'Uno').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar', exact: true }).click()
  await expect(goneFrom(page)).toHaveCount(0)
  expect(await storedNames(site)).toEqual(['Uno allí'])
})

const eraseOf = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: fill(binTexts.eraseName, { name }) })

test('what leaves the bin gives the focus on, at last to the title', async ({ device, site }) => {
  await seedProjects(site, 'Uno', 'Dos', 'Tres')
  const page = await ownerTab(device, { site })
  for (const name of ['Uno', 'Dos', 'Tres']) await removeEntry(page, name)
  await isDrained(page)
  await visit(page, binPath)
  const title = page.getByRole('heading', { name: binTexts.title, level: 1 })
  const answer = page.getByRole('dialog').getByRole('button', { name: binTexts.erase })
  const names = page.locator('.bin-list b')
  // Read once, so not before they are drawn.
  await expect(names).toHaveCount(3)
  const [first = '', second = '', third = ''] = await names.allTextContents()
  await eraseOf(page, first).press('Enter')
  await answer.press('Enter')
  await expect(eraseOf(page, first)).toHaveCount(0)
  await expect(restoreOf(page, second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(eraseOf(page, second)).toHaveCount(0)
  await expect(restoreOf(page, third)).toBeFocused()
  await eraseOf(page, third).press('Enter')
  await answer.press('Enter')
  await expect(page.getByText(binTexts.empty)).toBeVisible()
  await expect(title).toBeFocused()
})

for (const width of [390, 1440]) {
  test(`the way into the bin and out of it takes the focus along, ${width} wide`, async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site, path: '/settings#datos' })
    await page.setViewportSize({ width, height: 844 })
    await page.getByRole('link', { name: binTexts.open }).press('Enter')
    await expect(page.getByRole('heading', { name: binTexts.title, level: 1 })).toBeFocused()
    await page.getByRole('main').getByRole('link', { name: copiesTexts.title }).press('Enter')
    await expect(page.locator('#datos-title')).toBeFocused()
  })
}

test('emptying the bin says what waits and what was refused, and reads it anew', async ({
  device,
  site,
}) => {
  await seedProjects(site, 'Uno', 'Dos')
  const said = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  for (const name of ['Uno', 'Dos']) await removeEntry(page, name)
  await isDrained(page)
  await visit(page, binPath)
  const codes = ['version-cambiada', 'mantenimiento'] as const
  let erased = 0
  await page.route('**/api/bin/**', async (route) => {
    await refuse(route, codes[erased++] ?? 'mantenimiento')
  })
  await expect(page.locator('.bin-list li')).toHaveCount(2)
  const read = page.waitForRequest((request) => request.url().endsWith('/api/bin'))
  await page.getByRole('button', { name: binTexts.emptyBin }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: binTexts.emptyBin }).press('Enter')
  await expect.poll(() => said).toContain(binTexts.eraseFailed)
  await expect.poll(() => said).toContain(queueTexts.keptClosed)
  await read
  await expect(page.locator('.bin-list li')).toHaveCount(1)
})
