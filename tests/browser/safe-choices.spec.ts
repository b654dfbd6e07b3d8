import type { Locator, Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { personFields } from '#contract/person/person.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { expect, logOutButton } from '#tests/support/browser.ts'
import { test } from '#tests/support/device.ts'
import { createEntry, formValues } from '#tests/support/entries.ts'
import {
  changeElsewhere,
  emptySections,
  openQueueSheet,
  ownerTab,
  queued,
  removeEntry,
} from '#tests/support/queue.ts'

/* Of the ways out of a question exactly one is filled, and that is the one which loses nothing. */

test.use({ writes: true })

/** The names of the buttons that are filled with a colour. */
const filledIn = (place: Locator) =>
  place
    .locator('.btn')
    .filter({ visible: true })
    .evaluateAll((buttons) =>
      buttons
        .filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
        .map((one) => one.textContent),
    )

async function typeName(page: Page): Promise<void> {
  await page.goto('/editProf/1')
  await page.getByLabel(personFields.name.label).fill('Otra')
}

for (const [what, begin] of [
  ['a text that was not sent', typeName],
  [
    'a change that waits',
    async (page: Page) => {
      await typeName(page)
      await page.context().setOffline(true)
      await page.getByRole('button', { name: ownerTexts.update }).click()
      await expect.poll(() => queued(page)).toHaveLength(1)
    },
  ],
] as const) {
  test(`LogOut with ${what} asks, and staying stands out @main`, async ({ device, site }) => {
    const page = await ownerTab(device, { site })
    await begin(page)
    await logOutButton(page).click()
    const question = page.getByRole('dialog')
    await expect(question.getByRole('button', { name: ownerTexts.logoutHint })).toBeVisible()
    expect(await filledIn(question)).toEqual([ownerTexts.stay])
  })
}

test('a removal of what another device changed asks, and keeping that stands out', async ({
  device,
  site,
}) => {
  await emptySections(site)
  const id = await createEntry(site, project, formValues(project, 'Uno'))
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await removeEntry(page, 'Uno')
  await changeElsewhere(site, id, { description: 'De otro dispositivo' })
  await device.context.setOffline(false)
  const sheet = await openQueueSheet(page)
  const remove = sheet.getByRole('button', { name: queueTexts.removeAnyway })
  await expect(remove).toBeVisible()
  expect(await filledIn(sheet.locator('.queue'))).toEqual([queueTexts.keepTheirs])
  await page.setViewportSize({ width: 390, height: 844 })
  const keep = await sheet.getByRole('button', { name: queueTexts.keepTheirs }).boundingBox()
  const below = await remove.boundingBox()
  expect([below?.x, below?.width]).toEqual([keep?.x, keep?.width])
  expect(below?.y).toBeGreaterThan(keep?.y ?? Infinity)
})
