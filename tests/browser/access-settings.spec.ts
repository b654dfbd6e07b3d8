import type { Locator, Page } from 'playwright/test'
import { accessCalls, type OpenSession, type Passkey } from '#contract/access/access.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginTexts } from '#contract/access/login.ts'
import { emailChangeFields, passwordChangeFields } from '#contract/access/own-access.ts'
import { problems } from '#contract/problem.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { otherPlaces } from '#contract/texts/setting-words.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { answer, refuse } from '#tests/support/answers.ts'
import { faultsInBothThemes, lookWidths } from '#tests/support/axe.ts'
import { beginAnew, expect, logOutButton, test } from '#tests/support/browser.ts'
import { owner as credentials, type Site } from '#tests/support/site.ts'

test.use({ writes: true })

/** Signs in from another device; resolves to its token. */
async function signInFrom(site: Site, userAgent: string): Promise<string> {
  const signedIn = await fetchInTime(`${site.url}/api/${ownerCalls.login}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify(credentials),
  })
  return ((await signedIn.json()) as { readonly token: string }).token
}

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/605.1'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const isTaken = async (site: Site, token: string) =>
  (await site.call('GET', ownerCalls.messages, { token })).status === 200

test('the list says where she is signed in, this device first, and ends each or all others @main', async ({
  owner,
  site,
}) => {
  const [phone, other] = [await signInFrom(site, iPhone), await signInFrom(site, firefox)]
  await owner.goto('/settings#acceso')
  const rows = owner.locator('.slist').last().getByRole('listitem')
  await expect(rows.first()).toContainText(accessTexts.here)
  await expect(rows.first().getByRole('button')).toHaveCount(0)
  const phoneRow = rows.filter({ hasText: 'Safari en iPhone' })
  await expect(phoneRow).toContainText('Usada')
  const close = fill(accessTexts.closeOf, { name: 'Safari en iPhone' })
  await owner.getByRole('button', { name: close }).click()
  await expect(phoneRow).toHaveCount(0)
  await expect(
    owner.getByText(fill(accessTexts.closed, { name: 'Safari en iPhone' })),
  ).toBeVisible()
  expect(await isTaken(site, phone)).toBe(false)
  expect(await isTaken(site, other)).toBe(true)
  await owner.getByRole('button', { name: ownerTexts.signOutAll }).click()
  await expect(rows).toHaveCount(1)
  expect(await isTaken(site, other)).toBe(false)
})

test('all others are offered to be ended only where there is one, or nobody knows', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/503/, /Could not load access\/sessions/)
  const endOthers = owner.getByRole('button', { name: ownerTexts.signOutAll })
  const logOut = owner.locator('#acceso').getByRole('button', { name: ownerTexts.logout })
  await owner.goto('/settings#acceso')
  await expect(owner.locator('.slist .here')).toHaveText(accessTexts.here)
  await expect(logOut).toBeVisible()
  await expect(endOthers).toHaveCount(0)

  await signInFrom(site, iPhone)
  await owner.reload()
  await endOthers.press('Enter')
  await expect(owner.getByText(ownerTexts.othersEnded)).toBeVisible()
  await expect(endOthers).toHaveCount(0)
  await expect(owner.locator('#acceso-title')).toBeFocused()

  await owner.route(`**/api/${accessCalls.sessions}`, (route) => refuse(route, 'mantenimiento'))
  await owner.reload()
  await expect(owner.getByText(accessTexts.notRead)).toBeVisible()
  await expect(endOthers).toBeVisible()
})

const closeOf = (page: Page, name: string) =>
  page.getByRole('button', { name: fill(accessTexts.closeOf, { name }) })

test('two presses on one «Cerrar» close the session once, and the focus goes on', async ({
  owner,
  site,
}) => {
  await signInFrom(site, iPhone)
  await signInFrom(site, firefox)
  await owner.goto('/settings#acceso')
  const released = Promise.withResolvers<void>()
  let calls = 0
  await owner.route(`**/api/${accessCalls.sessions}/*`, async (route) => {
    calls++
    await released.promise
    await route.continue()
  })
  const phone = closeOf(owner, 'Safari en iPhone')
  await phone.focus()
  await owner.keyboard.press('Enter')
  await owner.keyboard.press('Enter')
  await expect(phone).toHaveAttribute('aria-busy', 'true')
  released.resolve()
  await expect(phone).toHaveCount(0)
  const closed = (name: string) => owner.getByText(fill(accessTexts.closed, { name }))
  await expect(closed('Safari en iPhone')).toBeVisible()
  expect(calls).toBe(1)
  const other = closeOf(owner, 'Firefox en Windows')
  await expect(other).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(closed('Firefox en Windows')).toBeVisible()
  await expect(owner.locator('#acceso-title')).toBeFocused()
})

test('a session that has ended elsewhere is closed, too, and a refusal says its own reason', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/404|503/, /was not ended/)
  await signInFrom(site, iPhone)
  await signInFrom(site, firefox)
  await owner.goto('/settings#acceso')
  await expect(closeOf(owner, 'Safari en iPhone')).toBeVisible()
  const { json } = await site.call('GET', accessCalls.sessions)
  const sessions = json as unknown as readonly { readonly id: string; readonly label: string }[]
  const phone = sessions.find(({ label }) => label === 'Safari en iPhone')
  await site.call('DELETE', `${accessCalls.sessions}/${phone?.id ?? ''}`)
  await closeOf(owner, 'Safari en iPhone').click()
  await expect(
    owner.getByText(fill(accessTexts.closed, { name: 'Safari en iPhone' })),
  ).toBeVisible()
  await owner.route(`**/api/${accessCalls.sessions}/*`, (route) => refuse(route, 'mantenimiento'))
  await closeOf(owner, 'Firefox en Windows').click()
  await expect(owner.getByText(problems.mantenimiento[2])).toBeVisible()
  await expect(closeOf(owner, 'Firefox en Windows')).toBeVisible()
})

test('what is said again in equal words is said anew', async ({ owner, site }) => {
  await signInFrom(site, iPhone)
  await signInFrom(site, iPhone)
  await owner.goto('/settings#acceso')
  const phones = closeOf(owner, 'Safari en iPhone')
  await expect(phones).toHaveCount(2)
  const status = owner.locator('#acceso .add-row').last().locator('.saved')
  await status.evaluate((line) => {
    new MutationObserver(() => {
      line.dataset['said'] = `${line.dataset['said'] ?? ''}|${line.textContent}`
    }).observe(line, { childList: true, characterData: true, subtree: true })
  })
  const closed = fill(accessTexts.closed, { name: 'Safari en iPhone' })
  await phones.first().click()
  await expect(phones).toHaveCount(1)
  await expect(status).toHaveText(closed)
  await phones.click()
  await expect(phones).toHaveCount(0)
  await expect(status).toHaveAttribute('data-said', `|${closed}||${closed}`)
})

const someSessions = (count: number): readonly OpenSession[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `session-${index}`,
    label: 'Firefox en Windows',
    createdAt: new Date().toISOString(),
    seenAt: new Date().toISOString(),
    isKept: false,
    isOwn: index === 0,
  }))

const someKeys = (count: number): readonly Passkey[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `key-${index}`,
    name: 'Llavero del teléfono',
    createdAt: new Date().toISOString(),
    usedAt: null,
  }))

/** Opens the settings with such lists; resolves to where what stands under them is before they come, and afterwards. */
async function placesUnder(page: Page, sessions: number, keys: number) {
  const released = Promise.withResolvers<void>()
  await page.route(`**/api/${accessCalls.sessions}`, async (route) => {
    await released.promise
    await answer(route, someSessions(sessions))
  })
  await page.route(`**/api/${accessCalls.passkeys}`, async (route) => {
    await released.promise
    await answer(route, someKeys(keys))
  })
  // From another page, so that it is loaded anew.
  await page.goto('/api/health')
  await page.goto(`/settings#${otherPlaces.access}`)
  const under = page.locator('#acceso h3, #acceso .add-row, #aplicacion h2')
  const places = () =>
    under.evaluateAll((all) => {
      const top = document.querySelector('#acceso')?.getBoundingClientRect().top ?? Number.NaN
      return all.map((one) => one.getBoundingClientRect().top - top)
    })
  const rows = page.locator('#acceso').getByRole('listitem')
  await expect(page.getByRole('heading', { name: accessTexts.sessions })).toBeVisible()
  await expect(rows).toHaveCount(0)
  const before = await places()
  released.resolve()
  await expect(rows).toHaveCount(sessions + keys)
  const after = await places()
  await page.unrouteAll()
  return { before, after }
}

test('what stands under her sessions and keys stays where it is while they come, at every width', async ({
  owner,
  site,
}) => {
  for (const width of [390, 1440]) {
    await test.step(`${width} px wide`, async () => {
      await beginAnew(owner, site)
      await owner.setViewportSize({ width, height: 900 })
      const first = await placesUnder(owner, 1, 0)
      expect(first.after).toEqual(first.before)
      // From then on the device knows how many there are.
      await placesUnder(owner, 3, 2)
      const next = await placesUnder(owner, 3, 2)
      for (const [index, place] of next.after.entries()) {
        expect(Math.abs(place - (next.before[index] ?? 0))).toBeLessThan(12)
      }
    })
  }
})

test('keeping is switched on and off here, and the list says so', async ({ owner }) => {
  await owner.goto('/settings#acceso')
  const keep = owner.getByRole('switch', { name: loginTexts.keep })
  const own = owner.locator('.slist').last().getByRole('listitem').first()
  await expect(keep).not.toBeChecked()
  await keep.check()
  await expect(own).toContainText(accessTexts.kept)
  expect((await owner.context().cookies()).map(({ path }) => path)).toEqual([
    `/api/${accessCalls.kept}`,
  ])
  await keep.uncheck()
  await expect(own).not.toContainText(accessTexts.kept)
  expect(await owner.context().cookies()).toEqual([])
})

test('the list says what was just switched on, though it was first asked for before', async ({
  owner,
}) => {
  const released = Promise.withResolvers<void>()
  await owner.route(
    `**/api/${accessCalls.sessions}`,
    async (route) => {
      const before = await route.fetch()
      await released.promise
      await route.fulfill({ response: before }).catch(() => {})
    },
    { times: 1 },
  )
  const first = owner.waitForRequest(`**/api/${accessCalls.sessions}`)
  await owner.goto('/settings#acceso')
  await first
  const kept = owner.waitForResponse(`**/api/${accessCalls.keep}`)
  await owner.getByRole('switch', { name: loginTexts.keep }).check()
  await kept
  released.resolve()
  const own = owner.locator('.slist').last().getByRole('listitem').first()
  await expect(own).toContainText(accessTexts.kept)
})

const newName = 'lucia.nueva@example.com'
const signsIn = async (site: Site, body: typeof credentials) => {
  const headers = { 'content-type': 'application/json' }
  const url = `${site.url}/api/${ownerCalls.login}`
  return (await fetchInTime(url, { method: 'POST', headers, body: JSON.stringify(body) })).ok
}

test('the address she signs in with is shown and changed, and the other sessions end', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/422/, /not changed/)
  const phone = await signInFrom(site, iPhone)
  await owner.goto('/settings#acceso')
  const rows = owner.locator('.slist').last().getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(
    owner.locator('#acceso').getByText(credentials.userName, { exact: true }),
  ).toBeVisible()
  const opener = owner.getByRole('button', { name: accessTexts.changeEmailOf })
  await opener.click()
  const dialog = owner.getByRole('dialog', { name: accessTexts.changeEmailOf })
  const name = dialog.getByLabel(emailChangeFields.userName.label, { exact: true })
  const password = dialog.getByLabel(emailChangeFields.currentPassword.label, { exact: true })
  const submit = dialog.getByRole('button', { name: accessTexts.changeEmail })
  await expect(name).toBeFocused()
  await name.fill('lucia.ejemplo@')
  await submit.click()
  await expect(dialog.getByText(fieldErrors.email)).toBeVisible()
  await expect(dialog.getByText(fieldErrors.required)).toBeVisible()
  await name.fill(newName)
  await password.fill('otraclave')
  await submit.click()
  await expect(dialog.getByText(accessTexts.wrongPassword)).toBeVisible()
  await expect(password).toBeFocused()
  expect(await isTaken(site, phone)).toBe(true)
  await password.fill(credentials.password)
  await password.press('Enter')
  await expect(owner.getByText(accessTexts.emailChanged)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
  await expect(owner.locator('#acceso').getByText(newName, { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(1)
  expect(await isTaken(site, phone)).toBe(false)
  expect(await signsIn(site, credentials)).toBe(false)
  expect(await signsIn(site, { ...credentials, userName: newName })).toBe(true)
  await owner.reload()
  await expect(owner.locator('#acceso').getByText(newName, { exact: true })).toBeVisible()
})

test('the password is changed in its dialog, which closes without a change too, and the day is said', async ({
  owner,
  site,
}) => {
  const newPassword = 'una frase nueva y larga'
  await owner.goto('/settings#acceso')
  const opener = owner.getByRole('button', { name: ownerTexts.changePassword })
  await expect(owner.getByText(/^Cambiada el /)).toHaveCount(0)
  const dialog = owner.getByRole('dialog', { name: ownerTexts.changePassword })
  await opener.click()
  await owner.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await opener.click()
  const { currentPassword, newPassword: next } = passwordChangeFields
  await dialog.getByLabel(currentPassword.label, { exact: true }).fill(credentials.password)
  await dialog.getByLabel(next.label, { exact: true }).fill(newPassword)
  await dialog.getByRole('button', { name: ownerTexts.changePassword }).click()
  await expect(owner.getByText(ownerTexts.passwordChanged)).toBeVisible()
  await expect(owner.getByText(/^Cambiada el \d+ de \p{L}+ de \d{4}\.$/u)).toBeVisible()
  expect(await signsIn(site, { ...credentials, password: newPassword })).toBe(true)
})

test('on a phone Back ends what is asked in a group along with it, and the page goes on', async ({
  owner,
}) => {
  await owner.setViewportSize({ width: 390, height: 800 })
  await owner.goto('/settings')
  const line = owner.locator(`.settings-nav a[href="#${otherPlaces.access}"]`)
  await line.click()
  await owner.getByRole('button', { name: accessTexts.changeEmailOf }).click()
  await expect(owner.locator('dialog:modal')).toBeVisible()
  await owner.goBack()
  await expect(owner.locator('dialog:modal')).toHaveCount(0)
  await expect(line).toBeFocused()
  await owner.keyboard.press('Enter')
  await expect(owner.locator(`#${otherPlaces.access}-title`)).toBeFocused()
})

test('an address that is changed without a connection stays in its dialog, with the reason', async ({
  owner,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/, /not changed/)
  await owner.goto('/settings#acceso')
  await owner.getByRole('button', { name: accessTexts.changeEmailOf }).click()
  const dialog = owner.getByRole('dialog', { name: accessTexts.changeEmailOf })
  await dialog.getByLabel(emailChangeFields.userName.label, { exact: true }).fill(newName)
  const password = dialog.getByLabel(emailChangeFields.currentPassword.label, { exact: true })
  await password.fill(credentials.password)
  await expect(logOutButton(owner)).toBeVisible()
  await owner.context().setOffline(true)
  await dialog.getByRole('button', { name: accessTexts.changeEmail }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: accessTexts.notTold })).toBeVisible()
})

test('the owner’s access is without fault in every look', async ({ owner, site }, testInfo) => {
  await signInFrom(site, iPhone)
  for (const width of lookWidths) {
    const pictureOf = (what: string, part: Pick<Locator, 'screenshot'>) => {
      return async ({ theme }: { readonly theme: string }) => {
        await part.screenshot({ path: testInfo.outputPath(`${what}-${width}-${theme}.png`) })
      }
    }
    await test.step(`${width} px wide`, async () => {
      await beginAnew(owner, site)
      await owner.goto('/settings#acceso')
      await expect(owner.getByText('Safari en iPhone')).toBeVisible()
      const access = pictureOf('access', owner.locator('#acceso'))
      expect(await faultsInBothThemes(owner, width, access)).toEqual([])
      await owner.getByRole('button', { name: accessTexts.changeEmailOf }).click()
      const dialog = owner.getByRole('dialog', { name: accessTexts.changeEmailOf })
      await dialog.getByLabel(emailChangeFields.userName.label, { exact: true }).fill('lucia@')
      await dialog.getByRole('button', { name: accessTexts.changeEmail }).click()
      await expect(dialog.getByText(fieldErrors.email)).toBeVisible()
      const email = pictureOf('email', owner)
      expect(await faultsInBothThemes(owner, width, email)).toEqual([])
      await owner.goto('/login')
      await expect(owner.getByRole('checkbox', { name: loginTexts.keep })).toBeVisible()
      const login = pictureOf('login', owner.locator('.login'))
      expect(await faultsInBothThemes(owner, width, login)).toEqual([])
    })
  }
})
