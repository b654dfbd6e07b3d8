import type { Page } from 'playwright/test'
import { loginFields, loginTexts, setupFields, setupTexts } from '#contract/access/login.ts'
import { sections } from '#contract/sections/index.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { expect, isBusy, logOutButton, test, throughReload } from '#tests/support/browser.ts'
import { foreignChoices } from '#tests/support/choices.ts'
import { servedPage } from '#tests/support/entries.ts'
import { everyWidth, misfitsOf, openFrame } from '#tests/support/fit.ts'
import { owner as credentials } from '#tests/support/site.ts'

test.use({ withOwner: false })

/** The link that the start has printed. */
function linkIn(logs: string): string {
  const link = /http:\/\/localhost:\d+\/configurar#[\w-]+/.exec(logs)?.[0]
  if (link === undefined) throw new Error(`no link in «${logs}»`)
  return link
}
const [section] = sections

for (const [choice, keepsSample] of [
  [setupTexts.keepSample, true],
  [setupTexts.dropSample, false],
] as const) {
  test(`the printed link makes the owner once: ${choice}`, async ({ visitor, site, watch }) => {
    watch.expect(/404/)
    const link = linkIn(site.logs())
    await visitor.goto(link)
    await visitor.getByLabel(setupFields.userName.label).fill(credentials.userName)
    await visitor.getByLabel(setupFields.password.label, { exact: true }).fill(credentials.password)
    await visitor.getByText(choice).click()
    const submit = visitor.getByRole('button', { name: setupTexts.submit })
    await throughReload(visitor, () => submit.click())
    await expect(logOutButton(visitor)).toBeVisible()
    const html = await servedPage(site, section?.path ?? '')
    expect(html.includes('Papelito')).toBe(keepsSample)
    expect((await site.signIn())['userName']).toBe(credentials.userName)
    await visitor.goto('about:blank')
    await visitor.goto(link)
    await expect(visitor.getByText(setupTexts.invalidTitle)).toBeVisible()
    await visitor.getByRole('main').getByRole('link').click()
    await expect(visitor).toHaveURL(`${site.url}/`)
    await expect(logOutButton(visitor)).toBeVisible()
    for (const width of [390, 1024, 1440]) {
      await visitor.setViewportSize({ width, height: 900 })
      expect(await underPencil(visitor), `at ${width}`).toEqual([])
    }
  })
}

/** What of the first page the pencil of name and title lies on, by its words. */
async function underPencil(page: Page): Promise<readonly string[]> {
  const pencil = await page.getByRole('link', { name: ownerTexts.editHeader }).boundingBox()
  if (!pencil) return ['no pencil']
  return page.locator('.a-left > h1, .cta .btn').evaluateAll((parts, { x, y, width, height }) => {
    const isUnder = (part: Element) => {
      const words = document.createRange()
      words.selectNodeContents(part)
      const { left, right, top, bottom } = words.getBoundingClientRect()
      return left < x + width && x < right && top < y + height && y < bottom
    }
    return parts.filter(isUnder).map((part) => part.textContent)
  }, pencil)
}

test('the form of the link fits every width', async ({ visitor, site }) => {
  const frame = await openFrame(visitor)
  await frame.goto(linkIn(site.logs()))
  await frame.getByLabel(setupFields.userName.label).waitFor()
  expect(await misfitsOf(frame, { widths: everyWidth })).toEqual([])
})

test('what becomes of the sample is chosen by dots of the site’s own look', async ({
  visitor,
  site,
}) => {
  await visitor.goto(linkIn(site.logs()))
  await visitor.getByRole('radio', { name: setupTexts.dropSample }).check()
  expect(await foreignChoices(visitor)).toEqual([])
})

test('the link opens in a browser that never finds an idle moment', async ({ visitor, site }) => {
  await visitor.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0
  })
  await visitor.goto(linkIn(site.logs()))
  await expect(visitor.getByLabel(setupFields.userName.label)).toBeVisible()
})

test('a link that still serves holds back what would load its page anew, a spent one does not', async ({
  visitor,
  site,
  watch,
}) => {
  watch.expect(/404/)
  await visitor.goto('/configurar#gastado')
  await expect(visitor.getByText(setupTexts.invalid)).toBeVisible()
  await expect.poll(() => isBusy(visitor)).toBe(false)
  await visitor.goto('about:blank')
  await visitor.goto(linkIn(site.logs()))
  await expect(visitor.getByLabel(setupFields.userName.label)).toBeVisible()
  // The address has the token no more.
  await expect(visitor).toHaveURL('/configurar')
  await expect.poll(() => isBusy(visitor)).toBe(true)
})

test('a password that is too short is refused before it is sent', async ({ visitor, site }) => {
  await visitor.goto(linkIn(site.logs()))
  await visitor.getByLabel(setupFields.userName.label).fill(credentials.userName)
  await visitor.getByLabel(setupFields.password.label, { exact: true }).fill('corta')
  await visitor.getByRole('button', { name: setupTexts.submit }).click()
  await expect(visitor.getByText(setupTexts.tooShort)).toBeVisible()
})

test('a link that is used up leads whoever has her access to the sign-in @main', async ({
  visitor,
  watch,
}) => {
  watch.expect(/404/)
  await visitor.goto('/configurar#gastado')
  await expect(visitor.getByText(setupTexts.invalid)).toBeVisible()
  await visitor.getByRole('link', { name: loginTexts.submit }).click()
  await expect(visitor.getByLabel(loginFields.userName.label)).toBeVisible()
})

test('nobody can sign in to a site without an owner', async ({ visitor, watch }) => {
  watch.expect(/401/, new RegExp(loginTexts.wrong))
  await visitor.goto('/login')
  await visitor.getByLabel(setupFields.userName.label).fill('admin')
  await visitor.getByLabel(setupFields.password.label, { exact: true }).fill('admin')
  await visitor.getByRole('button', { name: loginTexts.submit }).click()
  await expect(visitor.locator('form').getByRole('alert').first()).toHaveText(loginTexts.wrong)
})
