import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page, Response } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { calls } from '#contract/api.ts'
import { problems, type ProblemCode } from '#contract/problem.ts'
import { project } from '#contract/sections/project.ts'
import { noticesOf } from '#contract/sections/notices.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { fill } from '#contract/text.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { problemBody } from '#tests/support/answers.ts'
import { expect, throughReload } from '#tests/support/browser.ts'
import { keysOf, test, type Fate, type Line } from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import { binOf, itemOf, pencilOf, seedProjects, snackbar } from '#tests/support/entries.ts'
import {
  addEntry,
  changeElsewhere,
  emptySections,
  isDrained,
  openQueueSheet,
  ownerTab,
  queued,
  renameEntry,
  retryAllOf,
  sendQueue,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { owner as credentials, type Site } from '#tests/support/site.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const { createFailed, created } = noticesOf(project)

/** Gives these fates to the next writes, one each, then lets everything through. */
function inTurn(...fates: readonly Fate[]): () => Fate | undefined {
  const left = [...fates]
  return () => left.shift()
}

/** Holds the next write back and lets all others through; what it returns lets that one go too. */
function holdNext(line: Line): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  line.decide(inTurn({ is: 'held', until: promise }))
  return resolve
}

/** What the sweep does with pictures that nothing has shown for thirty days. */
function forgetPictures({ dataDir }: Site): void {
  const db = new DatabaseSync(join(dataDir, 'tintero.sqlite'))
  db.exec('delete from image')
  db.close()
  rmSync(join(dataDir, 'media'), { recursive: true })
}

const refused = (code: ProblemCode): Fate => {
  const json = problemBody(code)
  return { is: 'answered', status: json.status, json }
}
const trouble = refused('no-disponible')

test('a page loaded anew while a change is on its way sends it again with the same key', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  const letGo = holdNext(line)
  await addEntry(page, { name: 'En camino' })
  await expect.poll(() => line.writes.length).toBe(1)
  await page.reload()
  await expect(itemOf(page, 'En camino')).toBeVisible()
  await expect.poll(() => line.writes.length).toBe(2)
  letGo()
  await isDrained(page)
  expect(keysOf(line.writes).size).toBe(1)
  expect(await storedNames(site)).toEqual(['En camino'])
})

for (const [how, fate] of [
  ['lost', { is: 'answer lost' }],
  ['cut in the middle', { is: 'answer cut' }],
] as const) {
  test(`when the answer is ${how} after the server did it, the change is sent again and done once`, async ({
    device,
    site,
    line,
  }) => {
    const page = await ownerTab(device, { site })
    line.decide(inTurn(fate))
    await addEntry(page, { name: 'Una sola vez' })
    await expect(snackbar(page, 'success-snackbar', created)).toBeVisible()
    await isDrained(page)
    expect(line.writes).toHaveLength(2)
    expect(keysOf(line.writes).size).toBe(1)
    expect(await storedNames(site)).toEqual(['Una sola vez'])
  })
}

test('a picture that the server has lost since it was uploaded goes up again with its entry', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(({ path }) => (path.startsWith(project.key) ? { is: 'lost' } : undefined))
  await addEntry(page, { name: 'Con foto', picture: await colourSquare('#2266aa') })
  const address = async () => (await queued(page))[0]?.image?.address
  await expect.poll(address).toMatch(/^\/media\//)
  const url = site.url + (await address())
  expect((await fetchInTime(url)).status).toBe(200)
  forgetPictures(site)
  line.decide(() => undefined)
  await visit(page, project.path)
  await isDrained(page)
  const [{ name, image } = {}] = await storedRows(site)
  expect(name).toBe('Con foto')
  expect((await fetchInTime(site.url + image)).status).toBe(200)
  expect(line.writes.filter(({ path }) => path.startsWith(ownerCalls.image))).toHaveLength(2)
})

