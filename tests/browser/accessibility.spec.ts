import { ownerPaths, publicPaths } from '#tests/support/page-paths.ts'
import { sections } from '#contract/sections/index.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { binOf, openPanel } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { addressOf } from '#tests/support/owner-pages.ts'

for (const path of [...publicPaths, '/login', '/cv', '/card', '/nada']) {
  test(`${path} is accessible to visitors in every look`, async ({ visitor, watch }) => {
    if (path === '/nada') watch.expect(/404/)
    await visitor.goto(path)
    await visitor.mouse.move(200, 200)
    await isHydrated(visitor)
    expect(await faultsInEveryLook(visitor)).toEqual([])
  })
}

for (const path of [...publicPaths, ...ownerPaths]) {
  test(`${path} is accessible to the owner in every look`, async ({ owner, site }) => {
    await owner.goto(await addressOf(site, path))
    await isHydrated(owner)
    await expect(owner.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await faultsInEveryLook(owner)).toEqual([])
  })
}

for (const section of sections) {
  test(`the open panel of ${section.title} is accessible in every look`, async ({ owner }) => {
    await openPanel(owner, section)
    expect(await faultsInEveryLook(owner)).toEqual([])
  })
}

test('the question before a delete is accessible in every look', async ({ owner }) => {
  const [section] = sections
  if (!section) return
  await owner.goto(section.path)
  const name = (await owner.locator('main .item h2').first().textContent()) ?? ''
  await binOf(owner, section, name).click()
  await owner.getByRole('alertdialog').hover()
  expect(await faultsInEveryLook(owner)).toEqual([])
})

test.describe('on a phone 320 pixels wide nothing scrolls sideways', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('for visitors', async ({ visitor, watch }) => {
    watch.expect(/404/)
    for (const path of [...publicPaths, '/login', '/cv', '/card', '/nada']) {
      await visitor.goto(path)
      await visitor.mouse.move(200, 200)
      await isHydrated(visitor)
      await expect.poll(() => sidewaysOf(visitor), path).toBe(0)
    }
  })

  test('for the owner', async ({ owner, site }) => {
    for (const path of [...publicPaths, ...ownerPaths]) {
      await owner.goto(await addressOf(site, path))
      await expect(owner.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(() => sidewaysOf(owner), path).toBe(0)
    }
  })

  test('in the open panels', async ({ owner }) => {
    for (const section of sections) {
      await openPanel(owner, section)
      await expect.poll(() => sidewaysOf(owner), section.title).toBe(0)
    }
  })
})
