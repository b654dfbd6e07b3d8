import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { loginFields, loginTexts } from '#contract/login.ts'
import { oldCacheName } from '#contract/offline.ts'
import { expect, logOut, logOutButton } from '#tests/support/browser.ts'
import { test, visit, type Device } from '#tests/support/device.ts'
import { everythingReadable, searchProfile, type Found } from '#tests/support/profile-search.ts'
import { owner as credentials, type Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

// The whole browser, as on a person's device: its shell keeps less.
test.use({ writes: true, deviceExtras: { isWhole: true } })

const message = 'Quisiera encargarte un faro de papel'

/** Signs in by the form and looks at everything an owner looks at; resolves to what must not stay. */
async function workAsOwner(page: Page): Promise<Readonly<Record<string, string>>> {
  await visit(page, '/login')
  await page.getByLabel(loginFields.userName.label).fill(credentials.userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(credentials.password)
  await page.getByRole('button', { name: loginTexts.submit }).click()
  await expect(logOutButton(page)).toBeVisible()
  await visit(page, '/inbox')
  await page.getByText(message.slice(0, 12)).first().click()
  await expect(page.getByText(message).first()).toBeVisible()
  for (const path of ['/settings', '/projects', '/editProf/1', '/']) await visit(page, path)
  return { token: await tokenOf(page), password: credentials.password, message }
}

const tokenOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('authToken') ?? '')

/**
 * Chromium itself keeps session storage in a file while a tab lives, and leaves in it what was written before; there the
 * token, and nothing else, may be found.
 */
const isSessionStorage = ({ what, file }: Found) =>
  what === 'token' && file.startsWith('Default/Session Storage/')

async function nothingStays(device: Device, secrets: Readonly<Record<string, string>>) {
  const found = await searchProfile(device.folder, secrets)
  expect(found.filter((place) => !isSessionStorage(place))).toEqual([])
}

async function nothingIsReadable(page: Page, secrets: Readonly<Record<string, string>>) {
  const readable = await everythingReadable(page)
  const found = Object.keys(secrets).filter((what) => readable.includes(secrets[what] ?? ''))
  expect(found).toEqual([])
}

/** Whether the server still takes the token. */
const isTaken = async (site: Site, token: string) =>
  (await site.call('GET', calls.messages, { token })).status !== 401

test('while she works and after the browser is closed, no file but the tab’s own holds token, password or message', async ({
  device,
  site,
}) => {
  await sendMessage(site, { message })
  const page = await device.tab()
  const secrets = await workAsOwner(page)
  expect(secrets['token']).toMatch(/^.{43}$/)
  await nothingIsReadable(page, secrets)
  await nothingStays(device, secrets)
  await device.restart(() => nothingStays(device, secrets))
  const next = await device.tab()
  await visit(next, '/')
  expect(await tokenOf(next)).toBe('')
  await nothingIsReadable(next, secrets)
  await device.restart(() => nothingStays(device, secrets))
})

test('after LogOut neither the page nor any file holds them, and a token left by the browser opens nothing', async ({
  device,
  site,
}) => {
  await sendMessage(site, { message })
  const page = await device.tab()
  const secrets = await workAsOwner(page)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(true)
  await logOut(page)
  expect(await tokenOf(page)).toBe('')
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  await nothingIsReadable(page, secrets)
  await nothingStays(device, secrets)
  await device.restart(() => nothingStays(device, secrets))
})

test('what an earlier version kept together with the token goes when this one takes over', async ({
  device,
}) => {
  const page = await device.tab()
  await page.goto('/api/health')
  await page.evaluate(async (name) => {
    const cache = await caches.open(name)
    const request = new Request('/api/proyect', { headers: { Authorization: 'Bearerabc' } })
    await cache.put(request, new Response('[]'))
  }, oldCacheName)
  await visit(page, '/')
  await expect.poll(() => page.evaluate((name) => caches.has(name), oldCacheName)).toBe(false)
})
