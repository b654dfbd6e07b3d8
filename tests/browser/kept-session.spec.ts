import type { Page } from 'playwright/test'
import { accessCalls } from '#contract/access/access.ts'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { personFields } from '#contract/person/person.ts'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { problemBody } from '#tests/support/answers.ts'
import { expect, logOut, logOutButton, throughReload, tokenOf } from '#tests/support/browser.ts'
import { test, type Line } from '#tests/support/cutting-proxy.ts'
import { databaseText, visit, type Device } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { everythingReadable, searchProfile } from '#tests/support/profile-search.ts'
import { owner as credentials, personPath, type Site } from '#tests/support/site.ts'

test.use({ writes: true })

const isAboutKeeping = new Set<string>([accessCalls.keep, accessCalls.keepNoLonger])
const isTaken = async (site: Site, token: string) =>
  (await site.call('GET', ownerCalls.messages, { token })).status === 200
const storedName = async (site: Site) =>
  (await site.call('GET', personPath(calls.personDetail))).json['name']

async function signIn(page: Page, isKept: boolean): Promise<void> {
  await visit(page, '/login')
  await page.getByLabel(loginFields.userName.label).fill(credentials.userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(credentials.password)
  const box = page.getByRole('checkbox', { name: loginTexts.keep })
  await expect(box).not.toBeChecked()
  if (isKept) await box.check()
  await page.getByRole('button', { name: loginTexts.submit }).click()
  await expect(logOutButton(page)).toBeVisible()
}

interface LateEnd {
  readonly site: Site
  readonly line: Line
  readonly path: string
}

/** Opens one more tab of hers, whose session was ended elsewhere; until `tell` the server says nothing of it. */
async function openBeforeTold(device: Device, { site, line, path }: LateEnd) {
  await site.call('POST', ownerCalls.logoutOthers)
  const { promise: until, resolve: tell } = Promise.withResolvers<void>()
  line.decide((write) => (write.path === accessCalls.kept ? { is: 'held', until } : undefined))
  // However busy the machine is, the call is not given up before.
  await device.context.addInitScript(() => {
    const within = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => within(ms === 10_000 ? 100_000 : ms)
  })
  const next = await device.context.newPage()
  await next.goto(path)
  return { next, tell }
}

async function isAskedToSignIn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: loginTexts.title })).toBeVisible()
  await expect(page.getByText(loginTexts.continue)).toBeVisible()
}

/** The value of the one cookie, which only the browser itself shows. */
async function keptCookie({ context }: Device) {
  return (await context.cookies()).find(({ name }) => name === '__Secure-tintero')
}

test('without her word no cookie is set, and the next tab is a visitor’s', async ({ device }) => {
  const page = await device.tab()
  await signIn(page, false)
  expect(await device.context.cookies()).toEqual([])
  const next = await device.context.newPage()
  await visit(next, '/')
  await expect(logOutButton(next)).toHaveCount(0)
})

