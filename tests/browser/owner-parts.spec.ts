import { ownersCache } from '#contract/offline/offline.ts'
import { project } from '#contract/sections/project.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { expect, takeSession } from '#tests/support/browser.ts'
import type { Chunk } from '#build/chunks.ts'
import { readBuilt, readManifest } from '#tests/support/built-client.ts'
import { nextBuild } from '#tests/support/builds.ts'
import { test, visit } from '#tests/support/device.ts'
import { ownerTab } from '#tests/support/queue.ts'

test.use({ writes: true })

const form = readManifest()['src/client/owner/editor/entry-add.tsx']?.file ?? ''
const sender = readManifest()['src/client/outbox/messages/send-or-keep.ts']?.file ?? ''
/** Everything that any cache of the device holds. */
const everythingKept = () =>
  caches.keys().then(async (names) => {
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => url)
  })

const isOwners = (module: string) => module.startsWith('src/client/owner/')
/** The files that hold something of the owner’s, or lead to it. */
const ownersFiles = (JSON.parse(readBuilt('.vite/chunks.json')) as readonly Chunk[])
  .filter(({ entry, modules }) => isOwners(entry ?? '') || modules.some(isOwners))
  .map(({ file }) => file)

test('a visitor’s device loads and keeps nothing of the owner’s, also where she writes @main', async ({
  device,
}) => {
  const page = await device.tab()
  const asked: string[] = []
  device.context.on('request', (request) => asked.push(request.url()))
  await visit(page, '/')
  await visit(page, '/contact')
  const come = page.waitForResponse((response) => response.url().endsWith(sender))
  await page.getByRole('textbox').first().fill('Hola')
  await come
  await page.waitForLoadState('networkidle')
  const owners = (urls: readonly string[]) =>
    urls.filter((url) => ownersFiles.some((file) => url.endsWith(file)))
  expect(ownersFiles).toContain(form)
  expect(owners(await page.evaluate(everythingKept))).toEqual([])
  expect(owners(asked)).toEqual([])
  expect(await page.evaluate((name) => caches.has(name), ownersCache)).toBe(false)
})

test('signed in once, the owner edits without a connection, and after a new version too', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/' })
  const add = async () => {
    await page.goto(project.addPath)
    await expect(page.getByRole('heading', { name: project.words.add })).toBeVisible()
    await expect(page.getByText(offlineTexts.offlineOwner)).toBeVisible()
  }
  await device.context.setOffline(true)
  await add()
  await device.context.setOffline(false)

  const next = nextBuild('parts')
  await site.stop()
  await site.start(next.entry)
  await page.goto('/about')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.getByRole('button', { name: offlineTexts.updateApply }).click()
  await expect(page.locator('meta[name=build]')).toHaveAttribute('content', 'parts')
  await device.context.setOffline(true)
  await add()
  const kept = await page.evaluate(everythingKept)
  expect(kept.filter((url) => url.endsWith(form.replace('assets/', 'assets/parts-')))).toHaveLength(
    1,
  )
  expect(kept.filter((url) => url.endsWith(form))).toHaveLength(0)
  next.remove()
})

test('nothing promises her to edit offline before her parts are there', async ({
  device,
  site,
}) => {
  const page = await device.tab()
  await visit(page, '/')
  // The login was answered, and then the line went: her parts never came.
  await device.context.route(/\/assets\/owner-[^/]*\.json$/, (route) => route.abort())
  await takeSession(page, await site.signIn())
  await visit(page, '/')
  await device.context.setOffline(true)
  await expect(page.getByText(offlineTexts.offlineVisitor)).toBeVisible()
  await expect(page.getByText(offlineTexts.offlineOwner)).toBeHidden()
})

test('what her pages show at once is asked for while the device’s copy is read', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await page.addInitScript(() => {
    const asked = () =>
      [...document.querySelectorAll('link[rel=stylesheet]')].map(String).toSorted()
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name, version) {
      if (name === 'tintero-cache') Object.assign(globalThis, { asked, before: asked() })
      return open.call(this, name, version)
    }
  })
  await page.reload()
  await expect(page.locator('main .item .edit').first()).toBeVisible()
  await expect(page.locator('.tools .sync')).toBeVisible()
  type Asked = { readonly asked: () => readonly string[]; readonly before: readonly string[] }
  const { before, all } = await page.evaluate(() => {
    const { asked, before: first } = globalThis as unknown as Asked
    return { before: first, all: asked() }
  })
  expect(before).toEqual(all)
})
