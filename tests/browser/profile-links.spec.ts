import type { Locator, Page } from 'playwright/test'
import { problems } from '#contract/problem.ts'
import { maxAddresses } from '#contract/settings/kinds.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { fieldErrors, texts } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { accessibilityFaults, faultsInEveryLook } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { databaseText, test, visit } from '#tests/support/device.ts'
import { misfitsNow } from '#tests/support/fit.ts'
import { isDrained, ownerTab, queued, sendQueue } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

/* Her pages elsewhere stand in rows, and a row's pencil turns it into its field. */

test.use({ writes: true })

const gitLab = 'https://gitlab.com/lucia'
const mastodon = 'https://mastodon.social/@lucia'
const codeberg = 'https://codeberg.org/lucia'

const list = (page: Page) => page.locator('#perfil .addresses > li')
const namesIn = (page: Page) => list(page).locator('b')
const rowOf = (page: Page, name: string) =>
  list(page).filter({ has: page.getByText(name, { exact: true }) })
const pencilOf = (page: Page, name: string) =>
  page.getByRole('button', { name: fill(settingsTexts.editLink, { name }), exact: true })
const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const adder = (page: Page) => page.getByRole('button', { name: settingsTexts.addLink })

const store = (site: Site, values: Readonly<Record<string, string>>) =>
  site.call('PUT', 'config', { body: values })
const stored = async (site: Site, key = 'profile_urls') =>
  (await site.call('GET', 'config', { token: null })).json[key]

const openSettings = (device: Parameters<typeof ownerTab>[0], site: Site) =>
  ownerTab(device, { site, path: '/settings#perfil' })

/** The settings that the page sends from now on. */
function sentBy(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  return sent
}

async function open(page: Page, name: string): Promise<Locator> {
  await pencilOf(page, name).click()
  const field = fieldOf(page, name)
  await expect(field).toBeFocused()
  return field
}

test('an address is read in its row, changed in place and saved, and the focus is back on its pencil @main', async ({
  device,
  site,
}) => {
  await store(site, { linkedin_url: 'https://www.linkedin.com/in/lucia/' })
  const page = await openSettings(device, site)
  const row = rowOf(page, texts.linkedin)
  await expect(row.locator('small')).toHaveText('linkedin.com/in/lucia')
  await expect(page.locator('#perfil .addresses input')).toHaveCount(0)
  const field = await open(page, texts.linkedin)
  await expect(field).toHaveValue('https://www.linkedin.com/in/lucia/')
  await field.fill('linkedin.com/in/lucia-otra')
  await field.press('Enter')
  await expect(field).toHaveCount(0)
  await expect(row.locator('small')).toHaveText('linkedin.com/in/lucia-otra')
  await expect(row).toContainText(ownerTexts.saved)
  await expect(pencilOf(page, texts.linkedin)).toBeFocused()
  await isDrained(page)
  expect(await stored(site, 'linkedin_url')).toBe('linkedin.com/in/lucia-otra')
})

test('a field that is left as it was closes and sends nothing, and Escape puts back what was typed over', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: gitLab })
  const page = await openSettings(device, site)
  const sent = sentBy(page)
  for (const name of [texts.github, 'gitlab.com']) {
    const row = rowOf(page, name)
    const address = (await row.locator('small').textContent()) ?? ''
    const field = await open(page, name)
    await field.press('Tab')
    await expect(field).toHaveCount(0)
    await expect(row).not.toContainText(ownerTexts.saved)

    await open(page, name)
    await field.fill('no es un enlace')
    await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('no es un enlace')
    await field.press('Enter')
    await expect(row).toContainText(fieldErrors.url)
    await field.press('Escape')
    await expect(field).toHaveCount(0)
    await expect(row.locator('small')).toHaveText(address)
    await expect(row).not.toContainText(fieldErrors.url)
    await expect(pencilOf(page, name)).toBeFocused()
    await expect.poll(() => databaseText(page, 'tintero-drafts')).not.toContain('no es un enlace')
  }
  await adder(page).press('Enter')
  await fieldOf(page, settingsTexts.newLink).pressSequentially('codeberg.org')
  await page.keyboard.press('Escape')
  await expect(namesIn(page)).toHaveText([texts.linkedin, texts.github, 'gitlab.com'])
  await expect(adder(page)).toBeFocused()
  await isDrained(page)
  expect(sent).toEqual([])
})

