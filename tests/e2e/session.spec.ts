import { loginFields, loginTexts } from '#contract/login.ts'
import { ownerPaths } from '#contract/pages.ts'
import { sections } from '#contract/sections/index.ts'
import { ownerTexts } from '#contract/texts-owner.ts'
import { fieldErrors, texts } from '#contract/texts.ts'
import { expect, signIn, test } from '#tests/support/browser.ts'
import { snackbar } from '#tests/support/entries.ts'
import { owner as credentials } from '#tests/support/site.ts'
import type { Page } from 'playwright/test'

test.use({ writes: true })

async function tryLogin(page: Page, userName: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel(loginFields.userName.label).fill(userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(password)
  await page.getByRole('button', { name: loginTexts.submit }).click()
}

const stored = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))

test('signing in leads home, keeps three entries and shows the pencils', async ({
  visitor,
  site,
}) => {
  await tryLogin(visitor, credentials.userName, credentials.password)
  await expect(visitor).toHaveURL(`${site.url}/`)
  await expect(visitor.getByRole('button', { name: texts.logout })).toBeVisible()
  await expect(visitor.getByRole('link', { name: ownerTexts.editHeader })).toBeVisible()
  const { authToken, userName, authorities } = await stored(visitor)
  expect(authToken).toMatch(/.{20}/)
  expect(userName).toBe(credentials.userName)
  expect(JSON.parse(authorities ?? '')).toEqual([{ authority: 'ROLE_ADMIN' }])
})

test('every call of the owner carries Bearer joined to the token, and login none', async ({
  visitor,
  site,
}) => {
  const sent: [path: string, header: string | undefined][] = []
  visitor.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET') sent.push([pathname, request.headers()['authorization']])
  })
  await visitor.goto('/')
  await visitor.evaluate(() => sessionStorage.setItem('authToken', 'an-old-token'))
  await tryLogin(visitor, credentials.userName, credentials.password)
  await expect(visitor).toHaveURL(`${site.url}/`)
  await visitor.getByRole('button', { name: texts.logout }).click()
  await expect
    .poll(() => sent.map(([path]) => path))
    .toEqual(['/api/auth/login', '/api/auth/logout'])
  expect(sent[0]?.[1]).toBeUndefined()
  expect(sent[1]?.[1]).toMatch(/^Bearer\S{20,}$/)
})

test('wrong credentials are announced in the success style and said in the form', async ({
  visitor,
  watch,
}) => {
  watch.expect(/401/, new RegExp(loginTexts.wrong))
  const logged: string[] = []
  visitor.on('console', (message) => logged.push(message.text()))
  await tryLogin(visitor, 'no-es-email', 'equivocada')
  await expect(snackbar(visitor, 'success-snackbar', loginTexts.wrong)).toBeVisible()
  const alert = visitor.locator('form').getByRole('alert')
  await expect(alert).toHaveText(loginTexts.wrong)
  const password = visitor.getByLabel(loginFields.password.label, { exact: true })
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toBeFocused()
  expect(logged.join('\n')).toContain(loginTexts.wrong)
  expect(await stored(visitor)).not.toHaveProperty('authToken')
})

test('a refusal without a reason is logged in the given words', async ({ visitor, watch }) => {
  watch.expect(/500/, new RegExp(loginTexts.logged))
  const logged: string[] = []
  visitor.on('console', (message) => logged.push(message.text()))
  await visitor.route('**/api/auth/login', (route) => route.fulfill({ status: 500, json: {} }))
  await tryLogin(visitor, credentials.userName, credentials.password)
  await expect(snackbar(visitor, 'success-snackbar', loginTexts.wrong)).toBeVisible()
  expect(logged.join('\n')).toContain(loginTexts.logged)
})

test('empty credentials are not sent', async ({ visitor }) => {
  let calls = 0
  await visitor.route('**/api/auth/login', (route) => {
    calls++
    return route.continue()
  })
  await tryLogin(visitor, '', '')
  await expect(visitor.getByText(fieldErrors.required).first()).toBeVisible()
  expect(calls).toBe(0)
})

test('a forgotten password is explained', async ({ visitor }) => {
  await visitor.goto('/login')
  await visitor.getByText(loginTexts.recover).click()
  await expect(visitor.getByText(loginTexts.recoverHelp)).toBeVisible()
})

test('logging out empties session storage, revokes the token and loads the page anew', async ({
  owner,
  site,
}) => {
  await owner.goto('/')
  const { authToken } = await stored(owner)
  await owner.evaluate(() => {
    sessionStorage.setItem('other', 'x')
    localStorage.setItem('theme', 'light')
    document.body.setAttribute('data-old', '')
  })
  await owner.getByRole('button', { name: texts.logout }).click()
  await expect(owner.locator('body:not([data-old])')).toBeAttached()
  await expect(owner.getByRole('button', { name: texts.logout })).toHaveCount(0)
  const left = await stored(owner)
  expect(left).not.toHaveProperty('authToken')
  expect(left).not.toHaveProperty('userName')
  expect(left).not.toHaveProperty('authorities')
  expect(left).not.toHaveProperty('other')
  await expect(owner.locator('html')).toHaveAttribute('data-theme', 'light')
  const refused = await site.call('PUT', 'person/update/1', {
    token: authToken ?? '',
    body: { name: 'X' },
  })
  expect(refused.status).toBe(401)
})

for (const path of ownerPaths) {
  test(`${path} sends a visitor to the login without loading any owner's code`, async ({
    visitor,
    site,
  }) => {
    const scripts: Promise<string>[] = []
    visitor.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.text())
    })
    await visitor.goto(path.replace('$id', '1'))
    await expect(visitor).toHaveURL(`${site.url}/login`)
    await expect(visitor.getByRole('heading', { name: loginTexts.title })).toBeVisible()
    const code = (await Promise.all(scripts)).join('\n')
    expect(code).toContain(loginTexts.title)
    expect(code).not.toContain(ownerTexts.confirmRemoval)
  })
}

test('a session without the role sees no pencil and is sent to the login', async ({
  visitor,
  site,
}) => {
  await signIn(visitor, site)
  await visitor.evaluate(() => sessionStorage.setItem('authorities', '[{"authority":"ROLE_USER"}]'))
  await visitor.goto('/projects')
  await expect(visitor.getByRole('button', { name: texts.logout })).toBeVisible()
  await expect(visitor.getByRole('group')).toHaveCount(0)
  await visitor.goto('/addProj')
  await expect(visitor).toHaveURL(`${site.url}/login`)
})

test('a session that ends in the middle of an edit is renewed over the form', async ({
  owner,
  site,
  watch,
}) => {
  watch.expect(/401/)
  const [section] = sections
  if (!section) return
  await owner.goto('/editProf/1')
  await owner.getByLabel('Nombre:').fill('Otra')
  const { authToken } = await stored(owner)
  await site.call('POST', 'auth/logout', { token: authToken ?? '' })
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel(loginFields.userName.label).fill(credentials.userName)
  await dialog.getByLabel(loginFields.password.label, { exact: true }).fill(credentials.password)
  await dialog.getByRole('button', { name: loginTexts.submit }).click()
  await expect(owner).toHaveURL(`${site.url}/`)
  await expect(owner.getByRole('heading', { level: 1 })).toContainText('Otra')
})
