import { ownHeader } from '#contract/api.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { binPlace } from '#contract/entries/bin.ts'
import { personId } from '#contract/limits.ts'
import { personForms } from '#contract/person/person.ts'
import { ownerPaths } from '#tests/support/page-paths.ts'
import { sections } from '#contract/sections/index.ts'
import { project } from '#contract/sections/project.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { historyTexts } from '#contract/texts/history.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import {
  beginAnew,
  expect,
  logOut,
  logOutButton,
  openTab,
  signIn,
  test,
} from '#tests/support/browser.ts'
import { snackbar } from '#tests/support/entries.ts'
import { owner as credentials } from '#tests/support/site.ts'
import type { Page, Response } from 'playwright/test'

test.use({ writes: true })

async function tryLogin(page: Page, userName: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel(loginFields.userName.label).fill(userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(password)
  await page.getByRole('button', { name: loginTexts.submit }).click()
}

const stored = (page: Page): Promise<Readonly<Record<string, string>>> =>
  page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))

test('signing in leads home, keeps three entries and shows the pencils @main', async ({
  visitor,
  site,
}) => {
  await tryLogin(visitor, credentials.userName, credentials.password)
  await expect(visitor).toHaveURL(`${site.url}/`)
  await expect(logOutButton(visitor)).toBeVisible()
  await expect(visitor.getByRole('link', { name: ownerTexts.editHeader })).toBeVisible()
  const { authToken, userName, authorities } = await stored(visitor)
  expect(authToken).toMatch(/.{20}/)
  expect(userName).toBe(credentials.userName)
  expect(JSON.parse(authorities ?? '')).toEqual([{ authority: 'ROLE_ADMIN' }])
})

test('a sign-in that is pressed twice, and entered, is sent once', async ({ visitor, site }) => {
  let sent = 0
  visitor.on('request', (request) => {
    if (request.url().endsWith(ownerCalls.login)) sent++
  })
  await visitor.goto('/login')
  await visitor.getByLabel(loginFields.userName.label).fill(credentials.userName)
  const password = visitor.getByLabel(loginFields.password.label, { exact: true })
  await password.fill(credentials.password)
  // Held until all presses are done.
  const { promise: isPressed, resolve } = Promise.withResolvers<void>()
  await visitor.route(`**/api/${ownerCalls.login}`, async (route) => {
    await isPressed
    await route.continue()
  })
  await visitor.getByRole('button', { name: loginTexts.submit }).dblclick()
  await password.press('Enter')
  resolve()
  await expect(visitor).toHaveURL(`${site.url}/`)
  await expect(logOutButton(visitor)).toBeVisible()
  expect(sent).toBe(1)
})

