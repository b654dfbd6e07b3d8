import type { Page } from 'playwright/test'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project as projectSection } from '#contract/sections/project.ts'
import type { Section } from '#contract/sections/section.ts'
import { defaultSettings } from '#contract/settings/defaults.ts'
import { originWords, settingWords } from '#contract/texts/setting-words.ts'
import { fill } from '#contract/text.ts'
import { binTexts } from '#contract/texts/bin.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { settingsTexts } from '#contract/texts/settings.ts'
import { texts } from '#contract/texts/site.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect } from '#tests/support/browser.ts'
import { test, visit } from '#tests/support/device.ts'
import { isDrained, ownerTab } from '#tests/support/queue.ts'

test.use({ writes: true })

const project: Section = projectSection
const rowOf = (label: string) => ({ hasText: label })
const origin = (name: 'own') => fill(originWords.label, { origin: originWords[name] })

test('a technical value says where it comes from and goes back to its default', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#avanzado' })
  const { label } = settingWords.notice_seconds
  const row = page.locator('.setting', rowOf(label))
  const field = page.getByRole('textbox', { name: label })
  const back = row.getByRole('button', { name: fill(settingsTexts.resetTo, { value: '3' }) })
  await expect(row).toContainText('notice_seconds')
  await expect(back).toHaveCount(0)
  await field.fill('4')
  await field.press('Enter')
  await expect(row).toContainText(ownerTexts.saved)
  await expect(row).toContainText(origin('own'))
  await expect(field).toBeFocused()
  await expect(row).not.toContainText(ownerTexts.saved)
  await back.click()
  await expect(field).toHaveValue(defaultSettings.notice_seconds)
  await expect(row).not.toContainText(origin('own'))
  await isDrained(page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({ notice_seconds: defaultSettings.notice_seconds })
  // A switch is turned back in words.
  const closed = page.locator('.setting', rowOf(settingWords.maintenance_readonly.label))
  await closed.getByRole('switch').click()
  const off = closed.getByRole('button', { name: settingsTexts.resetToOff })
  await off.press('Enter')
  await expect(closed.getByRole('switch')).toBeFocused()
  await expect(closed.getByRole('switch')).not.toBeChecked()
  await expect(off).toHaveCount(0)
})

test('a number out of bounds is refused in the row itself', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#avanzado' })
  const { label } = settingWords.max_image_mb
  const field = page.getByRole('textbox', { name: label })
  await field.fill('50')
  await field.blur()
  const row = page.locator('.setting', rowOf(label))
  await expect(row).toContainText(fill(valueErrors.number, { min: 1, max: 10 }))
  await expect(field).toHaveAttribute('aria-invalid', 'true')
})

/** The colour of a token on the page as it is. */
const tokenOf = (page: Page, name: string) =>
  page.evaluate((token) => {
    const probe = document.body.appendChild(document.createElement('p'))
    probe.style.color = `var(${token})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, name)

test('what is wrong with a setting is said in the colour of errors', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#avanzado' })
  const field = page.getByRole('textbox', { name: settingWords.max_image_mb.label })
  await field.fill('50')
  await field.blur()
  const error = page.locator('.setting .field-error', rowOf('10')).filter({ visible: true })
  const faults = await faultsInEveryLook(page, async () => {
    await expect(error).toHaveCount(1)
    await expect(error).toHaveCSS('color', await tokenOf(page, '--danger'))
    expect(await tokenOf(page, '--danger')).not.toBe(await tokenOf(page, '--ink-3'))
  })
  expect(faults).toEqual([])
})

test('the index says what is being read, however it came into sight', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await page.setViewportSize({ width: 1440, height: 800 })
  const current = page.locator('.settings-nav a[aria-current="true"]')
  await expect(current).toHaveAttribute('href', '#perfil')
  const ids = await page
    .locator('.settings .group')
    .evaluateAll((groups) => groups.map(({ id }) => id))
  for (const id of [...ids, ...ids.toReversed()]) {
    // The last ones are too short to reach the top; of them the page's end says the very last.
    const isReached = await page.evaluate((group) => {
      const title = document.getElementById(group)
      title?.scrollIntoView({ block: 'start', behavior: 'instant' })
      return title !== null && title.getBoundingClientRect().top < innerHeight / 3
    }, id)
    const isAtEnd = await page.evaluate(
      () => scrollY + innerHeight >= document.documentElement.scrollHeight - 2,
    )
    if (isReached && !isAtEnd) await expect(current).toHaveAttribute('href', `#${id}`)
  }
  await page.mouse.move(900, 400)
  await page.mouse.wheel(0, 100_000)
  await expect(current).toHaveAttribute('href', `#${ids.at(-1)}`)
  await page.mouse.wheel(0, -100_000)
  await expect(current).toHaveAttribute('href', '#perfil')
  // Of a group alone, as on a phone, a wider window makes the whole page again.
  await page.goto('/settings#notificaciones')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => scrollTo(0, 0))
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.evaluate(() => scrollTo(0, 0))
  await expect(current).toHaveAttribute('href', '#perfil')
})