test('addresses are added, changed and removed by keyboard alone', async ({ device, site }) => {
  await store(site, { profile_urls: '' })
  const page = await openSettings(device, site)
  const { keyboard } = page
  await pencilOf(page, texts.github).focus()
  await keyboard.press('Tab')
  await expect(adder(page)).toBeFocused()
  for (const address of [gitLab, mastodon, codeberg]) {
    await keyboard.press('Enter')
    await expect(fieldOf(page, settingsTexts.newLink)).toBeFocused()
    await keyboard.type(address)
    await keyboard.press('Enter')
    await expect(adder(page)).toBeFocused()
  }
  const sites = ['gitlab.com', 'mastodon.social', 'codeberg.org']
  await expect(namesIn(page)).toHaveText([texts.linkedin, texts.github, ...sites])
  await expect(rowOf(page, 'codeberg.org')).toContainText(ownerTexts.saved)
  await isDrained(page)
  expect(await stored(site)).toBe([gitLab, mastodon, codeberg].join('\n'))

  // From the last one back to the one before.
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
  await expect(pencilOf(page, 'mastodon.social')).toBeFocused()
  await keyboard.press('Enter')
  await expect(fieldOf(page, 'mastodon.social')).toBeFocused()
  await keyboard.press('End')
  await keyboard.type('.otra')
  await expect(fieldOf(page, 'mastodon.social')).toHaveValue(`${mastodon}.otra`)
  await keyboard.press('Tab')
  await expect(pencilOf(page, 'codeberg.org')).toBeFocused()
  await isDrained(page)
  expect(await stored(site)).toBe([gitLab, `${mastodon}.otra`, codeberg].join('\n'))

  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await keyboard.press('ControlOrMeta+a')
  await keyboard.press('Backspace')
  await expect(fieldOf(page, 'mastodon.social')).toHaveValue('')
  await keyboard.press('Enter')
  await expect(namesIn(page)).toHaveText([
    texts.linkedin,
    texts.github,
    'gitlab.com',
    'codeberg.org',
  ])
  await expect(page.locator('#perfil .add-row')).toContainText(ownerTexts.saved)
  await expect(adder(page)).toBeFocused()
  await isDrained(page)
  expect(await stored(site)).toBe([gitLab, codeberg].join('\n'))
})

test('an emptied LinkedIn keeps its row, to be filled again', async ({ device, site }) => {
  const page = await openSettings(device, site)
  const row = rowOf(page, texts.linkedin)
  const field = await open(page, texts.linkedin)
  await field.fill('')
  await field.press('Enter')
  await expect(row.locator('small')).toHaveText(settingsTexts.noLink)
  await isDrained(page)
  expect(await stored(site, 'linkedin_url')).toBe('')
  await page.reload()
  await expect(row.locator('small')).toHaveText(settingsTexts.noLink)
  await open(page, texts.linkedin)
  await field.fill('linkedin.com/in/lucia')
  await field.blur()
  await expect(row.locator('small')).toHaveText('linkedin.com/in/lucia')
})

test('what is no address stays in its field with the reason, over a reload too, and is in the way of no other', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: `${gitLab}\n${mastodon}` })
  const page = await openSettings(device, site)
  const hers = await open(page, texts.github)
  await hers.fill('javascript:alert(1)')
  await hers.blur()
  await expect(hers).toHaveValue('javascript:alert(1)')
  await expect(hers).toHaveAttribute('aria-invalid', 'true')
  await expect(hers).toHaveAccessibleDescription(new RegExp(fieldErrors.url))
  const first = await open(page, 'gitlab.com')
  await first.fill('mi casa')
  await first.blur()
  await expect(first).toHaveAttribute('aria-invalid', 'true')
  await expect(rowOf(page, 'gitlab.com')).toContainText(fieldErrors.url)

  const second = await open(page, 'mastodon.social')
  await second.fill(codeberg)
  await second.press('Enter')
  await expect(pencilOf(page, 'codeberg.org')).toBeFocused()
  await expect(rowOf(page, 'codeberg.org')).not.toContainText(fieldErrors.url)
  await expect(rowOf(page, 'mi casa')).toContainText(fieldErrors.url)
  expect(await stored(site)).toBe(`${gitLab}\n${mastodon}`)

  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(codeberg)
  await page.reload()
  for (const name of [texts.github, 'mi casa']) {
    await expect(rowOf(page, name)).toContainText(fieldErrors.url)
  }
  await expect(rowOf(page, texts.github).locator('small')).toHaveText('javascript:alert(1)')
  await expect(rowOf(page, 'codeberg.org')).not.toContainText(fieldErrors.url)
  const again = await open(page, 'mi casa')
  await again.fill('ejemplo.com')
  await again.press('Enter')
  await expect.poll(() => stored(site)).toBe(`ejemplo.com\n${codeberg}`)
  await expect(rowOf(page, 'ejemplo.com')).toContainText(ownerTexts.saved)
})

