import { sections } from '#contract/sections/index.ts'
import { texts } from '#contract/texts.ts'
import { expect, test } from '#tests/support/browser.ts'
import {
  createEntry,
  draftOf,
  fillForm,
  itemOf,
  openPanel,
  servedPage,
  snackbar,
} from '#tests/support/entries.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { photograph } from '#tests/support/pictures.ts'

test.use({ writes: true })

for (const section of sections) {
  test(`${section.title}: an answered change outlives the death of the process`, async ({
    site,
  }) => {
    await createEntry(site, section, draftOf(section, 'Sobrevive'))
    await site.restart('SIGKILL')
    expect(await servedPage(site, section.path)).toContain('Sobrevive')
  })
}

test('a photograph is served the same after a restart', async ({ owner, site }) => {
  const [section] = sections
  if (!section) return
  const form = await openPanel(owner, section)
  await fillForm(form, section, {
    draft: draftOf(section, 'Con foto'),
    picture: await photograph(),
  })
  await form.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(snackbar(owner, 'success-snackbar', section.notices.created)).toBeVisible()
  const address = (await itemOf(owner, 'Con foto').locator('img').getAttribute('src')) ?? ''
  const read = async () => Buffer.from(await (await fetch(site.url + address)).arrayBuffer())
  const before = await read()
  await site.restart()
  expect((await read()).equals(before)).toBe(true)
  expect(before.subarray(8, 12).toString()).toBe('WEBP')
})

test('a session outlives a restart', async ({ owner, site }) => {
  await owner.goto('/')
  await expect(owner.getByRole('button', { name: texts.logout })).toBeVisible()
  const token = await owner.evaluate(() => sessionStorage.getItem('authToken'))
  await site.restart()
  const body = { name: 'Renata' }
  expect((await site.call('PUT', 'person/update/1', { token, body })).status).toBe(200)
  await owner.reload()
  await expect(owner.getByRole('button', { name: texts.logout })).toBeVisible()
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Renata')
})
