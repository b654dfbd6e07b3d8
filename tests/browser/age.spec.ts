import { ageText } from '#contract/settings/age.ts'
import { sample } from '#contract/sample.ts'
import { ageWords, settingWords } from '#contract/texts/setting-words.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { texts } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { isDrained, ownerTab, sendQueue } from '#tests/support/queue.ts'

test.use({ writes: true })

const birth = '1992-03-14'
const birthInWords = '14 de marzo de 1992'
const { label } = settingWords.birth_date
const rowOf = (name: string) => ({ hasText: name })

test('an age follows from a birth date that only the owner gets', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#perfil' })
  const field = page.getByRole('textbox', { name: label })
  const row = page.locator('#perfil .setting', rowOf(label))
  await expect(page.getByRole('textbox', { name: settingWords.age_text.label })).toBeVisible()
  await field.fill('31 de febrero de 1992')
  await field.blur()
  await expect(row).toContainText(valueErrors.birth.replace('{max}', '130'))
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('14/3/1992')
  await field.blur()
  await expect(field).toHaveValue(birthInWords)
  const age = ageText(birth, new Date())
  const derived = page.getByRole('status', { name: settingWords.age_text.label })
  await expect(derived).toHaveText(age)
  await expect(page.locator('#perfil')).toContainText(ageWords.derived)
  await isDrained(page)
  const faults = await faultsInEveryLook(page, async () => {
    expect(await sidewaysOf(page)).toBeLessThanOrEqual(0)
  })
  expect(faults).toEqual([])

  for (const path of ['/about', '/resume.json', '/api/config']) {
    const text = await (await fetchInTime(site.url + path)).text()
    expect(text).toContain(age)
    expect(text).not.toMatch(/1992|birth/)
  }
  expect((await fetchInTime(`${site.url}/api/config/birth_date`)).status).toBe(401)
  await page.reload()
  await expect(field).toHaveValue(birthInWords)
  expect(await databaseText(page, 'tintero-cache')).not.toContain(birth)

  await field.fill('')
  await field.blur()
  await isDrained(page)
  const written = page.getByRole('textbox', { name: settingWords.age_text.label })
  await expect(written).toHaveValue(sample.settings['age_text'] ?? '')
  expect(await (await fetchInTime(`${site.url}/about`)).text()).not.toContain(age)
})

test('a birth date set offline is on her page at once, and arrives later', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/about' })
  await visit(page, '/settings')
  await device.context.setOffline(true)
  const field = page.getByRole('textbox', { name: label })
  await field.fill(birthInWords)
  await field.blur()
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  const age = ageText(birth, new Date())
  await page.goto('/about')
  const fact = page.locator('dl > div', { hasText: texts.factAge })
  await expect(fact).toContainText(age)
  await page.goto('/settings')
  await expect(field).toHaveValue(birthInWords)
  expect(await (await fetchInTime(`${site.url}/about`)).text()).not.toContain(age)
  await sendQueue(device, page)
  await expect.poll(async () => (await fetchInTime(`${site.url}/about`)).text()).toContain(age)
  await page.goto('/about')
  await expect(fact).toContainText(age)
})
