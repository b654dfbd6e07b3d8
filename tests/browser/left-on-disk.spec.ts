import type { Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { hiddenPlace, oldCacheName } from '#contract/offline/offline.ts'
import { certificate } from '#contract/sections/certificate.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import {
  expect,
  logOut,
  logOutButton,
  openTab,
  throughReload,
  tokenOf,
} from '#tests/support/browser.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { keptPaths, test, visit, type Device } from '#tests/support/device.ts'
import { createEntry, formValues } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { everythingReadable, searchProfile, type Found } from '#tests/support/profile-search.ts'
import { owner as credentials, type Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

// The whole browser, as on a person's device: its shell keeps less.
test.use({ writes: true, deviceExtras: { isWhole: true } })

const message = 'Quisiera encargarte un faro de papel'

type Secrets = Readonly<Record<string, string>>

/** Signs in by the form, where the session is kept or not, and reads a message; resolves to what must not stay. */
async function readAsOwner(page: Page, isKept = false): Promise<Secrets> {
  await visit(page, '/login')
  if (isKept) await page.getByRole('checkbox', { name: loginTexts.keep }).check()
  await logInByForm(page)
  await expect(logOutButton(page)).toBeVisible()
  await visit(page, '/inbox')
  await page.getByText(message.slice(0, 12)).first().click()
  await expect(page.getByText(message).first()).toBeVisible()
  const token = await tokenOf(page)
  expect(token).toMatch(/^.{43}$/)
  return { token, password: credentials.password, message }
}

/** Has a message sent and her read it on the device's first tab, or do there what is given. */
async function begin(
  { device, site }: { readonly device: Device; readonly site: Site },
  work: (page: Page) => Promise<Secrets> = readAsOwner,
) {
  await sendMessage(site, { message })
  const page = await device.tab()
  return { page, secrets: await work(page) }
}

/** As `readAsOwner`, and looks at everything else an owner looks at. */
async function workAsOwner(page: Page): Promise<Secrets> {
  const secrets = await readAsOwner(page)
  for (const path of ['/settings', '/projects', '/editProf/1', '/']) await visit(page, path)
  return secrets
}

/**
 * Chromium itself keeps session storage in a file while a tab lives, and leaves in it what was written before; there a
 * token, and nothing else, may be found.
 */
const isSessionStorage = ({ what, file }: Found) =>
  /^token\b/.test(what) && file.startsWith('Default/Session Storage/')

async function nothingStays(device: Device, secrets: Secrets) {
  const found = await searchProfile(device.folder, secrets)
  expect(found.filter((place) => !isSessionStorage(place))).toEqual([])
}

async function nothingIsReadable(page: Page, secrets: Secrets) {
  const readable = await everythingReadable(page)
  const found = Object.keys(secrets).filter((what) => readable.includes(secrets[what] ?? ''))
  expect(found).toEqual([])
}

const isReadable = async (page: Page, text: string) =>
  (await everythingReadable(page)).includes(text)

/** How many copies of what she hides are kept: counted, since what a page has read as a file may outlive its row. */
const countHidden = (page: Page) =>
  page.evaluate(async ({ database, store }) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const opening = indexedDB.open(database)
    opening.addEventListener('error', () => reject(opening.error ?? new Error('closed')))
    opening.addEventListener('success', () => {
      const counting = opening.result.transaction(store).objectStore(store).count()
      counting.addEventListener('success', () => {
        opening.result.close()
        resolve(counting.result)
      })
    })
    return promise
  }, hiddenPlace)

/** Whether the server still takes the token. */
const isTaken = async (site: Site, token: string) =>
  (await site.call('GET', ownerCalls.messages, { token })).status !== 401

test('while she works and after the browser is closed, no file but the tab’s own holds token, password or message', async ({
  device,
  site,
}) => {
  const { page, secrets } = await begin({ device, site }, workAsOwner)
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
  const { page, secrets } = await begin({ device, site }, workAsOwner)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(true)
  await logOut(page)
  expect(await tokenOf(page)).toBe('')
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  await nothingIsReadable(page, secrets)
  await nothingStays(device, secrets)
  await device.restart(() => nothingStays(device, secrets))
})

