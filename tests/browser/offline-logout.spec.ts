import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { personFields } from '#contract/person/person.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { calls } from '#contract/api.ts'
import { problemBody } from '#tests/support/answers.ts'
import {
  expect,
  logOut,
  logOutButton,
  openTab,
  signIn,
  throughReload,
} from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { visit, type Device } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { owner, personPath, type Site } from '#tests/support/site.ts'

test.use({ writes: true })

const changed = 'Otra'
const question = (page: Page) => page.getByRole('dialog', { name: 'sin publicar' })
const answer = (page: Page, name: string) =>
  question(page).getByRole('button', { name, exact: true }).click()
const storedName = async (site: Site) =>
  (await site.call('GET', personPath(calls.personDetail))).json['name']

/** The owner's page on which the first change is to be made. */
async function openEdit(device: Device, site: Site): Promise<Page> {
  const page = await device.tab()
  await visit(page, '/')
  await signIn(page, site)
  await visit(page, '/editProf/1')
  return page
}

/** From now on the device refuses whatever the page has for it. */
async function fillDisk(page: Page): Promise<void> {
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
}

/** Makes the change on a page without a network. */
async function change(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.getByLabel(personFields.name.label).fill(changed)
  await page.getByRole('button', { name: ownerTexts.update }).click()
}

/** The owner's page with one change that could not be sent, and the question what is to become of it. */
async function askedToLeave(device: Device, site: Site): Promise<Page> {
  const page = await openEdit(device, site)
  await change(page)
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(changed)
  await logOutButton(page).click()
  await expect(question(page)).toBeVisible()
  return page
}

test('publishing sends what waits and then signs the owner out', async ({ device, site, line }) => {
  const page = await askedToLeave(device, site)
  line.decide(() => ({ is: 'lost' }))
  await device.context.setOffline(false)
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublished)
  line.decide(() => undefined)
  await throughReload(page, () => answer(page, ownerTexts.publish))
  await expect(logOutButton(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(changed)
  expect(await storedName(site)).toBe(changed)
})

test('publishing without a network stays, says why, and keeps everything @main', async ({
  device,
  site,
}) => {
  const page = await askedToLeave(device, site)
  await expect(question(page).getByRole('button', { name: ownerTexts.stay })).toBeFocused()
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublishedOffline)
  await answer(page, ownerTexts.stay)
  await expect(question(page)).toHaveCount(0)
  await expect(logOutButton(page)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(changed)
  await device.context.setOffline(false)
  await expect.poll(() => storedName(site)).toBe(changed)
})

test('what the server refuses keeps the owner here, with the way to the list of changes', async ({
  device,
  site,
  line,
}) => {
  const page = await askedToLeave(device, site)
  const json = problemBody('datos-no-validos', { mensaje: 'Nombre vacío.' })
  line.decide(() => ({ is: 'answered', status: 422, json }))
  await device.context.setOffline(false)
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublishedRefused)
  await answer(page, offlineTexts.seeChanges)
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toContainText('nombre vacío.')
})

test('leaving all the same keeps the change on the device, unseen until the owner is back @main', async ({
  device,
  site,
}) => {
  const page = await askedToLeave(device, site)
  const before = await storedName(site)
  await throughReload(page, () => answer(page, ownerTexts.logoutHint))
  await expect(logOutButton(page)).toHaveCount(0)
  await device.context.setOffline(false)
  for (const path of ['/', '/about', '/contact']) {
    await visit(page, path)
    await expect(page.locator('#app')).not.toContainText(changed)
  }
  expect(await storedName(site)).toBe(before)
  await signIn(page, site)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(changed)
  await expect.poll(() => storedName(site)).toBe(changed)
})

test('where the device keeps nothing the question says that leaving loses the change', async ({
  device,
  site,
  line,
}) => {
  const page = await openEdit(device, site)
  await fillDisk(page)
  await change(page)
  await expect(snackbar(page, 'error-snackbar', queueTexts.unkept)).toBeVisible()
  await logOutButton(page).click()
  await expect(question(page)).toContainText(ownerTexts.changesLost)
  await expect(question(page)).not.toContainText(ownerTexts.changesStay)
  await expect(question(page).getByRole('button', { name: ownerTexts.stay })).toBeFocused()
  const leave = question(page).getByRole('button', { name: ownerTexts.logoutHint, exact: true })
  await expect(leave).toHaveClass(/danger/)
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublishedOffline)
  line.decide(() => ({ is: 'lost' }))
  await device.context.setOffline(false)
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublished)
  line.decide(() => undefined)
  await throughReload(page, () => answer(page, ownerTexts.publish))
  expect(await storedName(site)).toBe(changed)
})

test('where the device has a part of what waits the question says so', async ({ device, site }) => {
  const page = await askedToLeave(device, site)
  await fillDisk(page)
  await answer(page, ownerTexts.publish)
  await expect(question(page).getByRole('alert')).toHaveText(ownerTexts.notPublishedOffline)
  await expect(question(page)).toContainText(ownerTexts.changesStay)
  await answer(page, ownerTexts.stay)
  await page.getByRole('link', { name: ownerTexts.editHeader }).click()
  await page.getByLabel(personFields.lastname.label).fill('Más')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(page, 'error-snackbar', queueTexts.unkept)).toBeVisible()
  await logOutButton(page).click()
  await expect(question(page)).toContainText(ownerTexts.someChangesLost)
  const leave = question(page).getByRole('button', { name: ownerTexts.logoutHint, exact: true })
  await expect(leave).toHaveClass(/danger/)
  await throughReload(page, () => leave.click())
  await device.context.setOffline(false)
  await signIn(page, site)
  await page.goto('/')
  await expect.poll(() => storedName(site)).toBe(changed)
})

test('a tab that alone has a change stays after LogOut in another one, and sends it once she is back', async ({
  device,
  site,
}) => {
  const page = await openEdit(device, site)
  const other = await openTab(page, '/')
  await expect(logOutButton(other)).toBeVisible()
  await fillDisk(page)
  await change(page)
  await expect(snackbar(page, 'error-snackbar', queueTexts.unkept)).toBeVisible()
  await logOut(other)
  const again = page.getByRole('dialog', { name: loginTexts.expired })
  await expect(again).toBeVisible()
  await device.context.setOffline(false)
  await again.getByLabel(loginFields.userName.label).fill(owner.userName)
  await again.getByLabel(loginFields.password.label, { exact: true }).fill(owner.password)
  await again.getByRole('button', { name: loginTexts.submit }).click()
  await expect.poll(() => storedName(site)).toBe(changed)
})
