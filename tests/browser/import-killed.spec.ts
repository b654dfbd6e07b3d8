import type { Page } from 'playwright/test'
import { experience } from '#contract/sections/experience.ts'
import { project } from '#contract/sections/project.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { importTexts } from '#contract/texts/import.ts'
import { expect } from '#tests/support/browser.ts'
import { test, type Fate, type Line } from '#tests/support/cutting-proxy.ts'
import { databaseText } from '#tests/support/device.ts'
import { createEntry } from '#tests/support/entries.ts'
import { applyButton, fileChooser, giveFile } from '#tests/support/import-page.ts'
import {
  emptySections,
  isDrained,
  ownerTab,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

/* The browser or the server is killed with SIGKILL half way through an import: it is whole afterwards, once, and undone as one. */

test.use({ writes: true, locale: 'es' })

const mine = { name: 'Taller', description: 'Mía.', duration: 'Un rato', info: 'Privado' }

test.beforeEach(async ({ site }) => {
  await emptySections(site)
  await createEntry(site, experience, mine)
})

const long = { name: 'Mapa de bibliotecas populares', description: 'De la costa.' }
const resume = {
  work: [
    { name: 'Uno' },
    { name: 'Dos' },
    { name: 'Tres' },
    { name: 'Cuatro' },
    { name: 'Taller', position: 'Jefa' },
  ],
  projects: [long],
  volunteer: [{ organization: 'Cinco' }],
}
/** The changes of the queue that it is made of: four new entries, one combined, one that keeps the rest. */
const changes = 6

/** Brings the file in as it is proposed. */
async function bring(page: Page): Promise<void> {
  await giveFile(page, 'resume.json', JSON.stringify(resume))
  await applyButton(page).click()
}

/** Over each of its changes something dies and starts anew. */
const afterKills = { timeout: 90_000 }

/** Everything of the file is there, and once. */
async function isWhole(site: Site): Promise<void> {
  expect(await storedNames(site, experience)).toEqual(['Taller', 'Cuatro', 'Tres', 'Dos', 'Uno'])
  expect((await storedRows(site, experience.key))[0]).toMatchObject({ ...mine, role: 'Jefa' })
  // Too long for its place, it waits as a draft.
  expect(await storedNames(site, project)).toEqual([])
  const own = (await site.call('GET', resumeCalls.resume)).json
  expect(own).toMatchObject({ volunteer: resume.volunteer, projects: [long] })
}

/** Takes the import back on the page that lists it. */
async function undo(page: Page, site: Site): Promise<void> {
  await page.getByRole('button', { name: importTexts.undo }).click()
  await expect(page.getByText(importTexts.undone)).toBeVisible()
  await isDrained(page, afterKills)
  expect(await storedRows(site, experience.key)).toMatchObject([{ ...mine, role: '' }])
  const own = (await site.call('GET', resumeCalls.resume)).json
  expect(own).not.toHaveProperty('volunteer')
  expect(own).not.toHaveProperty('projects')
  expect(await databaseText(page, 'tintero-drafts')).not.toContain(long.name)
}

const timesSent = ({ writes }: Line) =>
  [...Map.groupBy(writes, ({ key }) => key).values()].map(({ length }) => length)

test('half of it has arrived when the browser dies: the next start brings the rest', async ({
  lasting: device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site, path: '/traer' })
  await expect(fileChooser(page)).toBeEnabled()
  const { promise: dead, resolve: bury } = Promise.withResolvers<void>()
  // The server does the third, and its answer finds nobody any more.
  line.decide((): Fate | undefined =>
    line.writes.length < 3 ? undefined : { is: 'answer held', until: dead },
  )
  await bring(page)
  await expect.poll(() => storedNames(site, experience)).toEqual(['Taller', 'Cuatro', 'Tres'])
  await device.kill()
  line.decide(() => undefined)
  bury()
  const next = await ownerTab(device, { site, path: '/traer' })
  await isDrained(next)
  await isWhole(site)
  expect(timesSent(line)).toEqual([1, 1, 2, ...Array<number>(changes - 3).fill(1)])
  await expect(next.getByText(/^Traído el .+ de resume\.json: 6 cambios\.$/)).toBeVisible()
  await undo(next, site)
})

test('the server dies with one change after the other in its hands: it has each of them once', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site, path: '/traer' })
  await expect(fileChooser(page)).toBeEnabled()
  const starts: Promise<void>[] = []
  const known = new Set<string | undefined>()
  // It dies over each change the first time that it comes, when it has just begun, has done it, or answers; of two that come
  // together over the second once it is back.
  line.decide(({ key }) => {
    if (known.has(key)) return undefined
    known.add(key)
    const ms = (known.size % 4) * 3
    starts.push(Promise.resolve(starts.at(-1)).then(() => killAfter(ms)))
    return undefined
  })
  const killAfter = async (ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await site.restart('SIGKILL')
  }
  await bring(page)
  await expect(page.getByText(importTexts.allSent)).toBeVisible(afterKills)
  await Promise.all(starts)
  expect(starts).toHaveLength(changes)
  await isWhole(site)
  await undo(page, site)
})