/** From a start on that follows, the browser has written its own file anew: then no file at all holds any of it. */
async function goneAfterStart(device: Device, secrets: Secrets): Promise<void> {
  await device.restart(() => nothingStays(device, secrets))
  const next = await device.tab()
  await visit(next, '/')
  expect(await tokenOf(next)).toBe('')
  await expect(logOutButton(next)).toHaveCount(0)
  await nothingIsReadable(next, secrets)
  await device.restart(async () => expect(await searchProfile(device.folder, secrets)).toEqual([]))
}

test('after LogOut without a connection nothing of them is left, and the next start ends the session', async ({
  device,
  site,
}) => {
  const { page, secrets } = await begin({ device, site })
  await visit(page, '/')
  await device.context.setOffline(true)
  await logOut(page)
  expect(await tokenOf(page)).toBe('')
  await nothingIsReadable(page, secrets)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(true)
  await goneAfterStart(device, secrets)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
})

test('a session that another device ended leaves nothing but the tab’s own, which opens nothing', async ({
  device,
  site,
}) => {
  const { page, secrets } = await begin({ device, site })
  await site.call('POST', ownerCalls.logoutOthers)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  await visit(page, '/inbox')
  await expect(page.getByLabel(loginFields.userName.label)).toBeVisible()
  await nothingIsReadable(page, secrets)
  await goneAfterStart(device, secrets)
})

test('a session that was ended in another tab leaves nothing in either', async ({
  device,
  site,
}) => {
  const { page, secrets } = await begin({ device, site })
  await visit(page, '/')
  const copy = await openTab(page, '/about')
  await isHydrated(copy)
  expect(await tokenOf(copy)).toBe(secrets['token'])
  await throughReload(copy, () => logOut(page))
  expect([await tokenOf(page), await tokenOf(copy)]).toEqual(['', ''])
  await nothingIsReadable(copy, secrets)
  await goneAfterStart(device, secrets)
})

test('of a browser that was killed with her signed in, the tab’s own file alone is left', async ({
  device,
  site,
}) => {
  const { secrets } = await begin({ device, site })
  // Chromium writes it some seconds later: killed before that, it would leave nothing at all.
  const found = () => searchProfile(device.folder, secrets)
  await expect.poll(async () => (await found()).filter(isSessionStorage)).not.toEqual([])
  await device.kill(() => nothingStays(device, secrets))
  const next = await device.tab()
  await visit(next, '/')
  expect(await tokenOf(next)).toBe('')
  await expect(logOutButton(next)).toHaveCount(0)
  await nothingIsReadable(next, secrets)
  // Of a tab that did not end by itself Chromium never tidies its file up.
  await device.restart(() => nothingStays(device, secrets))
  // Nobody told the server: what no tab holds any more ends by itself after a week without use.
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(true)
})

test('a kept session has its cookie on the disk while it is kept, which only the browser reads, and nothing after', async ({
  device,
  site,
}) => {
  const { page, secrets: worked } = await begin({ device, site }, (tab) => readAsOwner(tab, true))
  const cookie = (await device.context.cookies())[0]?.value ?? ''
  const [, secret = ''] = cookie.split('.')
  expect(secret).toMatch(/^.{43}$/)
  const secrets = { ...worked, cookie: secret }
  await nothingIsReadable(page, secrets)
  await device.restart(async () => {
    await nothingStays(device, worked)
    // Chromium writes cookies into a database of its own, in a code where the system offers it a key.
    const found = await searchProfile(device.folder, { cookie: secret })
    expect(found.filter(({ file }) => !/^Default\/(?:Network\/)?Cookies/.test(file))).toEqual([])
  })
  const next = await device.tab()
  await visit(next, '/')
  await expect.poll(() => tokenOf(next)).toMatch(/^.{43}$/)
  const again = (await device.context.cookies())[0]?.value.split('.')[1] ?? ''
  expect(again).not.toBe(secret)
  const all = { ...secrets, 'token of the next start': await tokenOf(next), again }
  await logOut(next)
  expect(await device.context.cookies()).toEqual([])
  await nothingIsReadable(next, all)
  await goneAfterStart(device, all)
  expect(await isTaken(site, all['token of the next start'])).toBe(false)
})