test('kept, every new tab, start of the browser and pencil of hers opens with her tools @main', async ({
  lasting: device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  const cookie = await keptCookie(device)
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' })
  expect(cookie?.path).toBe(`/api/${accessCalls.kept}`)
  const [pencil] = await Promise.all([
    device.context.waitForEvent('page'),
    page.getByRole('link', { name: ownerTexts.editHeader }).click({ button: 'middle' }),
  ])
  await expect(pencil.getByLabel(personFields.name.label)).toBeVisible()
  await device.restart()
  const next = await device.tab()
  await visit(next, '/inbox')
  await expect(logOutButton(next)).toBeVisible()
  await expect.poll(() => tokenOf(next)).toMatch(/^.{43}$/)
  expect(await isTaken(site, await tokenOf(next))).toBe(true)
  expect((await keptCookie(device))?.value).not.toBe(cookie?.value)
})

test('tabs that open at once each get a session, and the device stays hers', async ({
  lasting: device,
  line,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  const tabs = await Promise.all(Array.from({ length: 5 }, () => device.context.newPage()))
  await Promise.all(tabs.map((tab) => tab.goto('/')))
  for (const tab of tabs) await expect.poll(() => tokenOf(tab)).toMatch(/^.{43}$/)
  const tokens = await Promise.all(tabs.map(tokenOf))
  expect(new Set(tokens).size).toBe(tabs.length)
  expect(line.writes.filter(({ path }) => path === accessCalls.kept)).toHaveLength(tabs.length)
  await device.restart()
  const next = await device.tab()
  await visit(next, '/')
  await expect.poll(() => tokenOf(next)).toMatch(/^.{43}$/)
})

for (const is of ['answer cut', 'answer lost'] as const) {
  test(`after an ${is} on the way the next start renews`, async ({ device, line }) => {
    const page = await device.tab()
    await signIn(page, true)
    line.decide(({ path }) => (path === accessCalls.kept ? { is } : undefined))
    const cut = await device.context.newPage()
    await visit(cut, '/')
    await expect.poll(() => line.writes.some(({ path }) => path === accessCalls.kept)).toBe(true)
    // Hers all the same: the mark says so.
    await expect(logOutButton(cut)).toBeVisible()
    line.decide(() => undefined)
    const next = await device.context.newPage()
    await visit(next, '/')
    await expect.poll(() => tokenOf(next)).toMatch(/^.{43}$/)
  })
}

test('without a connection her tools are there and what she changes waits; it goes after the renewal', async ({
  lasting: device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/')
  await device.restart()
  await device.context.setOffline(true)
  const next = await device.tab()
  await visit(next, '/editProf/1')
  expect(await tokenOf(next)).toBe('')
  await next.getByLabel(personFields.name.label).fill('Otra')
  await next.getByRole('button', { name: ownerTexts.update }).click()
  await expect(snackbar(next, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await expect(next.getByRole('heading', { level: 1 })).toContainText('Otra')
  await expect(logOutButton(next)).toBeVisible()
  await device.context.setOffline(false)
  await expect.poll(() => storedName(site)).toBe('Otra')
  expect(await isTaken(site, await tokenOf(next))).toBe(true)
})

test('a session that ends in the middle is renewed without a word', async ({ device, site }) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/editProf/1')
  await page.getByLabel(personFields.name.label).fill('Otra')
  // Her token alone is over, as it is after a week without use.
  await page.evaluate(() => sessionStorage.setItem('authToken', 'A'.repeat(43)))
  await visit(page, '/editProf/1')
  await page.getByLabel(personFields.name.label).fill('Otra')
  await page.getByRole('button', { name: ownerTexts.update }).click()
  await expect.poll(() => storedName(site)).toBe('Otra')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what is kept is said in every tab that is open', async ({ device }) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/settings#acceso')
  const other = await device.context.newPage()
  await visit(other, '/settings#acceso')
  const kept = (tab: Page) => tab.getByRole('switch', { name: loginTexts.keep })
  for (const tab of [page, other]) await expect(kept(tab)).toBeChecked()
  await kept(page).click()
  await expect.poll(() => device.context.cookies()).toEqual([])
  await expect(kept(other)).not.toBeChecked()
})

test('switched on and off at once, what is shown is what is so', async ({ device, line }) => {
  const page = await device.tab()
  await signIn(page, false)
  await visit(page, '/settings#acceso')
  const kept = page.getByRole('switch', { name: loginTexts.keep })
  await expect(kept).not.toBeChecked()
  const { promise: until, resolve: goOn } = Promise.withResolvers<void>()
  line.decide(({ path }) => (path === accessCalls.keep ? { is: 'held', until } : undefined))
  const told = () => line.writes.map(({ path }) => path).filter((path) => isAboutKeeping.has(path))
  await kept.click()
  await expect.poll(told).toEqual([accessCalls.keep])
  await kept.click()
  await expect(kept).not.toBeChecked()
  // As long as a second word that did not wait for the first would take.
  await page.waitForTimeout(500)
  const answered = page.waitForResponse((answer) => answer.url().endsWith(`/${accessCalls.keep}`))
  goOn()
  await answered
  await expect.poll(told).toEqual([accessCalls.keep, accessCalls.keepNoLonger])
  await expect.poll(() => device.context.cookies()).toEqual([])
  await expect(kept).not.toBeChecked()
})

test('what is no longer kept is said where she signed in again without it', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/settings#acceso')
  const kept = page.getByRole('switch', { name: loginTexts.keep })
  await expect(kept).toBeChecked()
  await site.call('POST', ownerCalls.logoutOthers)
  // Whatever the page still reads by itself may have put the question over the button already.
  await page.getByRole('button', { name: ownerTexts.signOutAll }).dispatchEvent('click')
  const question = page.getByRole('dialog', { name: loginTexts.expired })
  const password = question.getByLabel(loginFields.password.label, { exact: true })
  await password.fill(credentials.password)
  await password.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(kept).not.toBeChecked()
})

test('LogOut ends it in every tab and on the server, and nothing of it is left @main', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  const other = await device.context.newPage()
  await visit(other, '/')
  await expect.poll(() => tokenOf(other)).not.toBe('')
  const tokens = [await tokenOf(page), await tokenOf(other)]
  await page.bringToFront()
  await throughReload(other, () => logOut(page))
  await expect(logOutButton(other)).toHaveCount(0)
  for (const token of tokens) expect(await isTaken(site, token)).toBe(false)
  expect(await device.context.cookies()).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('tintero-kept'))).toBeNull()
  await expect.poll(() => databaseText(page, 'tintero-left')).toBe('[]')
})