test('every call of the owner carries Bearer joined to the token, and login none @main', async ({
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
  await logOutButton(visitor).click()
  await expect
    .poll(() => sent.map(([path]) => path))
    .toEqual(['/api/auth/login', '/api/auth/logout'])
  expect(sent[0]?.[1]).toBeUndefined()
  expect(sent[1]?.[1]).toMatch(/^Bearer\S{20,}$/)
})

test('wrong credentials are announced in the success style and said in the form @main', async ({
  visitor,
  watch,
}) => {
  watch.expect(/401/, new RegExp(loginTexts.wrong))
  const logged: string[] = []
  visitor.on('console', (message) => logged.push(message.text()))
  await tryLogin(visitor, 'no-es-email', 'equivocada')
  await expect(snackbar(visitor, 'success-snackbar', loginTexts.wrong)).toBeVisible()
  const alert = visitor.locator('form').getByRole('alert').first()
  await expect(alert).toHaveText(loginTexts.wrong)
  const password = visitor.getByLabel(loginFields.password.label, { exact: true })
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(password).toBeFocused()
  expect(logged.join('\n')).toContain(loginTexts.wrong)
  expect(await stored(visitor)).not.toHaveProperty('authToken')
})

test('a page of hers shows nothing of hers while it waits to be loaded anew after LogOut in another tab', async ({
  owner,
  site,
}) => {
  let seen: string[] = []
  await owner.exposeFunction('see', (text: string) => seen.push(text))
  for (const { path, opens } of [
    { path: '/settings#acceso', opens: accessTexts.changeEmailOf },
    { path: `/settings#${binPlace}`, opens: undefined },
    { path: project.addPath, opens: undefined },
    { path: personForms.about.path.replace('$id', String(personId)), opens: historyTexts.open },
  ]) {
    await test.step(path, async () => {
      await beginAnew(owner, site)
      seen = []
      await owner.goto(path)
      if (opens !== undefined) {
        await owner.getByRole('button', { name: opens }).click()
        await expect(owner.getByRole('dialog')).toBeVisible()
      }
      const main = owner.locator('main')
      await expect(main).not.toBeEmpty()
      const copy = await openTab(owner, '/about')
      await expect(logOutButton(copy)).toBeVisible()
      await owner.evaluate(() => {
        const { see } = globalThis as unknown as { see: (text: string) => void }
        // A page that waits for another one cannot be asked from outside.
        setInterval(() => {
          const parts = document.querySelectorAll('main, dialog[open]')
          see([...parts].map((part) => part.textContent).join(''))
        }, 100)
      })
      const released = Promise.withResolvers<void>()
      await owner.route(
        (url) => url.pathname === new URL(path, url).pathname,
        async (route) => {
          if (route.request().isNavigationRequest()) await released.promise
          await route.continue()
        },
      )
      await logOut(copy)
      await expect.poll(() => seen.at(-1)).toBe('')
      released.resolve()
      await expect(owner).toHaveURL(/\/login/)
      await copy.close()
    })
  }
})

test('logging out empties session storage, revokes the token and loads the page anew @main', async ({
  owner,
  site,
}) => {
  await owner.goto('/settings')
  await owner.getByRole('link', { name: 'Lucía Ejemplo' }).first().click()
  await owner.mouse.wheel(0, 400)
  const { authToken } = await stored(owner)
  await owner.evaluate(() => {
    sessionStorage.setItem('other', 'x')
    localStorage.setItem('theme', 'light')
    document.body.setAttribute('data-old', '')
  })
  await logOut(owner)
  await expect(owner.locator('body:not([data-old])')).toBeAttached()
  expect(await stored(owner)).toEqual({})
  await expect(owner.locator('html')).toHaveAttribute('data-theme', 'light')
  const refused = await site.call('PUT', 'person/update/1', {
    token: authToken ?? '',
    body: { name: 'X' },
  })
  expect(refused.status).toBe(401)
})

test.describe('of the site as it is', () => {
  test.use({ writes: false })

  test('the pages of hers send a visitor to the login without loading any owner’s code', async ({
    visitor,
    site,
  }) => {
    for (const path of ownerPaths) {
      await test.step(path, async () => {
        // Whatever the page before still asks for ends with it.
        await visitor.goto('about:blank')
        const scripts: Response[] = []
        const note = (response: Response) => {
          if (response.request().resourceType() === 'script') scripts.push(response)
        }
        visitor.on('response', note)
        await visitor.goto(path.replace('$id', '1'))
        await expect(visitor).toHaveURL(`${site.url}/login`)
        const heading = visitor.getByRole('heading', { name: loginTexts.title })
        await expect(heading).toBeVisible()
        visitor.off('response', note)
        // Scripts that are asked for from here on are not waited for: nothing would be left to read them from.
        const code = (await Promise.all(scripts.map((script) => script.text()))).join('\n')
        expect(code).toContain(loginTexts.title)
        expect(code).not.toContain(ownerTexts.confirmRemoval)
      })
    }
  })

  test('a refusal without a reason is logged in the given words', async ({ visitor, watch }) => {
    watch.expect(/500/, new RegExp(loginTexts.logged))
    const logged: string[] = []
    visitor.on('console', (message) => logged.push(message.text()))
    await visitor.route('**/api/auth/login', (route) =>
      route.fulfill({ status: 500, json: { status: 500 }, headers: { [ownHeader]: '1' } }),
    )
    await tryLogin(visitor, credentials.userName, credentials.password)
    await expect(snackbar(visitor, 'success-snackbar', loginTexts.wrong)).toBeVisible()
    expect(logged.join('\n')).toContain(loginTexts.logged)
  })

  test('empty credentials are not sent', async ({ visitor }) => {
    let sent = 0
    await visitor.route('**/api/auth/login', (route) => {
      sent++
      return route.continue()
    })
    await tryLogin(visitor, '', '')
    await expect(visitor.getByText(fieldErrors.required).first()).toBeVisible()
    expect(sent).toBe(0)
  })

  test('a forgotten password is explained', async ({ visitor }) => {
    await visitor.goto('/login')
    await visitor.getByText(loginTexts.recover).click()
    await expect(visitor.getByText(loginTexts.recoverHelp)).toBeVisible()
  })
})

test('a session without the role sees no pencil and is sent to the login @main', async ({
  visitor,
  site,
}) => {
  await signIn(visitor, site)
  await visitor.evaluate(() => sessionStorage.setItem('authorities', '[{"authority":"ROLE_USER"}]'))
  await visitor.goto('/projects')
  await expect(logOutButton(visitor)).toBeVisible()
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