const draft = 'Tragaluz de hojalata'

/** A picture that only the hidden entry shows; resolves to its address. */
async function storedPicture(site: Site): Promise<string> {
  const { token } = await site.signIn()
  const path = `/api/${ownerCalls.image}/${project.images.type}?name=New/project_9`
  const answer = await fetchInTime(site.url + path, {
    method: 'PUT',
    headers: { authorization: `Bearer${String(token)}`, 'content-type': 'image/png' },
    body: (await colourSquare('#2a7')).buffer as BodyInit,
  })
  const { url } = (await answer.json()) as { readonly url: string }
  return url
}

/** The pictures that the worker keeps of what she has stored. */
const keptPictures = async (page: Page) =>
  (await keptPaths(page, 'images')).filter((path) => path.startsWith('/media/'))

/** A device that keeps what she hides, and her session only where that is said; resolves to all that must not stay there. */
async function beginHiding(
  { device, site }: { readonly device: Device; readonly site: Site },
  isKept = false,
) {
  const image = await storedPicture(site)
  await createEntry(site, project, { ...formValues(project, draft), image, hidden: 'true' })
  const { page, secrets } = await begin({ device, site }, (tab) => readAsOwner(tab, isKept))
  await visit(page, project.path)
  await expect.poll(() => isReadable(page, draft)).toBe(true)
  await expect.poll(() => keptPictures(page)).not.toEqual([])
  return { page, secrets: { ...secrets, draft } as Secrets }
}

/** A device that keeps its session and what she hides; resolves to all that must not stay there. */
async function beginKept({ device, site }: { readonly device: Device; readonly site: Site }) {
  const { page, secrets: worked } = await beginHiding({ device, site }, true)
  const { draft: _, ...secrets } = worked
  const cookie = (await device.context.cookies())[0]?.value.split('.')[1] ?? ''
  expect(cookie).toMatch(/^.{43}$/)
  return { page, secrets: { ...secrets, cookie } as Secrets }
}

/** Ends the device's session from the list of them on another one, where she is signed in. */
async function closeFromAfar(elsewhere: Page): Promise<void> {
  await elsewhere.goto('/settings#acceso')
  const close = fill(accessTexts.closeOf, { name: 'Chrome en Linux' })
  await elsewhere.getByRole('button', { name: close }).click()
  const closed = fill(accessTexts.closed, { name: 'Chrome en Linux' })
  await expect(elsewhere.getByText(closed)).toBeVisible()
}

test('a kept session that is closed from the list of another device leaves nothing at the next start of this one', async ({
  device,
  site,
  owner: elsewhere,
}) => {
  const { secrets } = await beginKept({ device, site })
  await device.restart(() => closeFromAfar(elsewhere))
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  const next = await device.tab()
  // Not where her hidden entries are shown, which would ask for them.
  await visit(next, '/contact')
  await expect(logOutButton(next)).toHaveCount(0)
  await expect.poll(() => device.context.cookies()).toEqual([])
  await expect.poll(() => isReadable(next, draft)).toBe(false)
  await nothingIsReadable(next, secrets)
  await goneAfterStart(device, secrets)
})

test('one that is closed while this device has no connection leaves nothing once it is back', async ({
  device,
  site,
  owner: elsewhere,
}) => {
  const { page, secrets } = await beginKept({ device, site })
  await device.context.setOffline(true)
  await closeFromAfar(elsewhere)
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  await device.context.setOffline(false)
  // Nothing interrupts what she may be writing; what the device has learned by itself is enough.
  await expect.poll(() => device.context.cookies()).toEqual([])
  await expect.poll(() => isReadable(page, draft)).toBe(false)
  await nothingIsReadable(page, secrets)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await goneAfterStart(device, secrets)
  // What a page has read as a file the browser lets go with that page, or at its next start.
  expect(await searchProfile(device.folder, { draft })).toEqual([])
})