test('one address too many is told in its own row, which Escape takes away', async ({
  device,
  site,
}) => {
  const many = Array.from({ length: maxAddresses }, (_, n) => `https://a${n}.example.com/lucia`)
  await store(site, { profile_urls: many.join('\n') })
  const page = await openSettings(device, site)
  await adder(page).click()
  const field = fieldOf(page, settingsTexts.newLink)
  await field.fill(gitLab)
  await field.press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(gitLab)
  const why = fill(valueErrors.urls, { max: maxAddresses })
  await expect(field).toHaveAccessibleDescription(new RegExp(why))
  await field.press('Escape')
  await expect(list(page)).toHaveCount(maxAddresses + 2)
  await expect(page.locator('#perfil')).not.toContainText(why)
  await isDrained(page)
  expect(await stored(site)).toBe(many.join('\n'))
})

test('on a phone the name on the edge of the open field covers nothing that is typed there', async ({
  device,
  site,
}) => {
  const page = await openSettings(device, site)
  await page.setViewportSize({ width: 390, height: 900 })
  const field = await open(page, texts.github)
  const name = rowOf(page, texts.github).locator('div:not(.field)')
  const [bottom, text] = [
    await name.evaluate((box) => box.getBoundingClientRect().bottom),
    await field.evaluate((input) => {
      const { top, height } = input.getBoundingClientRect()
      return top + (height - Number.parseFloat(getComputedStyle(input).lineHeight)) / 2
    }),
  ]
  expect(bottom).toBeLessThanOrEqual(text)
})

test('one press on another pencil saves the open row and opens that one, and nothing moves under it', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: gitLab })
  const page = await openSettings(device, site)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const rows = page.locator('#perfil .addresses')
    const { height } = (await rows.boundingBox()) ?? {}
    await open(page, texts.linkedin)
    for (const [name, next] of [
      [texts.linkedin, texts.github],
      [texts.github, 'gitlab.com'],
    ] as const) {
      expect(await rows.boundingBox()).toMatchObject({ height })
      const field = fieldOf(page, name)
      await field.fill(`example.com/${width}`)
      await pencilOf(page, next).click()
      await expect(field).toHaveCount(0)
      await expect(fieldOf(page, next)).toBeFocused()
      await expect(rowOf(page, name).locator('small')).toHaveText(`example.com/${width}`)
    }
    await page.keyboard.press('Escape')
  }
})

test('whoever looks up the address in another window comes back to its field', async ({
  device,
  site,
}) => {
  const page = await openSettings(device, site)
  const sent = sentBy(page)
  const field = await open(page, texts.linkedin)
  // What a browser tells the page when its window loses the focus: the field keeps its own.
  await field.dispatchEvent('focusout')
  await expect(field).toBeFocused()
  await field.fill('linkedin.com/in/lu')
  await field.dispatchEvent('focusout')
  await expect(field).toBeFocused()
  await page.keyboard.type('cia')
  expect(sent).toEqual([])
  await field.press('Tab')
  await isDrained(page)
  expect(await stored(site, 'linkedin_url')).toBe('linkedin.com/in/lucia')
})

test('a press that leaves an emptied row opens no other row than the one it began on', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: [gitLab, mastodon, codeberg].join('\n') })
  const page = await openSettings(device, site)
  const field = await open(page, 'gitlab.com')
  await field.fill('')
  // The one after it comes to stand where the press ends.
  await pencilOf(page, 'mastodon.social').click()
  await expect(pencilOf(page, 'gitlab.com')).toHaveCount(0)
  await expect(fieldOf(page, 'codeberg.org')).toHaveCount(0)
  await isDrained(page)
  expect(await stored(site)).toBe([mastodon, codeberg].join('\n'))
})

test('what is being typed in a row is not taken away when the list changes elsewhere', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: `${gitLab}\n${mastodon}` })
  const page = await openSettings(device, site)
  const field = await open(page, 'mastodon.social')
  await field.fill(`${mastodon}.`)
  const other = await ownerTab(device, { site, path: '/settings#perfil' })
  await (await open(other, 'gitlab.com')).fill('')
  await other.keyboard.press('Enter')
  // The place of its draft is the other tab's, which it waits for before it is queued.
  await expect.poll(() => stored(site)).toBe(mastodon)
  await isDrained(other)
  const input = page.locator('#perfil .addresses input')
  await expect(input).toHaveValue(`${mastodon}.`)
  await input.focus()
  await page.keyboard.press('End')
  await page.keyboard.type('otra')
  await expect(input).toHaveValue(`${mastodon}.otra`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(`${mastodon}.otra`)
})

