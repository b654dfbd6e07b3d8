import type { Page } from 'playwright/test'
import { contactNotices } from '#contract/messages/contact.ts'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { expect, logOutButton } from '#tests/support/browser.ts'
import {
  keysOf,
  strangersAnswers,
  test,
  type Fate,
  type Line,
} from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import { itemOf, snackbar } from '#tests/support/entries.ts'
import { sendLetter, letter, storedMessages, typeLetter } from '#tests/support/messages.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { recordNotices } from '#tests/support/notices.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  queued,
  removeEntry,
  renameEntry,
  retryAllOf,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import { owner as credentials } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const forbidden: Fate = { is: 'stranger', status: 403 }

/** Has every write meet this answer from now on; resolves once what is done has sent one. */
async function meeting(line: Line, answer: Fate, done: () => Promise<void>): Promise<void> {
  const count = line.writes.length
  line.decide(() => answer)
  await done()
  await expect.poll(() => line.writes.length).toBeGreaterThan(count)
}

test('whatever answers in place of the site, a message is kept and arrives once @main', async ({
  device,
  site,
  line,
}) => {
  const notices = await recordNotices(device.context)
  const page = await device.tab()
  await visit(page, '/contact')
  for (const [index, answer] of strangersAnswers.entries()) {
    await meeting(line, answer, async () => {
      if (index > 0) return visit(page, '/contact')
      await typeLetter(page)
      await sendLetter(page)
      await expect(snackbar(page, 'info-snackbar', messageTexts.kept)).toBeVisible()
    })
    const pending = page.getByRole('article', { name: messageTexts.pending })
    await expect(pending).toContainText(letter.message)
  }
  expect(storedMessages(site)).toEqual([])
  expect(notices).toEqual([messageTexts.kept])
  line.decide(() => undefined)
  await visit(page, '/contact')
  await expect.poll(() => notices).toEqual([messageTexts.kept, contactNotices.sent])
  expect(storedMessages(site)).toEqual([letter.message])
})

test('whatever answers in place of the site, a change waits, nobody is asked to sign in, and it arrives once @main', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(() => strangersAnswers[0])
  await addEntry(page, { name: 'Con filtro' })
  await expect(snackbar(page, 'info-snackbar', queueTexts.keptSilent)).toBeVisible()
  const sheet = await openQueueSheet(page)
  for (const answer of strangersAnswers) {
    await meeting(line, answer, () => retryAllOf(sheet).click())
    await expect(sheet.getByText(queueTexts.waitingAnswer)).toBeVisible()
    expect(await queued(page)).toHaveLength(1)
  }
  await expect(page.getByText(loginTexts.expired)).toHaveCount(0)
  expect(await storedNames(site)).toEqual([])
  line.decide(() => undefined)
  await retryAllOf(sheet).click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Con filtro'])
  expect(keysOf(line.writes).size).toBe(1)
})

test('what stands in place of the answer to a picture is no address of it @main', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(() => ({ is: 'stranger', status: 200, instead: 'answer' }))
  await addEntry(page, { name: 'Con imagen', picture: await colourSquare('#4488cc') })
  await expect(snackbar(page, 'info-snackbar', queueTexts.keptSilent)).toBeVisible()
  // However often it was tried meanwhile, nothing but the picture has left.
  expect(new Set(line.writes.map(({ path }) => path.replace(/\/.*/, '')))).toEqual(
    new Set(['image']),
  )
  const sheet = await openQueueSheet(page)
  for (const status of [204, 302, 401, 403] as const) {
    const answer: Fate = { is: 'stranger', status, instead: 'answer' }
    await meeting(line, answer, () => retryAllOf(sheet).click())
    await expect(sheet.getByText(queueTexts.waitingAnswer)).toBeVisible()
  }
  line.decide(() => undefined)
  await retryAllOf(sheet).click()
  await isDrained(page)
  const [row] = await storedRows(site)
  expect(row?.['image']).toMatch(/^\/media\//)
})

/** Adds an entry whose answer gets lost, and then meets a filter that forbids everything. */
async function addBehindFilter(
  page: Page,
  { line, name }: { readonly line: Line; readonly name: string },
): Promise<void> {
  let isDone = false
  line.decide(() => {
    if (isDone) return forbidden
    isDone = true
    return { is: 'stranger', status: 502, instead: 'answer' }
  })
  await addEntry(page, { name })
  await expect.poll(() => line.writes.length).toBeGreaterThan(1)
}

test('an entry that arrived although nobody heard of it is gone when its removal is announced', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  await addBehindFilter(page, { line, name: 'Sin noticia' })
  expect(await storedNames(site)).toEqual(['Sin noticia'])
  await removeEntry(page, 'Sin noticia')
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).deleted)).toHaveCount(0)
  expect(await queued(page)).not.toEqual([])
  line.decide(() => undefined)
  await visit(page, project.path)
  await isDrained(page)
  expect(await storedNames(site)).toEqual([])
  await expect.poll(() => shownNames(page)).toEqual([])
})

test('an entry that arrived although nobody heard of it takes every later edit', async ({
  device,
  site,
  line,
}) => {
  const notices = await recordNotices(device.context)
  const page = await ownerTab(device, { site })
  await addBehindFilter(page, { line, name: 'Primer nombre' })
  await renameEntry(page, { from: 'Primer nombre', to: 'Segundo nombre' })
  line.decide(() => undefined)
  await visit(page, project.path)
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Segundo nombre'])
  await visit(page, project.path)
  await renameEntry(page, { from: 'Segundo nombre', to: 'Tercer nombre' })
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Tercer nombre'])
  expect(notices).not.toContain(noticesOf(project).createFailed)
})

test('a page keeps what it shows whatever answers its reads in place of the site', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  await addEntry(page, { name: 'A la vista' })
  await isDrained(page)
  await visit(page, project.path)
  for (const answer of strangersAnswers) {
    line.decideReads(() => answer)
    await visit(page, project.path)
    await expect(itemOf(page, 'A la vista')).toBeVisible()
    await expect(page.getByText(offlineTexts.savedCopy)).toBeVisible()
  }
  await expect(page.getByText(loginTexts.expired)).toHaveCount(0)
  await expect(logOutButton(page)).toBeVisible()
  line.decideReads(() => undefined)
  await visit(page, project.path)
  await expect(page.getByText(offlineTexts.savedCopy)).toHaveCount(0)
})

test('nothing that answers in place of the site signs anybody in or blames a password @main', async ({
  device,
  line,
}) => {
  const notices = await recordNotices(device.context)
  const page = await device.tab()
  await visit(page, '/login')
  await page.getByLabel(loginFields.userName.label).fill(credentials.userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(credentials.password)
  for (const answer of strangersAnswers) {
    await meeting(line, answer, () => page.getByRole('button', { name: loginTexts.submit }).click())
    await expect(page.getByRole('alert').getByText(loginTexts.silent)).toBeVisible()
  }
  expect(notices).toEqual([])
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('a version for whose files a portal answered is not let in, and once it is gone the site is kept', async ({
  device,
  line,
}) => {
  let answered = 0
  line.decideFiles(({ path, isFetched }) => {
    if (!isFetched || !path.startsWith('/assets/')) return undefined
    answered++
    return { is: 'stranger', status: 200 }
  })
  const page = await device.tab()
  await page.goto('/about')
  await page.mouse.move(200, 200)
  await expect.poll(() => answered).toBeGreaterThan(0)
  const isRegistered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
  await expect.poll(isRegistered).toBe(false)
  line.decideFiles(() => undefined)
  await visit(page, '/about')
  await device.context.setOffline(true)
  await visit(page, '/projects')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
