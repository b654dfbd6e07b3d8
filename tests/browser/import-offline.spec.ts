import { experience } from '#contract/sections/experience.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { resumeCalls } from '#contract/resume/resume-calls.ts'
import { importTexts } from '#contract/texts/import.ts'
import { expect } from '#tests/support/browser.ts'
import { test } from '#tests/support/cutting-proxy.ts'
import { keptPaths } from '#tests/support/device.ts'
import { applyButton, fileChooser, giveFile } from '#tests/support/import-page.ts'
import { emptySections, ownerTab, sendQueue, storedNames } from '#tests/support/queue.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => emptySections(site))

const resume = {
  work: [{ name: 'Uno' }, { name: 'Dos' }],
  projects: [{ name: 'Mapa', description: 'De la costa.' }],
  volunteer: [{ organization: 'Tres' }],
}

test('opened without a connection, what a file brings in waits, survives a reload, and arrives once', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  // The worker fetches what the visited page did not need after it.
  const lists = sections.map(({ key }) => `/api/${key}`)
  await expect.poll(() => keptPaths(page, 'api')).toEqual(expect.arrayContaining(lists))
  await device.context.setOffline(true)
  // Never opened on this device before: the page and its reader come from what it keeps.
  await page.goto('/traer')
  await expect(fileChooser(page)).toBeEnabled()
  await giveFile(page, 'resume.json', JSON.stringify(resume))
  await applyButton(page).click()
  await expect(page.getByText(importTexts.waitingOffline)).toBeVisible()
  await page.reload()
  await expect(fileChooser(page)).toBeEnabled()
  expect(line.writes).toEqual([])
  expect(await storedNames(site, experience)).toEqual([])
  // The answer to the first that arrives breaks off, which no browser mends by itself: the queue asks again, and it is still made once.
  let lost = ''
  line.decide(({ key = '' }) => {
    if (lost !== '') return undefined
    lost = key
    return { is: 'answer cut' }
  })
  await sendQueue(device, page)
  // A résumé begins with the newest.
  expect(await storedNames(site, experience)).toEqual(['Dos', 'Uno'])
  expect(await storedNames(site, project)).toEqual(['Mapa'])
  const own = (await site.call('GET', resumeCalls.resume)).json
  expect(own).toMatchObject({ volunteer: resume.volunteer })
  expect(lost).not.toBe('')
  expect(line.writes.filter(({ key }) => key === lost).length).toBeGreaterThan(1)
  const keys = line.writes.map(({ key }) => key)
  await page.reload()
  await expect(fileChooser(page)).toBeEnabled()
  expect(line.writes.map(({ key }) => key)).toEqual(keys)
})
