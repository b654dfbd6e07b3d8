import type { Page } from 'playwright/test'
import { entriesPerPage } from '#contract/entries/list-pages.ts'
import { project } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { skill } from '#contract/sections/skill.ts'
import { texts } from '#contract/texts/site.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect, logOutButton } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'
import {
  addEntry,
  emptySections,
  isDrained,
  ownerTab,
  removeEntry,
  renameEntry,
} from '#tests/support/queue.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const count = 2 * entriesPerPage + 2
const name = (number: number) => `Obra ${number}`
const items = (page: Page) => page.locator('main .item')
const pager = (page: Page) => page.getByRole('navigation', { name: texts.pages, exact: true })
const titlesOf = (page: Page) => items(page).locator('h2, h3').allTextContents()

async function fillSection(site: Site, section: Section, entries = count): Promise<void> {
  await emptySections(site)
  for (let number = 1; number <= entries; number++) {
    await createEntry(site, section, formValues(section, name(number)))
  }
}

/** The numbers of the entries on a page, whatever else stands in their headings. */
async function numbersOn(page: Page): Promise<readonly number[]> {
  return (await titlesOf(page)).map((title) => Number(/Obra (\d+)/.exec(title)?.[1]))
}

const downTo = (last: number, first: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => last - index)

test('every entry of a long list is reached by links, without any script @main', async ({
  plain,
  site,
  watch,
}) => {
  watch.expect(/404 \(Not Found\) \(http:[^)]*\/projects\/4\)$/)
  await fillSection(site, project)
  await plain.goto(project.path)
  await expect(plain.getByText(`${count} proyectos`)).toBeVisible()
  const seen: number[] = []
  for (let page = 1; ; page++) {
    seen.push(...(await numbersOn(plain)))
    await expect(pager(plain).getByRole('listitem')).toHaveText(['1', '2', '3'])
    const next = pager(plain).getByRole('link', { name: texts.next })
    if ((await next.count()) === 0) break
    await next.click()
    await expect(plain).toHaveURL(`${site.url}${project.path}/${page + 1}`)
    await expect(plain).toHaveTitle(new RegExp(`página ${page + 1}`))
  }
  expect(seen).toEqual(downTo(count, 1))
  expect((await plain.goto(`${project.path}/4`))?.status()).toBe(404)
  await expect(plain.getByRole('heading', { name: texts.notFound })).toBeVisible()
})

test('pages are turned by the keyboard, look well, and start at their heading', async ({
  visitor,
  site,
}) => {
  await fillSection(site, project)
  await visitor.goto(project.path)
  await isHydrated(visitor)
  await pager(visitor).getByRole('link', { name: '3', exact: true }).focus()
  await visitor.keyboard.press('Enter')
  await expect(visitor).toHaveURL(`${site.url}${project.path}/3`)
  await expect(items(visitor)).toHaveCount(2)
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(pager(visitor).locator('[aria-current=page]')).toHaveText('3')
  const current = visitor.getByRole('navigation', { name: texts.navigation }).first()
  await expect(current.locator('[aria-current=page]').first()).toHaveText(project.title)
  await pager(visitor).getByRole('link', { name: texts.previous }).click()
  await expect(items(visitor)).toHaveCount(entriesPerPage)
  expect(await numbersOn(visitor)).toEqual(downTo(count - entriesPerPage, 3))
  const faults = await faultsInEveryLook(visitor, async (look) => {
    expect(await sidewaysOf(visitor), JSON.stringify(look)).toBeLessThanOrEqual(0)
  })
  expect(faults).toEqual([])
  await visitor.setViewportSize({ width: 320, height: 640 })
  expect(await sidewaysOf(visitor)).toBeLessThanOrEqual(0)
  const tops = await pager(visitor)
    .locator('a:visible')
    .evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().top))])
  expect(tops).toHaveLength(1)
})

test('from an address beyond the last page there is a way to the list', async ({
  visitor,
  site,
  watch,
}) => {
  watch.expect(/404 \(Not Found\) \(http:[^)]*\/projects\/9\)$/)
  await fillSection(site, project)
  await visitor.goto(`${project.path}/9`)
  await isHydrated(visitor)
  await expect(visitor.getByRole('heading', { name: texts.notFound })).toBeVisible()
  await visitor.getByRole('banner').getByRole('link', { name: project.title }).first().click()
  await expect(items(visitor)).toHaveCount(entriesPerPage)
  await pager(visitor).getByRole('link', { name: texts.next }).click()
  await expect(visitor).toHaveURL(`${site.url}${project.path}/2`)
  expect(await numbersOn(visitor)).toEqual(downTo(count - entriesPerPage, 3))
})

test('a page that was never opened is read without a connection', async ({ device, site }) => {
  await fillSection(site, project)
  const page = await device.tab()
  await visit(page, '/')
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match('/projects'))))
    .toBe(true)
  await device.context.setOffline(true)
  await page.goto(`${project.path}/2`)
  await expect(items(page)).toHaveCount(entriesPerPage)
  expect(await numbersOn(page)).toEqual(downTo(count - entriesPerPage, 3))
  await page.goto(`${project.path}/3`)
  await expect(items(page)).toHaveCount(2)
})

test('its owner edits, deletes and undoes on any page, and comes back to it', async ({
  device,
  site,
}) => {
  await fillSection(site, project)
  const page = await ownerTab(device, { site, path: `${project.path}/2` })
  await expect(items(page)).toHaveCount(entriesPerPage)
  await renameEntry(page, { from: name(10), to: 'Diez' })
  await expect(page).toHaveURL(`${site.url}${project.path}/2`)
  await expect(itemOf(page, 'Diez')).toBeVisible()
  await isDrained(page)
  await page.goto(`${project.path}/3`)
  await removeEntry(page, name(1))
  await expect(items(page)).toHaveCount(1)
  await page.locator('main .gone button').click()
  await expect(items(page)).toHaveCount(2)
  expect(await numbersOn(page)).toEqual([2, 1])
})

test('what she deletes of a last page alone leaves its place there, to have it back', async ({
  device,
  site,
}) => {
  await fillSection(site, project, entriesPerPage + 1)
  const page = await ownerTab(device, { site, path: `${project.path}/2` })
  await removeEntry(page, name(1))
  await page.locator('main .gone button').click()
  await expect.poll(() => numbersOn(page)).toEqual([1])
  for (const path of ['/0', '/1', '/dos']) {
    await visit(page, project.path + path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.notFound)
  }
})

test('a new entry at the end of a long list is shown where it stands', async ({ device, site }) => {
  await fillSection(site, skill)
  const page = await ownerTab(device, { site, path: skill.path })
  await addEntry(page, { name: 'La última', section: skill })
  await expect(page).toHaveURL(`${site.url}${skill.path}/3`)
  await isDrained(page)
  await expect(logOutButton(page)).toBeVisible()
})

test('what the server drew of a long list gives way to what was changed since', async ({
  visitor,
  site,
}) => {
  await fillSection(site, project)
  await visitor.goto(`${project.path}/2`)
  await expect(items(visitor)).toHaveCount(entriesPerPage)
  await isHydrated(visitor)
  await createEntry(site, project, formValues(project, name(count + 1)))
  await expect
    .poll(async () => {
      // The browser asks again when somebody comes back to the tab.
      await visitor.evaluate(() => dispatchEvent(new Event('visibilitychange')))
      return numbersOn(visitor)
    })
    .toEqual(downTo(count + 1 - entriesPerPage, 4))
})