/** What is scrolled has been seen by the page when the second one is drawn. */
const twoFrames = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )

test('on a tall screen too each group has its turn in the index', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  // So tall that the titles of the last two groups never reach its upper third.
  await page.setViewportSize({ width: 1440, height: 1400 })
  const current = page.locator('.settings-nav a[aria-current="true"]')
  await expect(current).toHaveAttribute('href', '#perfil')
  const links = page.locator('.settings-nav a')
  const all = await links.evaluateAll((every) => every.map((link) => link.getAttribute('href')))
  const seen = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const turns: (string | null | undefined)[] = []
    const end = document.documentElement.scrollHeight - innerHeight
    for (let top = 0; top < end + 20; top += 20) {
      scrollTo({ top, behavior: 'instant' })
      await frame()
      await frame()
      const now = document.querySelector('.settings-nav a[aria-current]')?.getAttribute('href')
      if (now !== turns.at(-1)) turns.push(now)
    }
    return turns
  })
  expect(seen).toEqual(all)
})

test('what is pressed in the index is what is being read, pressed again too, until the page is scrolled', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  const current = page.locator('.settings-nav a[aria-current="true"]')
  const links = page.locator('.settings-nav a')
  // So short that each title reaches the top, so tall that the last ones stay below it, and in between.
  for (const height of [700, 1000, 1200, 1600, 1920]) {
    await page.setViewportSize({ width: 1440, height })
    for (const href of ['#aplicacion', '#acceso', '#notificaciones', '#contacto', '#aplicacion']) {
      await links.and(page.locator(`[href="${href}"]`)).click()
      await expect(page.locator(href).getByRole('heading', { level: 2 })).toBeInViewport()
      await twoFrames(page)
      await expect(current, `${href} at ${height}`).toHaveAttribute('href', href)
    }
    await page.mouse.move(900, 400)
    await page.mouse.wheel(0, -100_000)
    await expect(current).toHaveAttribute('href', '#perfil')
    // The address is the same as before.
    await links.and(page.locator('[href="#aplicacion"]')).click()
    await expect(page.locator('#aplicacion').getByRole('heading', { level: 2 })).toBeInViewport()
    await twoFrames(page)
    await expect(current).toHaveAttribute('href', '#aplicacion')
    await page.mouse.move(900, 400)
    await page.mouse.wheel(0, -100_000)
    await expect(current).toHaveAttribute('href', '#perfil')
    await page.keyboard.press('End')
    await expect(current).toHaveAttribute('href', '#avanzado')
  }
})

test('the index follows a reload, Back and a window that is made wider', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await page.setViewportSize({ width: 1440, height: 1000 })
  const current = page.locator('.settings-nav a[aria-current]')
  const link = (href: string) => page.locator(`.settings-nav a[href="${href}"]`)
  await link('#aplicacion').click()
  await link('#contacto').click()
  await expect(page.locator('#contacto').getByRole('heading', { level: 2 })).toBeInViewport()
  await page.goBack()
  await expect(page.locator('#aplicacion').getByRole('heading', { level: 2 })).toBeInViewport()
  await twoFrames(page)
  await expect(current).toHaveAttribute('href', '#aplicacion')
  // The router goes back to where the page was left, not to the group of its address.
  await page.mouse.move(900, 400)
  await page.evaluate(() => scrollTo({ top: 600, behavior: 'instant' }))
  await twoFrames(page)
  await page.reload()
  await expect(current).not.toHaveAttribute('href', '#aplicacion')
  await page.keyboard.press('End')
  await expect(current).toHaveAttribute('href', '#avanzado')
  // On a phone the index stands alone, and nothing of it is being read.
  await visit(page, '/settings')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(link('#aplicacion')).toBeVisible()
  await expect(current).toHaveCount(0)
  await link('#aplicacion').click()
  await expect(link('#aplicacion')).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.mouse.wheel(0, 100_000)
  await expect(current).toHaveAttribute('href', '#avanzado')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goBack()
  await expect(link('#aplicacion')).toBeVisible()
  await expect(current).toHaveCount(0)
})