test('with the server down changes are kept and go when it is back', async ({ device, site }) => {
  const page = await ownerTab(device, { site })
  await site.stop('SIGKILL')
  await addEntry(page, { name: 'Primera' })
  await expect(snackbar(page, 'info-snackbar', queueTexts.keptSilent)).toBeVisible()
  await addEntry(page, { name: 'Segunda' })
  await renameEntry(page, { from: 'Segunda', to: 'Tercera' })
  const sheet = await openQueueSheet(page)
  await expect(sheet).toContainText(queueTexts.retriesOnline)
  await expect(sheet).not.toContainText(queueTexts.retries)
  await site.start()
  await retryAllOf(sheet).click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Primera', 'Tercera'])
})

test('a page closed before it hears of its entry offers no draft of it, and the next entry is another', async ({
  device,
  site,
  line,
}) => {
  await emptySections(site)
  const page = await ownerTab(device, { site })
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  line.decide(() => ({ is: 'held', until: closed }))
  await addEntry(page, { name: 'Primera' })
  // Nothing of the page runs any more.
  const crashed = page.waitForEvent('crash')
  page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const next = await ownerTab(device, { site })
  await addEntry(next, { name: 'Segunda' })
  line.decide(() => undefined)
  close()
  await isDrained(next)
  expect(await storedNames(site)).toEqual(['Primera', 'Segunda'])
  await expect.poll(() => shownNames(next)).toEqual(['Segunda', 'Primera'])
})

test('without a session everything waits, and goes after the login over the page', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  const before = await storedNames(site)
  await page.evaluate(() => sessionStorage.setItem('authToken', 'a-token-of-yesterday'))
  await visit(page, project.path)
  await addEntry(page, { name: 'Con sesión' })
  const dialog = page
    .getByRole('dialog')
    .filter({ has: page.getByLabel(loginFields.userName.label) })
  await expect(dialog).toBeVisible()
  expect(await queued(page)).toHaveLength(1)
  expect(await storedNames(site)).toEqual(before)
  await dialog.getByLabel(loginFields.userName.label).fill(credentials.userName)
  await dialog.getByLabel(loginFields.password.label, { exact: true }).fill(credentials.password)
  await dialog.getByRole('button', { name: loginTexts.submit }).click()
  await expect(snackbar(page, 'success-snackbar', created)).toBeVisible()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Con sesión'])
  const sent = line.writes.filter(({ path }) => path.startsWith(project.key))
  expect(keysOf(sent).size).toBe(1)
})

test('a refused change holds what depends on it, lets the rest go, and is sent again or forgotten by word @main', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(({ body }) => (body.includes('Mala') ? refused('datos-no-validos') : undefined))
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Mala uno' })
  await addEntry(page, { name: 'Mala dos' })
  await addEntry(page, { name: 'Buena' })
  await device.context.setOffline(false)
  await expect.poll(() => storedNames(site)).toEqual(['Buena'])
  const sheet = await openQueueSheet(page)
  const [, , reason] = problems['datos-no-validos']
  const told = queueTexts.refused.replace('{reason}', reason.replace(/^R/, 'r'))
  await expect(sheet.getByText(told)).toHaveCount(2)
  // Nothing of the two goes by itself, and nothing says so.
  await expect(sheet.getByText(fill(queueTexts.manyWaitForYou, { n: 2 }))).toBeVisible()
  await expect(sheet.getByText(queueTexts.refusedWaits)).toBeVisible()
  await expect(sheet.getByText(new RegExp(`^${queueTexts.retriesOnline}`))).toHaveCount(0)
  await expect(retryAllOf(sheet)).toBeVisible()
  await expect(page.locator('main .item')).toHaveCount(3)
  line.decide(() => undefined)
  const lineOf = (name: string) => sheet.getByRole('listitem').filter({ hasText: name })
  await lineOf('Mala uno').getByRole('button', { name: texts.retry }).click()
  await expect.poll(() => storedNames(site)).toEqual(['Buena', 'Mala uno'])
  await lineOf('Mala dos').getByRole('button', { name: queueTexts.discard }).click()
  await lineOf('Mala dos')
    .getByRole('group')
    .getByRole('button', { name: queueTexts.discard })
    .click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Buena', 'Mala uno'])
  await sheet.getByRole('button', { name: texts.close, exact: true }).first().click()
  await expect.poll(() => shownNames(page)).toEqual(['Mala uno', 'Buena'])
})

