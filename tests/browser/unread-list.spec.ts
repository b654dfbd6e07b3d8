import type { Page } from 'playwright/test'
import { entriesPerPage } from '#contract/entries/list-pages.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, test } from '#tests/support/browser.ts'
import { itemOf, pencilOf, seedProjects } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { addEntry, emptySections, renameEntry } from '#tests/support/queue.ts'

// What waits on the device is in its list, whether or not the list itself can be read.

test.use({ writes: true })

test.beforeEach(async ({ site, watch }) => {
  watch.expect(/Failed to load resource/, /Could not load/, /A change was not taken/)
  await emptySections(site)
})

/** Leaves a change of the one entry and a new one on the device, and lets no call about projects get through from then on. */
async function leaveWaiting(page: Page): Promise<void> {
  await page.goto(project.path)
  await expect(pencilOf(page, project, 'Uno')).toBeVisible()
  await page.route(/\/api\/proyect/, (route) => route.abort())
  await renameEntry(page, { from: 'Uno', to: 'Uno nuevo' })
  await addEntry(page, { name: 'Dos' })
}

/** Leaves the first page for the list's inside the application: before it runs, the link loads a page that shows the list. */
async function openList(page: Page): Promise<void> {
  await isHydrated(page)
  await page.getByRole('link', { name: project.title }).first().click()
}

/** As on a device that has not kept the list. */
async function dropKeptLists(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name, version) {
      return open.call(this, name === 'tintero-cache' ? crypto.randomUUID() : name, version)
    }
  })
}

async function expectWaiting(page: Page): Promise<void> {
  for (const name of ['Uno nuevo', 'Dos']) {
    await expect(itemOf(page, name)).toContainText(queueTexts.pending)
  }
}

test('where only the page shows the list, what waits is laid over it', async ({ owner, site }) => {
  await seedProjects(site, 'Uno')
  await leaveWaiting(owner)
  await dropKeptLists(owner)
  await owner.goto(project.path)
  await expectWaiting(owner)
  await expect(owner.locator('main .item')).toHaveCount(2)
  await expect(pencilOf(owner, project, 'Uno nuevo')).toBeVisible()
})

test('where the page shows a part of the list, what waits stands over it', async ({
  owner,
  site,
}) => {
  const others = Array.from({ length: entriesPerPage }, (_, index) => `Otro ${index}`)
  await seedProjects(site, ...others, 'Uno')
  await leaveWaiting(owner)
  await dropKeptLists(owner)
  await owner.goto(project.path)
  await expect(itemOf(owner, 'Otro 1').first()).toBeVisible()
  await expectWaiting(owner)
})

test('a change of an entry that is in the part stands in its place alone', async ({
  owner,
  site,
}) => {
  const others = Array.from({ length: entriesPerPage }, (_, index) => `Otro ${index}`)
  const last = others.at(-1) ?? ''
  await seedProjects(site, ...others, 'Uno')
  await owner.goto(project.path)
  await expect(pencilOf(owner, project, last)).toBeVisible()
  await owner.route(/\/api\/proyect/, (route) => route.abort())
  const { length } = await owner.locator('main .item').all()
  await renameEntry(owner, { from: last, to: 'Otro nuevo' })
  await addEntry(owner, { name: 'Dos' })
  await dropKeptLists(owner)
  await owner.goto(project.path)
  for (const name of ['Otro nuevo', 'Dos']) {
    await expect(itemOf(owner, name)).toHaveCount(1)
    await expect(itemOf(owner, name)).toContainText(queueTexts.pending)
  }
  await expect(itemOf(owner, last)).toHaveCount(0)
  await expect(owner.locator('main .item')).toHaveCount(length + 1)
})

test('where the page shows a part of a list that cannot be read, it is counted as the page says', async ({
  owner,
  site,
}) => {
  const names = Array.from({ length: entriesPerPage + 1 }, (_, index) => `Otro ${index}`)
  await seedProjects(site, ...names)
  await owner.route(/\/api\/proyect/, (route) => route.abort())
  await dropKeptLists(owner)
  let failed = 0
  owner.on('requestfailed', (asked) => (failed += Number(asked.url().includes(`/${project.key}`))))
  await owner.goto(project.path)
  await expect(owner.getByRole('button', { name: project.words.add })).toBeVisible()
  // Asked for twice, it is given up.
  await expect.poll(() => failed).toBeGreaterThan(1)
  await owner.waitForTimeout(500)
  const count = fill(project.words.many, { n: names.length })
  await expect(owner.getByText(count, { exact: true })).toBeVisible()
})

test('where nothing shows the list, what waits stands over what says so', async ({
  owner,
  site,
}) => {
  await seedProjects(site, 'Uno')
  await leaveWaiting(owner)
  await dropKeptLists(owner)
  await owner.goto('/')
  await openList(owner)
  await expect(owner.getByRole('heading', { name: texts.loadFailed })).toBeVisible()
  await expectWaiting(owner)
  await expect(owner.getByText('1 proyecto')).toHaveCount(0)
  // The reading alone: a change that gets through by itself brings the list without a press.
  await owner.route(/\/api\/proyect/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fallback(),
  )
  await owner.getByRole('button', { name: texts.retry }).click()
  await expect(owner.getByRole('heading', { name: texts.loadFailed })).toBeHidden()
  await expect(pencilOf(owner, project, 'Uno nuevo')).toBeVisible()
})

test('where nothing shows the list and nothing waits, it says so and asks no more by itself', async ({
  owner,
}) => {
  await owner.goto('/')
  let asked = 0
  await owner.route(/\/api\/proyect/, (route) => {
    asked += 1
    return route.abort()
  })
  await openList(owner)
  const heading = owner.getByRole('heading', { name: texts.loadFailed })
  await expect(heading).toBeVisible()
  const before = asked
  await owner.waitForTimeout(2_000)
  await expect(heading).toBeVisible()
  expect(asked).toBe(before)
})

test('where nothing shows the list, a change of one of its entries stands over what says so', async ({
  owner,
  site,
}) => {
  await seedProjects(site, 'Uno')
  await owner.goto(project.path)
  await expect(pencilOf(owner, project, 'Uno')).toBeVisible()
  await owner.route(/\/api\/proyect/, (route) => route.abort())
  await renameEntry(owner, { from: 'Uno', to: 'Uno nuevo' })
  await dropKeptLists(owner)
  await owner.goto('/')
  await openList(owner)
  await expect(owner.getByRole('heading', { name: texts.loadFailed })).toBeVisible()
  await expect(itemOf(owner, 'Uno nuevo')).toContainText(queueTexts.pending)
})
