import type { Page } from 'playwright/test'
import { firebaseTexts } from '#contract/texts/firebase.ts'
import { inboxTexts, noticeTexts } from '#contract/texts/inbox.ts'
import { pushTexts } from '#contract/texts/push.ts'
import { project } from '#contract/sections/project.ts'
import { originWords, settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { visit } from '#tests/support/device.ts'
import { formValues, fillForm, itemOf, openPanel } from '#tests/support/entries.ts'
import { expect, test } from '#tests/doubles/google/firebase-device.ts'
import type { GoogleHosts } from '#tests/doubles/google/google-hosts.ts'
import { googleError } from '#tests/doubles/google/state.ts'
import { colourSquare, photograph } from '#tests/support/pictures.ts'
import { pushDevices, subscribedTab, pushSwitch } from '#tests/doubles/push/push-device.ts'
import { expectShown } from '#tests/doubles/push/shown-notifications.ts'
import { addEntry, isDrained, ownerTab, sendQueue } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { sendMessage } from '#tests/support/visitor-message.ts'

/** The hosts that pages of the site called, without their common end; the browser's own errands are not theirs. */
const hostsCalled = ({ state }: GoogleHosts, site: Site) => {
  const calls = state.calls.filter(({ headers }) => headers.get('origin') === site.url)
  return [...new Set(calls.map(({ host }) => host.replace('.googleapis.com', '')))].toSorted()
}

/** Gathers what the page's policy stopped. */
async function watchPolicy(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const stopped: string[] = []
    Object.assign(globalThis, { stopped })
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      stopped.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  return () => page.evaluate(() => Reflect.get(globalThis, 'stopped') as string[])
}

test('a message rings the device through Firebase, until it is told to be quiet', async ({
  device,
  site,
  google,
  pushService,
}) => {
  const page = await device.tab()
  const stopped = await watchPolicy(page)
  await subscribedTab(page, site)
  expect((await pushDevices(site)).map(({ kind }) => kind)).toEqual(['fcm'])
  await sendMessage(site, { name: 'Ana Paz', message: '¿Hablamos\nmañana?' })
  await expectShown(page).toEqual([{ title: 'Mensaje de Ana Paz', body: '¿Hablamos mañana?' }])
  // The page in sight hears of it too.
  await expect(page.getByRole('link', { name: inboxTexts.linkUnreadOne })).toBeVisible()
  expect(google.state.sent).toHaveLength(1)
  expect(pushService.tries.map(({ status }) => status)).toEqual([201])

  await pushSwitch(page).click()
  await expect(pushSwitch(page)).not.toBeChecked()
  await expect.poll(() => pushDevices(site)).toEqual([])
  await expect.poll(() => google.state.registrations.size).toBe(0)
  // The browser keeps one of its own.
  const reachable = () =>
    [...pushService.subscriptions.values()].filter(
      ({ appId, isGone }) => appId.startsWith('wp:') && !isGone,
    )
  await expect.poll(reachable).toEqual([])
  expect(await stopped()).toEqual([])
})

test('a registration that Firebase lost takes the device off the list and is mended at the next start', async ({
  device,
  site,
  google,
}) => {
  const page = await device.tab()
  await subscribedTab(page, site)
  const send = page.getByRole('button', { name: noticeTexts.sendTest })
  await send.click()
  await expect(page.getByText(pushTexts.tested.sent)).toBeVisible()
  await page.evaluate(async () => {
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
  })
  await sendMessage(site)
  await expect.poll(() => pushDevices(site)).toEqual([])
  expect(google.state.registrations.size).toBe(0)
  await visit(page, '/')
  await expect.poll(async () => (await pushDevices(site)).length).toBe(1)
  await expect.poll(() => google.state.registrations.size).toBe(1)
})

test('what is published at Firebase is on the page, changes while it is open and stays without a connection', async ({
  device,
  site,
  google,
}) => {
  google.publish({ availability_text: 'Disponible desde enero', max_image_mb: '99' })
  const page = await device.tab()
  const stopped = await watchPolicy(page)
  await visit(page, '/')
  await expect(page.getByText('Disponible desde enero')).toBeVisible()
  await expect.poll(() => google.state.listeners.size).toBe(1)
  google.publish({ availability_text: 'No disponible' })
  await expect(page.getByText('No disponible')).toBeVisible()
  expect(await stopped()).toEqual([])

  await device.context.setOffline(true)
  await page.reload()
  await expect(page.getByText('No disponible')).toBeVisible()
  await device.context.setOffline(false)

  const owner = await ownerTab(device, { site, path: '/settings' })
  const { label } = settingWords.availability_text
  const row = owner.locator('.setting', { hasText: label })
  await expect(row).toContainText(fill(originWords.label, { origin: originWords.firebase }))
  await expect(row).toContainText('No disponible')
  await expect(owner.getByRole('textbox', { name: label })).toHaveCount(0)
})

test('addresses that Firebase governs are read in their rows, without a pencil', async ({
  device,
  site,
  google,
}) => {
  google.publish({
    linkedin_url: 'https://linkedin.com/in/lucia',
    profile_urls: 'https://gitlab.com/lucia',
  })
  const page = await ownerTab(device, { site, path: '/settings#perfil' })
  const rows = page.locator('.addresses > li')
  const origin = fill(originWords.label, { origin: originWords.firebase })
  await expect(rows.locator('small')).toHaveText([
    'linkedin.com/in/lucia',
    'example.com/lucia-ejemplo',
    'gitlab.com/lucia',
  ])
  await expect(rows.first()).toContainText(origin)
  await expect(page.locator('.addresses + .add-row')).toContainText(origin)
  const { label } = settingWords.github_url
  const names = page.locator('#perfil .addresses').locator('..').getByRole('button')
  await expect(names).toHaveCount(1)
  await expect(names).toHaveAccessibleName(fill(settingsTexts.editLink, { name: label }))
})

test('a visitor asks Firebase for the parameters alone', async ({ device, site, google }) => {
  google.publish({ availability_text: 'Disponible desde enero' })
  const page = await device.tab()
  await visit(page, '/')
  await expect(page.getByText('Disponible desde enero')).toBeVisible()
  await visit(page, '/projects')
  expect(hostsCalled(google, site)).toEqual([
    'firebaseinstallations',
    'firebaseremoteconfig',
    'firebaseremoteconfigrealtime',
  ])
})

test('a picture goes to Firebase under its storage name, and its address into the entry', async ({
  device,
  site,
  google,
}) => {
  const page = await ownerTab(device, { site })
  const stopped = await watchPolicy(page)
  await page.reload()
  const picture = await colourSquare('#0a7')
  await addEntry(page, { name: 'Con foto', picture })
  await isDrained(page)
  const [file] = [...google.state.files.values()]
  expect(file?.name).toMatch(/^New\/project_[0-9a-f-]{36}$/)
  expect(file?.bytes.equals(picture.buffer)).toBe(true)
  expect(file?.cacheControl).toBe('public, max-age=31536000, immutable')
  const image = itemOf(page, 'Con foto').locator('img')
  await expect(image).toHaveAttribute('src', /^https:\/\/firebasestorage\.googleapis\.com\/.*&v=1$/)
  await expect
    .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
    .toBe(64)
  expect(await stopped()).toEqual([])
})

test('a picture that the rules of the project refuse stays in the form, with what to look at', async ({
  device,
  site,
  google,
}) => {
  const page = await ownerTab(device, { site })
  google.state.failures.push({
    when: ({ host, method }) => host.startsWith('firebasestorage') && method === 'POST',
    answer: () => googleError(403, 'PERMISSION_DENIED'),
  })
  const panel = await openPanel(page, project)
  const values = formValues(project, 'Sin permiso')
  await fillForm(panel, project, { values, picture: await colourSquare('#0a7') })
  const confirm = panel.getByRole('button', { name: ownerTexts.confirm })
  await confirm.click()
  await expect(page.getByText(firebaseTexts.pictureRefused).first()).toBeVisible()
  await expect(panel).toBeVisible()
  expect(JSON.stringify((await site.call('GET', project.key)).json)).not.toContain('Sin permiso')
  await confirm.click()
  await expect(itemOf(page, 'Sin permiso')).toBeVisible()
  await isDrained(page)
  expect(google.state.files.size).toBe(1)
})

test('a large picture chosen offline goes up in pieces later, also past a fault in the middle', async ({
  device,
  site,
  google,
}) => {
  const page = await ownerTab(device, { site })
  const picture = await photograph(2400, 1800)
  expect(picture.buffer.length).toBeGreaterThan(512 * 1024)
  const { state } = google
  state.failures.push({
    when: ({ headers }) => headers.get('x-goog-upload-offset') === '262144',
    answer: () => new Response('{}', { status: 503 }),
  })
  await device.context.setOffline(true)
  await addEntry(page, { name: 'Desde el tren', picture })
  await sendQueue(device, page)
  const [file] = [...state.files.values()]
  expect(file?.bytes.equals(picture.buffer)).toBe(true)
  expect(state.failures).toEqual([])
  const { json } = await site.call('GET', project.key, { token: null })
  expect(JSON.stringify(json)).toContain('firebasestorage.googleapis.com')
})