test('a server in trouble twice is asked a third time, and the entry is there once', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(inTurn(trouble, trouble))
  await addEntry(page, { name: 'Con paciencia' })
  await expect(snackbar(page, 'success-snackbar', created)).toBeVisible()
  await isDrained(page)
  expect(line.writes).toHaveLength(3)
  expect(keysOf(line.writes).size).toBe(1)
  expect(await storedNames(site)).toEqual(['Con paciencia'])
})

test('a server in trouble three times is told, and the change stays queued', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  line.decide(() => trouble)
  await addEntry(page, { name: 'Todavía no' })
  const notice = snackbar(page, 'error-snackbar', createFailed)
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: offlineTexts.seeChanges }).click()
  const sheet = page.getByRole('dialog', { name: queueTexts.title })
  await expect(sheet.getByText(queueTexts.waitingAnswer)).toBeVisible()
  line.decide(() => undefined)
  await retryAllOf(sheet).click()
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Todavía no'])
})

test('when the tab that is sending is closed another one takes over', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  const other = await ownerTab(device, { site })
  holdNext(line)
  await addEntry(page, { name: 'Heredada' })
  await expect.poll(() => line.writes.length).toBe(1)
  await expect(itemOf(other, 'Heredada')).toBeVisible()
  await page.close()
  await isDrained(other)
  expect(await storedNames(site)).toEqual(['Heredada'])
  expect(keysOf(line.writes).size).toBe(1)
  expect(line.writes).toHaveLength(2)
})

test('an edit is on every page at once and never gives way to the old text @main', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Antes')
  const page = await ownerTab(device, { site })
  const other = await ownerTab(device, { site })
  await Promise.all([watchNames(page), watchNames(other)])
  const letGo = holdNext(line)
  await pencilOf(page, project, 'Antes').click()
  const name = page.getByRole('textbox', { name: project.fields['name']?.label ?? '' })
  await name.fill('Después')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(itemOf(other, 'Después')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Antes'])
  letGo()
  await isDrained(other)
  await expect(itemOf(page, 'Después')).toBeVisible()
  expect(await storedNames(site)).toEqual(['Después'])
  await readsAgain(other)
  expect(await watchedNames(other)).toEqual(['Antes', 'Después'])
  expect(await watchedNames(page)).toEqual(['Antes', '', 'Después'])
})

/** Notes every different state of the list's names, from now on. */
function watchNames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const note = () => {
      const titles = [...document.querySelectorAll('main .item :is(h2, h3)')]
      const now = titles.map(({ textContent }) => textContent).join(',')
      const before = document.body.dataset['names']?.split('|') ?? []
      if (before.at(-1) !== now) document.body.dataset['names'] = [...before, now].join('|')
    }
    note()
    const what = { childList: true, subtree: true, characterData: true }
    new MutationObserver(note).observe(document.body, what)
  })
}

async function watchedNames(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(() => document.body.dataset['names'] ?? '')).split('|')
}

/** Comes back to the tab, so that it asks the server for news; resolves when it has them. */
async function readsAgain(page: Page): Promise<void> {
  const isList = (response: Response) => response.url().endsWith(`/api/${project.key}`)
  const comeBack = async () => {
    // While an earlier question is still being answered the page asks no other.
    const answer = page.waitForResponse(isList, { timeout: 2_000 }).catch(() => undefined)
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    )
    return (await answer)?.finished()
  }
  await expect.poll(comeBack).toBe(null)
}

test('a form opened while its entry was still queued meets no conflict with itself', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Recién' })
  await pencilOf(page, project, 'Recién').click()
  const name = page.getByRole('textbox', { name: project.fields['name']?.label ?? '' })
  await name.fill('Recién corregida')
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Recién'])
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'success-snackbar', noticesOf(project).updated)).toBeVisible()
  expect(await storedNames(site)).toEqual(['Recién corregida'])
})

