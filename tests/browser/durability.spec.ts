import { noticesOf } from '#contract/sections/notices.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { expect, logOutButton, test, throughReload } from '#tests/support/browser.ts'
import {
  createEntry,
  formValues,
  fillForm,
  itemOf,
  openPanel,
  servedPage,
  snackbar,
} from '#tests/support/entries.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { photograph } from '#tests/support/pictures.ts'
import { firstSections } from '#tests/support/page-paths.ts'

test.use({ writes: true })

test('an answered change of every section outlives the death of the process @main', async ({
  site,
}) => {
  for (const section of firstSections) {
    await test.step(section.title, async () => {
      await createEntry(site, section, formValues(section, 'Sobrevive'))
      await site.restart('SIGKILL')
      expect(await servedPage(site, section.path)).toContain('Sobrevive')
    })
  }
})

test('a photograph is served the same after a restart', async ({ owner, site }) => {
  const [section] = firstSections
  if (!section) return
  const form = await openPanel(owner, section)
  await fillForm(form, section, {
    values: formValues(section, 'Con foto'),
    picture: await photograph(),
  })
  await throughReload(owner, async () => {
    await form.getByRole('button', { name: ownerTexts.confirm }).click()
    await expect(snackbar(owner, 'success-snackbar', noticesOf(section).created)).toBeVisible()
  })
  const address = (await itemOf(owner, 'Con foto').locator('img').getAttribute('src')) ?? ''
  const read = async () => Buffer.from(await (await fetchInTime(site.url + address)).arrayBuffer())
  const before = await read()
  // Her page goes on to read after a save, and would meet the server's absence.
  await owner.goto('about:blank')
  await site.restart()
  expect((await read()).equals(before)).toBe(true)
  expect(before.subarray(8, 12).toString()).toBe('WEBP')
})

test('a session outlives a restart', async ({ owner, site }) => {
  await owner.goto('/')
  await expect(logOutButton(owner)).toBeVisible()
  const token = await owner.evaluate(() => sessionStorage.getItem('authToken'))
  await owner.goto('about:blank')
  await site.restart()
  const body = { name: 'Renata' }
  expect((await site.call('PUT', 'person/update/1', { token, body })).status).toBe(200)
  await owner.goto('/')
  await expect(logOutButton(owner)).toBeVisible()
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Renata')
})