test('what she hides can be read by nobody after LogOut, and has left the disk after the next start', async ({
  device,
  site,
}) => {
  const { page } = await beginHiding({ device, site })
  await logOut(page)
  expect(await isReadable(page, draft)).toBe(false)
  expect(await keptPictures(page)).toEqual([])
  await device.restart()
  await visit(await device.tab(), '/contact')
  await device.restart(() => nothingStays(device, { draft }))
})

test('a section that visitors have not can be read by nobody after LogOut, nor where her session ended elsewhere @main', async ({
  device,
  site,
  owner: elsewhere,
}) => {
  await createEntry(site, certificate, formValues(certificate, draft))
  const page = await device.tab()
  const readSection = async () => {
    await readAsOwner(page)
    await visit(page, certificate.path)
    await expect.poll(() => isReadable(page, draft)).toBe(true)
  }
  await sendMessage(site, { message })
  await readSection()
  await logOut(page)
  await expect.poll(() => isReadable(page, draft)).toBe(false)
  await readSection()
  await device.restart(() => closeFromAfar(elsewhere))
  const next = await device.tab()
  await visit(next, '/contact')
  await expect.poll(() => isReadable(next, draft)).toBe(false)
})

test('the pictures of a section that visitors have not go with LogOut, and where her session ended elsewhere; others stay', async ({
  device,
  site,
  owner: elsewhere,
}) => {
  const image = await storedPicture(site)
  await createEntry(site, project, { ...formValues(project, draft), image })
  await site.call('PUT', calls.config, { body: { sections_hidden: project.key } })
  await sendMessage(site, { message })
  const page = await device.tab()
  const readSection = async () => {
    await readAsOwner(page)
    await visit(page, project.path)
    await expect.poll(() => keptPictures(page)).not.toEqual([])
  }
  await readSection()
  const logos = (await keptPaths(page, 'images')).filter((path) => path.includes('logo'))
  expect(logos).not.toEqual([])
  await logOut(page)
  expect(await keptPictures(page)).toEqual([])
  expect(await keptPaths(page, 'images')).toEqual(expect.arrayContaining(logos))
  await readSection()
  await device.restart(() => closeFromAfar(elsewhere))
  const next = await device.tab()
  await visit(next, '/contact')
  await expect.poll(() => keptPictures(next)).toEqual([])
})

test('what she hides leaves the disk at the next start, where a session that nobody kept was closed meanwhile', async ({
  device,
  site,
  owner: elsewhere,
}) => {
  const { secrets } = await beginHiding({ device, site })
  await device.restart(() => closeFromAfar(elsewhere))
  expect(await isTaken(site, secrets['token'] ?? '')).toBe(false)
  const next = await device.tab()
  await visit(next, '/contact')
  await expect.poll(() => countHidden(next)).toBe(0)
  expect(await isReadable(next, draft)).toBe(false)
  expect(await keptPictures(next)).toEqual([])
  await goneAfterStart(device, secrets)
})

test('what she hides leaves the disk at the next start of a browser that was killed', async ({
  device,
  site,
}) => {
  await beginHiding({ device, site })
  await device.kill()
  const next = await device.tab()
  await visit(next, '/contact')
  await expect.poll(() => countHidden(next)).toBe(0)
  expect(await isReadable(next, draft)).toBe(false)
  expect(await keptPictures(next)).toEqual([])
  await device.restart(() => nothingStays(device, { draft }))
})

test('what she hides stays for a tab in which she is signed in while others open without her, and goes after it', async ({
  device,
  site,
}) => {
  const { page } = await beginHiding({ device, site })
  const other = await device.context.newPage()
  for (const path of ['/contact', '/about', '/']) {
    await visit(other, path)
    expect(await tokenOf(other)).toBe('')
    expect(await isReadable(other, draft)).toBe(true)
  }
  await device.context.setOffline(true)
  await page.reload()
  await expect(page.getByText(draft)).toBeVisible()
  await device.context.setOffline(false)
  await page.close()
  await visit(other, '/contact')
  await expect.poll(() => isReadable(other, draft)).toBe(false)
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
