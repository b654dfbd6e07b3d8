import { certificate } from '#contract/sections/certificate.ts'
import { language } from '#contract/sections/language.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { keptPaths, test, visit } from '#tests/support/device.ts'
import { createEntry, fillForm, itemOf, openPanel } from '#tests/support/entries.ts'
import { isDrained, ownerTab, sendQueue } from '#tests/support/queue.ts'

test.use({ writes: true })

test('a section that begins off is filled and turned on without a connection, and read by visitors without one', async ({
  device,
  site,
}) => {
  const read = async (path: string) => (await fetchInTime(site.url + path)).text()
  expect((await fetchInTime(site.url + language.path)).status).toBe(404)
  for (const path of ['/sitemap.xml', '/', '/cv']) {
    expect(await read(path)).not.toMatch(new RegExp(`${language.path}|${language.title}`))
  }

  const page = await ownerTab(device, { site, path: '/settings#secciones' })
  const turn = page.getByRole('switch', { name: language.title })
  await expect(turn).not.toBeChecked()
  const isEmpty = new RegExp(`${settingsTexts.off} · ${settingsTexts.noEntries}`)
  await expect(turn).toHaveAccessibleDescription(isEmpty)
  await visit(page, language.path)
  await device.context.setOffline(true)
  const panel = await openPanel(page, language)
  await expect(panel.getByLabel(language.fields.level.label)).toHaveAccessibleDescription(
    /Opcional/,
  )
  await expect(panel.locator('input[type="file"]')).toHaveCount(0)
  await fillForm(panel, language, { values: { name: 'Quechua', level: 'C1' } })
  await panel.getByRole('button', { name: ownerTexts.confirm }).click()
  await expect(itemOf(page, 'Quechua')).toContainText('C1')
  await page.goto('/settings#secciones')
  await turn.click()
  await expect(turn).toBeChecked()
  expect((await fetchInTime(site.url + language.path)).status).toBe(404)
  await sendQueue(device, page)

  expect(await read('/sitemap.xml')).toContain(`${language.path}</loc>`)
  const list = await read(language.path)
  expect(list).toContain('Quechua</h2>')
  expect(list).toContain('"numberOfItems":1')
  expect(list).toContain('<style data-page="list-grid">')
  const cv = await read('/cv')
  expect(cv.indexOf(language.title)).toBeGreaterThan(cv.indexOf('Educación'))
  expect(cv.indexOf('Habilidades')).toBeGreaterThan(cv.indexOf(language.title))
  await page.close()

  const visitor = await device.tab()
  await visit(visitor, '/')
  await expect.poll(() => keptPaths(visitor, 'api')).toContain(`/api/${language.key}`)
  await site.stop('SIGKILL')
  await visitor.goto('/about')
  await visitor
    .getByRole('navigation', { name: texts.navigation })
    .first()
    .getByRole('link', { name: language.title })
    .click()
  await expect(itemOf(visitor, 'Quechua')).toContainText('C1')
  expect(await faultsInEveryLook(visitor)).toEqual([])
})

test('turned off again it is gone for visitors, and nothing of it is lost', async ({
  device,
  site,
}) => {
  const values = { name: 'CPACC', issuer: 'IAAP', duration: '2024', info: '' }
  await createEntry(site, certificate, values)
  await site.call('PUT', 'config', { body: { sections_shown: certificate.key } })
  const page = await ownerTab(device, { site, path: certificate.path })
  await expect(itemOf(page, 'CPACC')).toContainText('IAAP')
  expect(await faultsInEveryLook(page)).toEqual([])
  await visit(page, '/settings#secciones')
  await page.getByRole('switch', { name: certificate.title }).click()
  await isDrained(page)
  expect((await fetchInTime(site.url + certificate.path)).status).toBe(404)
  await visit(page, certificate.path)
  await expect(itemOf(page, 'CPACC')).toBeVisible()
})

test('further profiles are added one by one, and stand wherever the two others do', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#perfil' })
  const add = page.getByRole('button', { name: settingsTexts.addLink })
  const field = page.getByRole('textbox', { name: settingsTexts.newLink })
  await add.click()
  await field.fill('gitlab.com/lucia')
  await field.press('Enter')
  await add.click()
  await field.fill('no es un enlace')
  await field.blur()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  expect(await faultsInEveryLook(page)).toEqual([])
  await field.fill(' https://mastodon.social/@lucia ')
  await field.blur()
  await isDrained(page)
  await expect(page.locator('.addresses small')).toContainText([
    'gitlab.com/lucia',
    'mastodon.social/@lucia',
  ])
  for (const path of ['/', '/contact', '/cv']) {
    await page.goto(path)
    for (const href of ['https://gitlab.com/lucia', 'https://mastodon.social/@lucia']) {
      await expect(page.locator(`a[href="${href}"]`).first()).toBeVisible()
    }
  }
  const about = await (await fetchInTime(`${site.url}/about`)).text()
  expect(about).toMatch(/"sameAs":\[[^\]]*"https:\/\/gitlab\.com\/lucia","https:\/\/mastodon/)
})
