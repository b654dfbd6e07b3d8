import type { CDPSession, Page } from 'playwright/test'
import { accessCalls, maxPasskeyName } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginTexts } from '#contract/access/login.ts'
import { problems } from '#contract/problem.ts'
import { fill } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { refuse } from '#tests/support/answers.ts'
import { accessibilityFaults, show } from '#tests/support/axe.ts'
import { expect, logOut, logOutButton, test, tokenOf } from '#tests/support/browser.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { owner } from '#tests/support/site.ts'

test.use({ writes: true })

const keyButton = (page: Page) => page.getByRole('button', { name: loginTexts.withKey })
const inKeys = (page: Page) =>
  page.getByRole('listitem').filter({ hasText: accessTexts.keyMade.split(' ')[0] ?? '' })

/** Chromium's own authenticator, which knows the person or refuses her. */
async function addAuthenticator(page: Page): Promise<{
  readonly cdp: CDPSession
  readonly authenticatorId: string
}> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function logIn(page: Page): Promise<void> {
  await page.goto('/login')
  await logInByForm(page)
  await expect(logOutButton(page)).toBeVisible()
}

async function openAccess(page: Page): Promise<void> {
  await page.goto('/settings')
  await expect(page.getByRole('heading', { name: accessTexts.keys })).toBeVisible()
}

async function addKey(page: Page): Promise<void> {
  await openAccess(page)
  await page.getByRole('button', { name: accessTexts.addKey }).click()
  await page.getByLabel(ownerTexts.currentPassword, { exact: true }).fill(owner.password)
  await page.locator('form').getByRole('button', { name: accessTexts.addKey }).click()
  await expect(inKeys(page)).toHaveCount(1)
}

async function logOutAtHome(page: Page): Promise<void> {
  await page.goto('/')
  await isHydrated(page)
  await logOut(page)
}

async function enterByKey(page: Page): Promise<void> {
  await page.goto('/login')
  await keyButton(page).click()
}

test('a passkey is added, signs in, is renamed and removed, and then signs in no more', async ({
  page,
  site,
}) => {
  await addAuthenticator(page)
  await logIn(page)
  await addKey(page)
  await expect(inKeys(page)).toContainText(accessTexts.keyUnused)
  await logOutAtHome(page)

  await enterByKey(page)
  await expect(logOutButton(page)).toBeVisible()
  const headers = { authorization: `Bearer${await tokenOf(page)}` }
  expect((await fetchInTime(`${site.url}/api/${ownerCalls.messages}`, { headers })).status).toBe(
    200,
  )

  await openAccess(page)
  await page.getByRole('button', { name: accessTexts.rename, exact: false }).click()
  await page.getByLabel(accessTexts.newName).fill('Portátil')
  await page.keyboard.press('Enter')
  await expect(inKeys(page)).toContainText('Portátil')
  await show(page, { theme: 'dark', width: 1440 })
  expect(await accessibilityFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(`/settings#${otherPlaces.access}`)
  const remove = fill(accessTexts.removeOf, { name: 'Portátil' })
  await page.getByRole('button', { name: remove }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(accessTexts.removeLast)
  await expect(dialog.getByRole('button', { name: accessTexts.keepKey })).toBeFocused()
  // On a phone it is a sheet.
  const place = () => dialog.evaluate((box) => box.getBoundingClientRect().toJSON() as DOMRect)
  await expect.poll(place).toMatchObject({ left: 0, bottom: 900 })
  await dialog.getByRole('button', { name: accessTexts.removeKey }).click()
  await expect(inKeys(page)).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await logOutAtHome(page)

  await enterByKey(page)
  await expect(page.getByText(loginTexts.wrong).first()).toBeVisible()
  expect(await tokenOf(page)).toBe('')
})

test('by passkey the session is kept where she says so', async ({ page }) => {
  await addAuthenticator(page)
  await logIn(page)
  await addKey(page)
  await logOutAtHome(page)
  await page.goto('/login')
  await page.getByRole('checkbox', { name: loginTexts.keep }).check()
  await keyButton(page).click()
  await expect(logOutButton(page)).toBeVisible()
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, path }) => ({ name, path }))).toEqual([
    { name: '__Secure-tintero', path: `/api/${accessCalls.kept}` },
  ])
})