for (const [choice, names] of [
  [ownerTexts.keepMine, ['Mía']],
  [ownerTexts.takeTheirs, ['Suya']],
] as const) {
  test(`«${choice}» answers an edit queued over a row that changed elsewhere`, async ({
    device,
    site,
  }) => {
    await seedProjects(site, 'Nuestra')
    const page = await ownerTab(device, { site })
    await device.context.setOffline(true)
    await renameEntry(page, { from: 'Nuestra', to: 'Mía' })
    const [row] = await storedRows(site)
    await changeElsewhere(site, row?.['id'] ?? '', { name: 'Suya', duration: 'Mayo 2026' })
    await device.context.setOffline(false)
    const sheet = await openQueueSheet(page)
    await expect(sheet.getByText(queueTexts.conflict)).toBeVisible()
    await expect(sheet.getByText('Suya')).toBeVisible()
    // When each was made, and on which device the other one.
    const moments = /^Tu cambio: hoy, \d\d?:\d\d · El otro: hoy, \d\d?:\d\d, en «.+»$/
    await expect(sheet.getByText(moments)).toBeVisible()
    // Nothing is tried by itself: what to do is said, and who has to.
    await expect(sheet.getByText(queueTexts.oneWaitsForYou)).toBeVisible()
    await expect(sheet.getByText(queueTexts.othersPublished)).toBeVisible()
    await expect(retryAllOf(sheet)).toHaveCount(0)
    const ways = sheet.locator('.actions button')
    await expect(ways).toHaveText([queueTexts.combine, ownerTexts.keepMine, ownerTexts.takeTheirs])
    await sheet.getByRole('button', { name: choice }).click()
    await isDrained(page)
    expect(await storedNames(site)).toEqual(names)
    expect((await storedRows(site))[0]?.['duration']).toBe('Mayo 2026')
    await sheet.getByRole('button', { name: texts.close, exact: true }).first().click()
    await expect.poll(() => shownNames(page)).toEqual(names)
  })
}

test('what two versions are being combined to is there again after the list was closed', async ({
  device,
  site,
}) => {
  await site.call('PUT', calls.config, { body: { reload_seconds: '1' } })
  await seedProjects(site, 'Nuestra')
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await renameEntry(page, { from: 'Nuestra', to: 'Mía' })
  const [row] = await storedRows(site)
  await changeElsewhere(site, row?.['id'] ?? '', { name: 'Suya' })
  await device.context.setOffline(false)
  const sheet = await openQueueSheet(page)
  await sheet.getByRole('button', { name: queueTexts.combine }).click()
  const name = sheet.getByRole('textbox')
  await name.fill('Mía y suya')
  await name.press('Escape')
  await expect(sheet).toHaveCount(0)
  // The page is loaded anew after that, but not over what it alone has.
  await addEntry(page, { name: 'Otra' })
  await expect(snackbar(page, 'success-snackbar', created)).toBeVisible()
  await expect(snackbar(page, 'success-snackbar', created)).toBeHidden()
  await openQueueSheet(page)
  await expect(name).toHaveValue('Mía y suya')
  await throughReload(page, () =>
    sheet.getByRole('button', { name: queueTexts.sendCombined }).click(),
  )
  await isDrained(page)
  expect(await storedNames(site)).toEqual(['Mía y suya', 'Otra'])
})

test('a removal refused while its page waits brings the entry back', async ({
  device,
  site,
  line,
}) => {
  await seedProjects(site, 'Firme')
  const page = await ownerTab(device, { site })
  line.decide(() => refused('prohibido'))
  await binOf(page, project, 'Firme').click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: ownerTexts.remove, exact: true }).click()
  await expect(snackbar(page, 'error-snackbar', ownerTexts.removalFailed)).toBeVisible()
  await expect(itemOf(page, 'Firme')).toBeVisible()
  expect(await queued(page)).toEqual([])
})
