import { contactFields, contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { problems } from '#contract/problem.ts'
import { errorPageTexts } from '#contract/texts/error-page.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'
import { readManifest } from '#tests/support/built-client.ts'
import { databaseText } from '#tests/support/device.ts'
import { snackbar } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { storedMessages } from '#tests/support/messages.ts'
import { openSite } from '#tests/support/site.ts'
import type { Page } from 'playwright/test'

test.use({ writes: true })

const message = { name: 'Ana Paz', email: 'ana@example.com', message: '¡Hola!\n¿Hablamos?' }

async function write(
  page: Page,
  values: Readonly<Record<string, string>> = message,
): Promise<void> {
  await page.goto('/contact')
  await type(page, values)
  await page.getByRole('button', { name: contactTexts.submit }).click()
}

async function type(page: Page, values: Readonly<Record<string, string>> = message): Promise<void> {
  for (const [name, field] of Object.entries(contactFields)) {
    await page.getByRole('textbox', { name: field.label }).fill(values[name] ?? '')
  }
}

/** Holds styles back on a page that runs already: of those who ask for the code that comes with them only the first waits for it. */
async function holdStyles(page: Page): Promise<() => Promise<unknown>> {
  await page.goto('/contact')
  await page.mouse.move(200, 200)
  await isHydrated(page)
  await page.waitForLoadState('networkidle')
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.css', (route) => promise.then(() => route.continue()))
  const come = page.waitForResponse('**/*.css')
  return async () => {
    resolve()
    await (await come).finished()
  }
}

test('a message is sent as name, email and message, and the form is cleared @main', async ({
  visitor,
}) => {
  const sent = visitor.waitForRequest('**/api/contact')
  await write(visitor)
  expect((await sent).postDataJSON()).toEqual(message)
  expect((await sent).headers()['authorization']).toBeUndefined()
  await expect(snackbar(visitor, 'success-snackbar', contactNotices.sent)).toBeVisible()
  await visitor.goto('/contact')
  await expect(visitor.getByRole('textbox', { name: contactFields.message.label })).toHaveValue('')
})

test('a message that cannot be sent says so and stays in the form', async ({ visitor, watch }) => {
  watch.expect(/500|A change was not taken/)
  await visitor.route('**/api/contact', (route) => refuse(route, 'error-interno'))
  await write(visitor)
  await expect(snackbar(visitor, 'error-snackbar', contactNotices.failed)).toBeVisible()
  await expect(visitor.getByRole('textbox', { name: contactFields.message.label })).toHaveValue(
    message.message,
  )
})

test('letters that wait for the code that keeps them are kept in the order in which they were typed', async ({
  visitor,
}) => {
  const release = await holdStyles(visitor)
  await type(visitor)
  await release()
  await expect.poll(() => databaseText(visitor, 'tintero-drafts')).toContain('¿Hablamos?')
  await visitor.goto('/contact')
  for (const [name, field] of Object.entries(contactFields)) {
    const typed = message[name as keyof typeof message]
    await expect(visitor.getByRole('textbox', { name: field.label })).toHaveValue(typed)
  }
})

test('the next form stays, though the code that shows what waited comes as it is opened', async ({
  visitor,
}) => {
  const { file = '' } = readManifest()['src/client/outbox/messages/pending-messages.tsx'] ?? {}
  const { promise, resolve } = Promise.withResolvers<void>()
  await visitor.route(`**/${file}`, (route) => promise.then(() => route.continue()))
  await write(visitor)
  const again = visitor.getByRole('link', { name: contactTexts.again })
  await expect(again).toBeVisible()
  const opened = again.evaluate(async (link: HTMLElement, address) => {
    await import(address)
    // Whoever waited for it here has it now, and nothing was drawn since.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    link.click()
  }, `/${file}`)
  resolve()
  await opened
  await type(visitor, { ...message, message: 'La segunda' })
  await expect(again).toHaveCount(0)
})

test('a letter that waits for the code that keeps it does not take back what was sent since', async ({
  visitor,
  site,
}) => {
  const release = await holdStyles(visitor)
  await type(visitor)
  await visitor.getByRole('button', { name: contactTexts.submit }).click()
  await release()
  await expect(visitor.getByRole('link', { name: contactTexts.again })).toBeVisible()
  expect(storedMessages(site)).toEqual([message.message])
  await visitor.goto('/contact')
  await visitor.mouse.move(210, 210)
  await isHydrated(visitor)
  await expect(visitor.getByRole('textbox', { name: contactFields.message.label })).toHaveValue('')
  await expect.poll(() => databaseText(visitor, 'tintero-drafts')).not.toContain('¿Hablamos?')
})

test('an incomplete message is not sent', async ({ visitor }) => {
  let calls = 0
  await visitor.route('**/api/contact', (route) => {
    calls++
    return route.continue()
  })
  await write(visitor, { name: ' ', email: 'ana', message: 'x' })
  await expect(visitor.getByText(fieldErrors.required)).toBeVisible()
  await expect(visitor.getByText(fieldErrors.email)).toBeVisible()
  expect(calls).toBe(0)
})

test('without JavaScript a message is sent and answered by a page @main', async ({ plain }) => {
  await write(plain)
  await expect(plain.getByText(contactNotices.sent)).toBeVisible()
})

test('without JavaScript an incomplete message comes back with what was typed', async ({
  plain,
  watch,
}) => {
  watch.expect(/422/)
  await plain.goto('/contact')
  // Browsers check required fields before a plain form is sent; others do not.
  await plain
    .locator('main form')
    .evaluate((form: HTMLFormElement) => form.setAttribute('novalidate', ''))
  await plain.getByRole('textbox', { name: contactFields.name.label }).fill('Ana Paz')
  await plain.getByRole('button', { name: contactTexts.submit }).click()
  await expect(plain.getByText(fieldErrors.required).first()).toBeVisible()
  await expect(plain.getByRole('textbox', { name: contactFields.name.label })).toHaveValue(
    'Ana Paz',
  )
})

test('without JavaScript a message that is refused unread says why, and stands in the form she goes back to', async ({
  browser,
  contextOptions,
}) => {
  const site = await openSite({ env: { LIMIT_POSTS: '1/86400' } })
  const options = { ...contextOptions, baseURL: site.url, javaScriptEnabled: false }
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await fetchInTime(`${site.url}/contact`, { method: 'POST' })
  await write(page)
  await expect(page.getByRole('alert')).toHaveText(problems['demasiados-intentos'][2])
  await expect(page.getByText(errorPageTexts.formStays)).toBeVisible()
  await page.goBack()
  for (const [name, field] of Object.entries(contactFields)) {
    const typed = message[name as keyof typeof message]
    await expect(page.getByRole('textbox', { name: field.label })).toHaveValue(typed)
  }
  await context.close()
  await site.close()
})