/** The colour of what went wrong, in the page's theme. */
function dangerColour(page: Page): Promise<string> {
  return page.evaluate(() => {
    const sample = document.body.appendChild(document.createElement('i'))
    sample.style.color = 'var(--danger)'
    const { color } = getComputedStyle(sample)
    sample.remove()
    return color
  })
}

test('a key that is not used is said under its button, and the password still signs in', async ({
  page,
}) => {
  const { cdp, authenticatorId } = await addAuthenticator(page)
  await logIn(page)
  await addKey(page)
  await logOutAtHome(page)
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await enterByKey(page)
  const said = page.getByRole('alert').filter({ hasText: loginTexts.keyUnused })
  await expect(said.getByRole('paragraph')).toHaveCSS('color', await dangerColour(page))
  await show(page, { theme: 'dark', width: 1440 })
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await tokenOf(page)).toBe('')
  await logIn(page)
  await expect(logOutButton(page)).toBeVisible()
})

test('a wrong password adds no key, and a browser without passkeys offers none', async ({
  page,
  browser,
  baseURL,
}) => {
  await addAuthenticator(page)
  await logIn(page)
  await openAccess(page)
  await page.getByRole('button', { name: accessTexts.addKey }).click()
  const box = page.getByLabel(ownerTexts.currentPassword, { exact: true })
  await box.fill('equivocada')
  await page.keyboard.press('Enter')
  await expect(box).toHaveAttribute('aria-invalid', 'true')
  await expect(box).toBeFocused()
  await expect(inKeys(page)).toHaveCount(0)

  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const without = await context.newPage()
  await without.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })
  await without.goto('/login')
  await expect(without.getByRole('button', { name: loginTexts.submit })).toBeVisible()
  await expect(keyButton(without)).toHaveCount(0)
  await context.close()
})

test('a name that cannot be saved stays in its field with the reason, and the focus goes on', async ({
  page,
  watch,
}) => {
  watch.expect(/503|ERR_FAILED/, /was not changed/)
  await addAuthenticator(page)
  await logIn(page)
  await addKey(page)
  await expect(page.getByRole('button', { name: accessTexts.addKey })).toBeFocused()
  const opener = page.getByRole('button', { name: accessTexts.rename, exact: false })
  await opener.click()
  const field = page.getByLabel(accessTexts.newName)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await opener.click()
  await field.fill('  ')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(fieldErrors.required)
  await expect(field).toBeFocused()
  await field.fill('x'.repeat(maxPasskeyName + 1))
  await expect(field).toHaveAccessibleDescription(fill(fieldErrors.tooLong, { n: maxPasskeyName }))
  await show(page, { theme: 'dark', width: 1440 })
  expect(await accessibilityFaults(page)).toEqual([])
  await field.fill('Portátil')
  const call = `**/api/${accessCalls.passkeys}/*`
  await page.route(call, (route) => refuse(route, 'mantenimiento'), { times: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByText(problems.mantenimiento[2])).toBeVisible()
  await expect(field).toHaveValue('Portátil')
  await expect(field).toBeFocused()
  await page.route(call, (route) => route.abort(), { times: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByText(accessTexts.notTold)).toBeVisible()
  await expect(field).toHaveValue('Portátil')
  await page.keyboard.press('Enter')
  await expect(inKeys(page)).toContainText('Portátil')
  await expect(opener).toBeFocused()
  await page.getByRole('button', { name: fill(accessTexts.removeOf, { name: 'Portátil' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: accessTexts.removeKey }).click()
  await expect(inKeys(page)).toHaveCount(0)
  await expect(page.locator('#acceso-title')).toBeFocused()
})
