import { ownerCalls } from '#contract/owner-calls.ts'
import { loginFields, loginTexts, setupTexts } from '#contract/access/login.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { faultsInEveryLook } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { logInByForm } from '#tests/support/login-form.ts'
import { owner as credentials } from '#tests/support/site.ts'
import type { Page } from 'playwright/test'

test.use({ writes: true })

const application = '**/assets/{main,app}-*.js'

const userName = (page: Page) => page.getByLabel(loginFields.userName.label)
const password = (page: Page) => page.getByLabel(loginFields.password.label, { exact: true })

/** Keeps the application from arriving until it is let in. */
async function holdApplication(page: Page): Promise<{ readonly letIn: () => void }> {
  const { promise: isLetIn, resolve: letIn } = Promise.withResolvers<void>()
  await page.route(application, async (route) => {
    await isLetIn
    await route.continue()
  })
  return { letIn }
}

/** What was asked of the site, and with which method. */
function requestsOf(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(`${request.method()} ${request.url()}`))
  return asked
}

/** Where everything of the form stands, and how it looks. */
const looksOf = (page: Page) =>
  page
    .locator('.login')
    .locator('h1, p, label, input, button, img, .card')
    .evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const { color, backgroundColor, borderColor, fontSize } = getComputedStyle(element)
          return [
            element.tagName,
            x,
            y,
            width,
            height,
            color,
            backgroundColor,
            borderColor,
            fontSize,
          ]
        }),
    )

test('the form stands in its place and its looks before the application runs, accessible, and stays so @main', async ({
  visitor,
}) => {
  const { letIn } = await holdApplication(visitor)
  await visitor.goto('/login')
  await expect(visitor.getByRole('heading', { name: loginTexts.title })).toBeVisible()
  expect(await faultsInEveryLook(visitor)).toEqual([])
  await visitor.evaluate(() => document.fonts.ready)
  const before = await looksOf(visitor)
  expect(before.length).toBeGreaterThan(10)
  letIn()
  await isHydrated(visitor)
  await visitor.waitForLoadState('networkidle')
  expect(await looksOf(visitor)).toEqual(before)
})

test('what is typed and sent before the application runs signs in once it does @main', async ({
  visitor,
  site,
}) => {
  const asked = requestsOf(visitor)
  const { letIn } = await holdApplication(visitor)
  await visitor.goto('/login')
  await visitor.evaluate(() => document.body.setAttribute('data-first', ''))
  await userName(visitor).pressSequentially(credentials.userName)
  await password(visitor).pressSequentially(credentials.password)
  await password(visitor).press('Enter')
  await expect(password(visitor)).toHaveValue(credentials.password)
  expect(asked.filter((request) => request.startsWith('POST'))).toEqual([])
  letIn()
  await expect(visitor).toHaveURL(`${site.url}/`)
  await expect(visitor.getByRole('button', { name: ownerTexts.logout })).toBeVisible()
  await expect(visitor.locator('body[data-first]')).toBeAttached()
  expect(
    asked.filter((request) => request === `POST ${site.url}/api/${ownerCalls.login}`),
  ).toHaveLength(1)
  expect(asked.join('\n')).not.toContain(`POST ${site.url}/login`)
  expect(asked.join('\n')).not.toContain(encodeURIComponent(credentials.password))
})

test('what was typed and chosen before the application runs stands when it does', async ({
  visitor,
  site,
}) => {
  const { letIn } = await holdApplication(visitor)
  await visitor.goto('/login')
  await userName(visitor).pressSequentially(credentials.userName)
  await visitor.getByRole('checkbox', { name: loginTexts.keep }).check()
  // A password manager tells nobody that it filled a field.
  await password(visitor).evaluate((input: HTMLInputElement, text) => {
    input.value = text
  }, credentials.password)
  letIn()
  await isHydrated(visitor)
  await expect(userName(visitor)).toHaveValue(credentials.userName)
  await expect(password(visitor)).toHaveValue(credentials.password)
  await expect(visitor.getByRole('checkbox', { name: loginTexts.keep })).toBeChecked()
  await visitor.getByRole('button', { name: loginTexts.submit }).click()
  await expect(visitor).toHaveURL(`${site.url}/`)
  const cookies = await visitor.context().cookies()
  expect(cookies.map(({ name }) => name)).toEqual(['__Secure-tintero'])
})

test('a press on the eye before the application runs shows the password once it does', async ({
  visitor,
}) => {
  const { letIn } = await holdApplication(visitor)
  await visitor.goto('/login')
  await password(visitor).pressSequentially('secreta')
  await visitor.getByRole('button', { name: loginTexts.showPassword }).click()
  await expect(password(visitor)).toHaveAttribute('type', 'password')
  letIn()
  await expect(password(visitor)).toHaveAttribute('type', 'text')
  await expect(password(visitor)).toHaveValue('secreta')
})

test('where the application cannot be reached the form says so, keeps the password to itself, and works when it can', async ({
  visitor,
  site,
  watch,
}) => {
  watch.expect(/Failed to fetch|ERR_FAILED|could not start|Failed to load/)
  const asked = requestsOf(visitor)
  await visitor.route(application, (route) => route.abort())
  await visitor.goto('/login')
  await logInByForm(visitor)
  await expect(visitor).toHaveURL(`${site.url}/login?sin-enviar=1`)
  const alert = visitor.getByRole('alert').filter({ hasText: loginTexts.unsent })
  await expect(alert).toBeVisible()
  expect(asked).toContain(`POST ${site.url}/login`)
  expect(asked.join('\n')).not.toContain(encodeURIComponent(credentials.password))
  expect(await visitor.content()).not.toContain(credentials.password)
  expect(await faultsInEveryLook(visitor)).toEqual([])
  await visitor.unroute(application)
  await visitor.reload()
  await isHydrated(visitor)
  await expect(alert).toBeVisible()
  await logInByForm(visitor)
  await expect(visitor).toHaveURL(`${site.url}/`)
})

test('whoever was sent to the login is told why, after a reload too', async ({ visitor, site }) => {
  await visitor.goto('/settings')
  await expect(visitor).toHaveURL(`${site.url}/login`)
  await expect(visitor.getByText(loginTexts.continue)).toBeVisible()
  await visitor.reload()
  await isHydrated(visitor)
  await expect(visitor.getByText(loginTexts.continue)).toBeVisible()
})

test('the set-up page stands before the application runs and reads its link once it does', async ({
  visitor,
  watch,
}) => {
  watch.expect(/404/)
  const { letIn } = await holdApplication(visitor)
  await visitor.goto('/configurar#un-enlace-que-no-existe')
  await expect(visitor.getByRole('heading', { name: setupTexts.title })).toBeVisible()
  await expect(visitor.getByRole('status').filter({ hasText: setupTexts.checking })).toBeVisible()
  letIn()
  await expect(visitor.getByRole('heading', { name: setupTexts.invalidTitle })).toBeVisible()
  expect(new URL(visitor.url()).hash).toBe('')
})