test('LogOut in a tab that is not kept ends what the device keeps by another', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, false)
  const other = await device.context.newPage()
  await signIn(other, true)
  await expect.poll(() => keptCookie(device)).toBeDefined()
  const tokens = [await tokenOf(page), await tokenOf(other)]
  await other.close()
  await logOut(page)
  await expect.poll(() => device.context.cookies()).toEqual([])
  for (const token of tokens) await expect.poll(() => isTaken(site, token)).toBe(false)
  await expect.poll(() => databaseText(page, 'tintero-left')).toBe('[]')
})

test('LogOut is heard in every tab that no channel reaches', async ({ device }) => {
  await device.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'))
  const page = await device.tab()
  await signIn(page, true)
  const other = await device.context.newPage()
  await visit(other, '/')
  await expect.poll(() => tokenOf(other)).not.toBe('')
  await page.bringToFront()
  await throughReload(other, () => logOut(page))
  await expect(logOutButton(other)).toHaveCount(0)
  expect(await other.evaluate(() => localStorage.getItem('tintero-session'))).toBeNull()
})

test('LogOut without a connection ends it at the next one, with what is kept in other tabs', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/')
  const token = await tokenOf(page)
  await device.context.setOffline(true)
  await logOut(page)
  expect(await tokenOf(page)).toBe('')
  expect(await everythingReadable(page)).not.toContain(token)
  const still = await device.context.newPage()
  await visit(still, '/')
  await expect(logOutButton(still)).toHaveCount(0)
  expect(await isTaken(site, token)).toBe(true)
  await device.context.setOffline(false)
  await expect.poll(() => isTaken(site, token)).toBe(false)
  await expect.poll(() => device.context.cookies()).toEqual([])
  const list = (await site.call('GET', accessCalls.sessions)).json as unknown as unknown[]
  expect(list).toHaveLength(1)
})