test('an address that was being typed when its page was closed is saved by the next page, with its row closed', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: gitLab, github_url: '' })
  const page = await openSettings(device, site)
  await (await open(page, texts.github)).fill('github.com/lucia')
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain('github.com/lucia')
  await page.reload()
  await expect(rowOf(page, texts.github).locator('small')).toHaveText('github.com/lucia')
  await expect.poll(() => stored(site, 'github_url')).toBe('github.com/lucia')
  await adder(page).click()
  await fieldOf(page, settingsTexts.newLink).fill(mastodon)
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(mastodon)
  await page.goto('about:blank')
  await visit(page, '/settings#perfil')
  await expect(page.locator('#perfil .addresses input')).toHaveCount(0)
  await expect.poll(() => stored(site)).toBe(`${gitLab}\n${mastodon}`)
  await expect(rowOf(page, 'mastodon.social')).toBeVisible()
})

test('an address added without a connection stands in the list at once, and is sent later', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: gitLab })
  const page = await openSettings(device, site)
  await device.context.setOffline(true)
  await adder(page).click()
  await fieldOf(page, settingsTexts.newLink).fill(mastodon)
  await page.keyboard.press('Enter')
  await expect.poll(() => queued(page)).toHaveLength(1)
  await expect(rowOf(page, 'mastodon.social')).not.toContainText(ownerTexts.saved)
  await page.reload()
  await expect(namesIn(page)).toHaveText([
    texts.linkedin,
    texts.github,
    'gitlab.com',
    'mastodon.social',
  ])
  expect(await stored(site)).toBe(gitLab)
  await sendQueue(device, page)
  expect(await stored(site)).toBe(`${gitLab}\n${mastodon}`)
})

for (const [choice, value] of [
  [ownerTexts.keepMine, `${gitLab}\n${codeberg}`],
  [ownerTexts.takeTheirs, mastodon],
] as const) {
  test(`«${choice}» answers a list of addresses that changed elsewhere while one was added`, async ({
    device,
    site,
  }) => {
    await store(site, { profile_urls: gitLab })
    const page = await openSettings(device, site)
    await adder(page).click()
    await fieldOf(page, settingsTexts.newLink).fill(codeberg)
    await store(site, { profile_urls: mastodon })
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: problems['version-cambiada'][2] })
    await expect(dialog).toContainText(mastodon)
    await expect(dialog).toContainText(codeberg)
    expect(await stored(site)).toBe(mastodon)
    await dialog.getByRole('button', { name: choice }).click()
    await expect.poll(() => stored(site)).toBe(value)
    await expect(namesIn(page)).toHaveCount(value.split('\n').length + 2)
    await isDrained(page)
  })
}

test('the focus of a row that another device removed goes to the button that adds one', async ({
  device,
  site,
}) => {
  await store(site, { profile_urls: `${gitLab}\n${mastodon}` })
  const page = await openSettings(device, site)
  const field = await open(page, 'mastodon.social')
  await field.fill(codeberg)
  await store(site, { profile_urls: gitLab })
  await field.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: ownerTexts.takeTheirs }).click()
  await expect(namesIn(page)).toHaveText([texts.linkedin, texts.github, 'gitlab.com'])
  await expect(adder(page)).toBeFocused()
})

test('the rows are without fault in every look, open and wrong, and hold long addresses at 320 px', async ({
  device,
  site,
}) => {
  const word = 'electroencefalografistasinterhospitalariasotorrinolaringolog'
  await store(site, {
    linkedin_url: `https://example.com/${word}`,
    profile_urls: `https://${word}.example.com/${word}`,
  })
  const page = await openSettings(device, site)
  expect(await faultsInEveryLook(page)).toEqual([])
  for (const name of [texts.linkedin, `${word}.example.com`]) {
    const field = await open(page, name)
    await field.fill(`https://${word} ${word}`)
    await field.press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  expect(await faultsInEveryLook(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  expect(await misfitsNow(page)).toEqual([])
  await adder(page).click()
  await expect(fieldOf(page, settingsTexts.newLink)).toBeFocused()
  expect(await misfitsNow(page)).toEqual([])
  expect(await accessibilityFaults(page)).toEqual([])
})
