import { loginTexts } from '#contract/access/login.ts'
import { project } from '#contract/sections/project.ts'
import { queueTexts } from '#contract/texts/queue.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { fill } from '#contract/text.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { addEntry, emptySections, ownerTab, storedNames } from '#tests/support/queue.ts'

test.use({ writes: true })

test('changes that wait on a device where nobody is signed in are said in a band, and go after signing in', async ({
  lasting: device,
  site,
}) => {
  await emptySections(site)
  let page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  for (const name of ['Una', 'Dos', 'Tres']) await addEntry(page, { name })
  await device.restart()
  page = await device.tab()
  const band = page.locator('.net-band')
  await visit(page, '/')
  await expect(band).toHaveCount(1)
  await expect(band.locator('p')).toHaveText(fill(queueTexts.bandMany, { n: 3 }))
  expect(await faultsInEveryLook(page)).toEqual([])
  // Without a connection nobody can sign in, so that comes first.
  await device.context.setOffline(true)
  await expect(band).toContainText(offlineTexts.offlineVisitor)
  await device.context.setOffline(false)
  await band.getByRole('link', { name: loginTexts.submit }).click()
  await expect(page.getByText(fill(queueTexts.loginMany, { n: 3 }))).toBeVisible()
  await expect(band).toHaveCount(0)
  expect(await storedNames(site)).toEqual([])
  await logInByForm(page)
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => storedNames(site)).toEqual(['Una', 'Dos', 'Tres'])
  await visit(page, project.path)
  await expect(band).toHaveCount(0)
})