test('what was folded by hand is opened again from the index, and on a phone by itself', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await page.setViewportSize({ width: 1440, height: 1000 })
  const row = page.locator('#avanzado .setting').first()
  const line = page.locator('#avanzado summary')
  const link = page.locator('.settings-nav a[href="#avanzado"]')
  await link.click()
  await expect(row).toBeVisible()
  await line.click()
  await expect(row).toBeHidden()
  await link.click()
  await expect(row).toBeVisible()
  await line.click()
  await expect(row).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row).toBeVisible()
  await expect(line).toBeHidden()
})

test('a sentence is read whole in its field, and stays one line', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#contacto' })
  const { label } = settingWords.contact_disabled_text
  const field = page.getByRole('textbox', { name: label })
  const hidden = () =>
    field.evaluate((box) => [
      box.scrollWidth - box.clientWidth,
      box.scrollHeight - box.clientHeight,
    ])
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(field).toHaveValue(defaultSettings.contact_disabled_text)
    await expect.poll(hidden).toEqual([0, 0])
    // A longer sentence stands under the shorter one, edge to edge.
    const edges = await page
      .locator('#contacto textarea')
      .evaluateAll((boxes) => boxes.map((box) => Math.round(box.getBoundingClientRect().right)))
    expect(new Set(edges).size).toBe(1)
  }
  await field.fill('El formulario está cerrado.\nVuelve en marzo.')
  await expect(field).toHaveValue('El formulario está cerrado. Vuelve en marzo.')
  await field.press('Enter')
  await expect(page.locator('.setting', rowOf(label))).toContainText(ownerTexts.saved)
  await expect(field).toHaveValue('El formulario está cerrado. Vuelve en marzo.')
  await isDrained(page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({
    contact_disabled_text: 'El formulario está cerrado. Vuelve en marzo.',
  })
})

test('her pages elsewhere stand under a heading of their own', async ({ device, site }) => {
  await site.call('PUT', 'config', { body: { profile_urls: 'https://mastodon.social/@lucia' } })
  const page = await ownerTab(device, { site, path: '/settings#perfil' })
  const elsewhere = page.locator('#perfil h3', rowOf(settingsTexts.profiles)).locator('+ .card')
  await expect(elsewhere.locator('b')).toHaveText([
    settingWords.linkedin_url.label,
    settingWords.github_url.label,
    'mastodon.social',
  ])
  await expect(elsewhere.getByRole('button', { name: settingsTexts.addLink })).toBeVisible()
})

test('an example in a field is read to its end, on a phone too', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  for (const width of [360, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const [group, { label }] of [
      ['perfil', settingWords.birth_date],
      ['aviso', settingWords.banner_until],
    ] as const) {
      await visit(page, `/settings#${group}`)
      const field = page.getByRole('textbox', { name: label })
      await expect(field).toBeVisible()
      const cut = await field.evaluate((input: HTMLInputElement) => {
        const twin = input.cloneNode() as HTMLInputElement
        twin.value = input.placeholder
        input.after(twin)
        const by = twin.scrollWidth - twin.clientWidth
        twin.remove()
        return by
      })
      expect(cut, `${label} at ${width}`).toBe(0)
    }
  }
})

test('that a setting is saved moves nothing, however narrow the screen and long its name', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#contacto' })
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const { label } of [settingWords.contact_reply_text, settingWords.contact_disabled_text]) {
      await visit(page, '/settings#contacto')
      const row = page.locator('.setting', rowOf(label))
      const field = page.getByRole('textbox', { name: label })
      await expect(field).toBeVisible()
      const height = () => row.evaluate((box) => box.getBoundingClientRect().height)
      // The field itself is as high as what is typed.
      await field.fill(`Vuelvo a ${width}`)
      const before = await height()
      await field.blur()
      await expect(row.locator('.saved')).toHaveText(ownerTexts.saved)
      expect(await height(), `${label} at ${width}`).toBe(before)
    }
  }
})