test('LogOut without a connection and without a token yet ends what the device kept', async ({
  lasting: device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  const token = await tokenOf(page)
  await visit(page, '/')
  await device.restart()
  await device.context.setOffline(true)
  const next = await device.tab()
  await visit(next, '/')
  await logOut(next)
  await device.context.setOffline(false)
  await expect.poll(() => isTaken(site, token)).toBe(false)
  await visit(next, '/')
  await expect(logOutButton(next)).toHaveCount(0)
})

test('LogOut without a connection is told after a restart too, of a session that was not kept', async ({
  lasting: device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, false)
  await visit(page, '/')
  const token = await tokenOf(page)
  await device.context.setOffline(true)
  await logOut(page)
  // From the restart on there is a connection, so that it may be told at any moment.
  expect(await isTaken(site, token)).toBe(true)
  await device.restart(async () => {
    const found = await searchProfile(device.folder, { token })
    expect(found.filter(({ file }) => !file.startsWith('Default/Session Storage/'))).toEqual([])
  })
  const next = await device.tab()
  await visit(next, '/')
  await expect.poll(() => isTaken(site, token)).toBe(false)
  await expect.poll(() => everythingReadable(next)).not.toContain('tintero-left":"1')
})

test('LogOut ends the session although its page is closed in the middle of it', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/')
  const token = await tokenOf(page)
  const next = await device.context.newPage()
  const ring = () =>
    page.evaluate(() => localStorage.setItem('tintero-push-device', crypto.randomUUID()))
  const silenced = () => line.writes.filter(({ method }) => method === 'DELETE').length
  // This browser denies notifications: a page that starts takes its device off the list by itself, once. One that is on its
  // way out as it does so would tell nobody, so nothing of the application runs while the device is put on it.
  await page.goto('/api/health')
  await ring()
  await visit(page, '/')
  await expect.poll(silenced).toBe(1)
  // LogOut does so too, before it tells the server, and that may take as long as the line likes.
  await ring()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  line.decide(({ method }) => (method === 'DELETE' ? { is: 'held', until: closed } : undefined))
  await logOutButton(page).click()
  await expect.poll(silenced).toBe(2)
  await page.close()
  close()
  await visit(next, '/')
  await expect.poll(() => isTaken(site, token)).toBe(false)
  await expect.poll(() => device.context.cookies()).toEqual([])
  await expect(logOutButton(next)).toHaveCount(0)
})

test('an end that the server hears of late takes nothing from what was kept since', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/')
  const token = await tokenOf(page)
  await device.context.setOffline(true)
  await logOut(page)
  const isEnd = ({ path }: { readonly path: string }) => path === accessCalls.endLeft
  const json = problemBody('no-disponible')
  line.decide((write) => (isEnd(write) ? { is: 'answered', status: 503, json } : undefined))
  await device.context.setOffline(false)
  await expect.poll(() => line.writes.some(isEnd)).toBe(true)
  await signIn(page, true)
  await expect.poll(() => keptCookie(device)).toBeDefined()
  line.decide(() => undefined)
  const next = await device.context.newPage()
  await visit(next, '/')
  await expect.poll(() => isTaken(site, token)).toBe(false)
  await expect.poll(() => tokenOf(next)).not.toBe('')
  await expect(logOutButton(next)).toBeVisible()
})

test('what was ended elsewhere shows at the next start, which is a visitor’s', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await site.call('POST', ownerCalls.logoutOthers)
  const next = await device.context.newPage()
  await visit(next, '/inbox')
  await expect(next.getByRole('heading', { name: loginTexts.title })).toBeVisible()
  expect(await device.context.cookies()).toEqual([])
})

for (const path of ['/settings', '/inbox', '/traer', project.addPath]) {
  test(`of an end that the server tells late ${path} leads to the sign-in`, async ({
    device,
    site,
    line,
  }) => {
    const page = await device.tab()
    await signIn(page, true)
    await visit(page, path)
    const { next, tell } = await openBeforeTold(device, { site, line, path })
    await expect(next.getByRole('heading', { level: 1 })).toBeVisible()
    tell()
    await isAskedToSignIn(next)
  })
}

test('what is typed before the server tells of the end is there after signing in again', async ({
  device,
  site,
  line,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/editProf/1')
  // Of two tabs one would have the draft, and the other's turn to ask the server.
  await page.close()
  const { next, tell } = await openBeforeTold(device, { site, line, path: '/editProf/1' })
  const name = next.getByLabel(personFields.name.label)
  await name.fill('Otra')
  await expect(next.getByText(ownerTexts.draftKept)).toBeVisible()
  tell()
  await isAskedToSignIn(next)
  await signIn(next, false)
  await visit(next, '/editProf/1')
  await expect(name).toHaveValue('Otra')
})

test('no script, cache or storage ever holds the cookie, and of the files only the browser’s own', async ({
  lasting: device,
}) => {
  const page = await device.tab()
  await signIn(page, true)
  await visit(page, '/')
  const { value = '' } = (await keptCookie(device)) ?? {}
  expect(value).toMatch(/^.{80}$/)
  const secret = value.split('.')[1] ?? ''
  expect(await everythingReadable(page)).not.toContain(secret)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const found = await searchProfile(device.folder, { secret })
  expect(found.filter(({ file }) => !/^Default\/(?:Network\/)?Cookies/.test(file))).toEqual([])
})
