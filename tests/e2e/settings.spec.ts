import { defaultSettings } from '#contract/setting-defaults.ts'
import { originWords, settingWords } from '#contract/settings-words.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { valueErrors } from '#contract/value-errors.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { isDrained, ownerTab } from '#tests/support/queue.ts'

const rowOf = (label: string) => ({ hasText: label })
const origin = (name: 'default' | 'own') => fill(originWords.label, { origin: originWords[name] })

test('a value says where it comes from and goes back to its default', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  const { label } = settingWords.contact_disabled_text
  const row = page.locator('.setting', rowOf(label))
  const field = page.getByRole('textbox', { name: label })
  await expect(row).toContainText(origin('default'))
  await field.fill('Vuelvo en mayo.')
  await field.press('Enter')
  await expect(row).toContainText(ownerTexts.saved)
  await expect(row).toContainText(origin('own'))
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: fill(originWords.resetOf, { name: label }) }).click()
  await expect(field).toHaveValue(defaultSettings.contact_disabled_text)
  await expect(row).toContainText(origin('default'))
  await isDrained(page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({ contact_disabled_text: defaultSettings.contact_disabled_text })
})

test('a number out of bounds is refused in the row itself', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  const { label } = settingWords.max_image_mb
  const field = page.getByRole('textbox', { name: label })
  await field.fill('50')
  await field.blur()
  const row = page.locator('.setting', rowOf(label))
  await expect(row).toContainText(fill(valueErrors.number, { min: 1, max: 10 }))
  await expect(field).toHaveAttribute('aria-invalid', 'true')
})

test('the notice reaches visitors without a new build, as the link it is', async ({
  device,
  site,
}) => {
  await site.call('PUT', 'config', {
    body: { banner_text: 'Charla el jueves', banner_url: 'https://example.com/charla' },
  })
  const page = await device.tab()
  await visit(page, '/')
  await expect(page.getByRole('link', { name: 'Charla el jueves' })).toHaveAttribute(
    'href',
    'https://example.com/charla',
  )
})