test('no technical name stands outside what is closed', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await expect(page.getByRole('heading', { name: settingsTexts.profile })).toBeVisible()
  const groups = page.locator('.group:not(#avanzado)')
  for (const words of await groups.allInnerTexts()) expect(words).not.toMatch(/[a-z]_[a-z]/)
  await expect(page.locator('#avanzado .setting').first()).toBeHidden()
})

test('the notice is shown as it will be while it is typed, and its day in words', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#aviso' })
  const preview = page.locator('#aviso .mini-site')
  await expect(preview).toHaveCount(0)
  // No other place of the settings is where one is.
  await expect(page.getByRole('main').getByRole('link', { name: binTexts.open })).toBeAttached()
  await expect(page.locator('main [aria-current="page"]')).toHaveCount(0)
  const text = page.getByRole('textbox', { name: settingWords.banner_text.label })
  await text.fill('Doy un taller.')
  await expect(preview).toContainText('Doy un taller.')
  await text.press('Enter')
  const day = page.getByRole('textbox', { name: settingWords.banner_until.label })
  await day.fill('el jueves')
  await day.blur()
  await expect(page.locator('#aviso')).toContainText(valueErrors.date)
  // The preview does not name what is no day.
  await expect(preview.locator('xpath=preceding-sibling::*[1]')).not.toContainText('el jueves')
  await day.fill('31/12/2099')
  await day.blur()
  await expect(day).toHaveValue('31 de diciembre de 2099')
  await expect(page.locator('#aviso')).toContainText(
    fill(settingsTexts.previewUntil, { date: '31 de diciembre de 2099' }),
  )
  await isDrained(page)
  const { json } = await site.call('GET', 'config', { token: null })
  expect(json).toMatchObject({ banner_text: 'Doy un taller.', banner_until: '2099-12-31' })
})

test('the preview of the notice follows what another device stores', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#aviso' })
  const preview = page.locator('#aviso .mini-site')
  const text = page.getByRole('textbox', { name: settingWords.banner_text.label })
  await text.fill('Doy un taller.')
  await text.press('Enter')
  await isDrained(page)
  await site.call('PUT', 'config', { body: { banner_text: 'Doy dos talleres.' } })
  // She comes back to the page again and again: a reading that is under way brings what stood before.
  const seenAgain = async () => {
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    return text.inputValue()
  }
  await expect.poll(seenAgain).toBe('Doy dos talleres.')
  await expect(preview).toContainText('Doy dos talleres.')
})

test('the way to install that goes with its press gives the focus on', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#aplicacion' })
  await page.evaluate(() => {
    const prompt = async () => ({ outcome: 'accepted' })
    dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }))
  })
  const install = page.locator('#aplicacion').getByRole('button', { name: offlineTexts.install })
  await install.press('Enter')
  await expect(install).toHaveCount(0)
  await expect(page.locator('#aplicacion-title')).toBeFocused()
})

test('a copy that could not be deleted is said in the colour of errors', async ({
  device,
  site,
  watch,
}) => {
  watch.expect(/could not be deleted/)
  const page = await ownerTab(device, { site, path: '/settings#aplicacion' })
  await page.evaluate(() => {
    CacheStorage.prototype.delete = () => Promise.reject(new Error('closed'))
    Cache.prototype.delete = () => Promise.reject(new Error('closed'))
  })
  await page.getByRole('button', { name: ownerTexts.dropCopy }).click()
  await expect(page.getByText(ownerTexts.copyNotDropped)).toHaveClass(/field-error/)
})

test('a day picked in the calendar takes the place of what was no day', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#aviso' })
  const { label } = settingWords.banner_until
  const row = page.locator('.setting', rowOf(label))
  const day = page.getByRole('textbox', { name: label })
  await day.fill('el jueves')
  await day.blur()
  await expect(row).toContainText(valueErrors.date)
  await row.locator('input.calendar').fill('2098-05-02', { force: true })
  await expect(day).toHaveValue('2 de mayo de 2098')
})

