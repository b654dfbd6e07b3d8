import type { Page } from 'playwright/test'
import { loginFields, loginTexts } from '#contract/access/login.ts'
import { expect, logOutButton } from './browser.ts'
import { visit } from './device.ts'
import { owner } from './site.ts'

/** Signs the owner in through the form that the page shows, with another password when one is given. */
export async function logInByForm(page: Page, password = owner.password): Promise<void> {
  await page.getByLabel(loginFields.userName.label).fill(owner.userName)
  await page.getByLabel(loginFields.password.label, { exact: true }).fill(password)
  await page.getByRole('button', { name: loginTexts.submit }).click()
}

/** Signs the owner in on a page of its own and has the device keep her session; resolves once her tools are there. */
export async function logInForLong(page: Page): Promise<void> {
  await visit(page, '/login')
  await page.getByRole('checkbox', { name: loginTexts.keep }).check()
  await logInByForm(page)
  await expect(logOutButton(page)).toBeVisible()
}
