import { contactFields, contactNotices, contactTexts } from '#contract/contact.ts'
import { fieldErrors } from '#contract/texts.ts'
import { refuse } from '#tests/support/answers.ts'
import { expect, test } from '#tests/support/browser.ts'
import { snackbar } from '#tests/support/entries.ts'
import type { Page } from 'playwright/test'

test.use({ writes: true })

const message = { name: 'Ana Paz', email: 'ana@example.com', message: '¡Hola!\n¿Hablamos?' }

async function write(
  page: Page,
  values: Readonly<Record<string, string>> = message,
): Promise<void> {
  await page.goto('/contact')
  for (const [name, field] of Object.entries(contactFields)) {
    await page.getByRole('textbox', { name: field.label }).fill(values[name] ?? '')
  }
  await page.getByRole('button', { name: contactTexts.submit }).click()
}

test('a message is sent as name, email and message, and the form is cleared', async ({
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

test('without JavaScript a message is sent and answered by a page', async ({ plain }) => {
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