test('a number that was refused goes when its setting is reset', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#avanzado' })
  const { label } = settingWords.notice_seconds
  const row = page.locator('.setting', rowOf(label))
  const field = page.getByRole('textbox', { name: label })
  await field.fill('4')
  await field.press('Enter')
  await expect(row).toContainText(origin('own'))
  await field.fill('muchos')
  await field.blur()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await row.getByRole('button', { name: fill(settingsTexts.resetTo, { value: '3' }) }).click()
  await expect(row).not.toContainText(origin('own'))
  await expect(field).toHaveValue('3')
})

test('a theme is seen before visitors have it, and the device may choose', async ({
  device,
  browser,
  site,
}) => {
  const page = await ownerTab(device, { site, path: '/settings#apariencia' })
  const preview = page.locator('#apariencia .mini-site')
  await expect(preview).toHaveCSS('color-scheme', 'dark')
  await page.locator('.themes label', { hasText: settingsTexts.themes.light }).click()
  await expect(preview).toHaveCSS('color-scheme', 'light')
  await page.locator('.themes label', { hasText: settingsTexts.themes.device }).click()
  await expect(page.getByRole('radio', { name: settingsTexts.themes.device })).toBeChecked()
  await isDrained(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    const visitor = await browser.newContext({ colorScheme })
    const first = await visitor.newPage()
    await first.goto(site.url)
    await expect(first.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await visitor.close()
  }
})

test('a switch turns a section off for visitors @main', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings#secciones' })
  const turn = page.getByRole('switch', { name: project.title })
  await expect(turn).toBeChecked()
  await turn.click()
  await expect(page.locator('#secciones li.off').filter({ hasText: project.title })).toContainText(
    settingsTexts.off,
  )
  await isDrained(page)
  expect((await fetchInTime(site.url + project.path)).status).toBe(404)
})

test('on a phone the index comes first, and a group alone', async ({ device, site }) => {
  const page = await ownerTab(device, { site, path: '/settings' })
  await page.setViewportSize({ width: 390, height: 800 })
  const line = page
    .getByRole('link', { name: settingsTexts.contact })
    .filter({ hasText: settingsTexts.open })
  const group = page.getByRole('heading', { name: settingsTexts.contact })
  await expect(group).toBeHidden()
  await expect(page.locator('.settings-nav')).toContainText('4 visibles · 2 apagadas')
  await line.press('Enter')
  await expect(group).toBeFocused()
  await expect(line).toBeHidden()
  await expect(page.getByRole('heading', { name: settingsTexts.profile })).toBeHidden()
  await page
    .getByRole('link', { name: texts.settings })
    .filter({ visible: true })
    .first()
    .press('Enter')
  await expect(line).toBeFocused()
  await page.goBack()
  await expect(group).toBeVisible()
})

test('a hidden section is nowhere for visitors, and her own page for its owner', async ({
  device,
  site,
}) => {
  await site.call('PUT', 'config', { body: { sections_hidden: project.key } })
  expect((await fetchInTime(site.url + project.path)).status).toBe(404)
  const visitor = await device.tab()
  await visit(visitor, project.path)
  await expect(visitor.getByRole('heading', { name: texts.notFound })).toBeVisible()
  await expect(visitor.getByRole('link', { name: project.title })).toHaveCount(0)
  await expect(visitor.getByRole('link', { name: texts.seeProjects })).toHaveCount(0)
  await visitor.close()
  const page = await ownerTab(device, { site, path: project.path })
  await expect(page.getByRole('heading', { name: project.title, level: 1 })).toBeVisible()
  await expect(page.locator('main li').filter({ visible: true }).first()).toBeVisible()
})

test('the notice reaches visitors without a new build, as the link it is @main', async ({
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

test('what will be said has its place on the page before, where a screen reader listens', async ({
  device,
  site,
}) => {
  await site.call('POST', ownerCalls.backups)
  const page = await ownerTab(device, { site, path: '/settings#datos' })
  const silent = () =>
    page
      .locator('main :is([role="status"], [role="alert"])')
      .evaluateAll((lines) =>
        lines
          .filter((line) => line.parentElement?.checkVisibility() && !line.checkVisibility())
          .map(({ outerHTML }) => outerHTML),
      )
  await expect(page.locator('.backups .rows li')).toHaveCount(1)
  expect(await silent()).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  for (const place of ['perfil', 'notificaciones', 'datos', 'acceso', 'avanzado']) {
    await page.goto(`/settings#${place}`)
    await expect(page.locator(`#${place}-title`)).toBeVisible()
    expect(await silent(), place).toEqual([])
  }
})
