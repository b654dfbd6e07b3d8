import { calls } from '#contract/api.ts'
import { firstSections, publicPaths } from '#tests/support/page-paths.ts'
import { headerFields } from '#contract/person/person.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { beginAnew, expect, test } from '#tests/support/browser.ts'
import {
  binOf,
  createEntry,
  formValues,
  itemOf,
  openPanel,
  snackbar,
} from '#tests/support/entries.ts'

/*
 * What an earlier product of this shape did wrong; each has its opposite here. A wrong password's announcement and an
 * unanswered question's end are in session.spec.ts and entries.spec.ts.
 */

test.describe('with content that changes', () => {
  test.use({ writes: true })

  test('A: a delete asks the server for the list again, in every section', async ({
    owner,
    site,
  }) => {
    for (const section of firstSections) {
      await test.step(section.title, async () => {
        await beginAnew(owner, site)
        await createEntry(site, section, formValues(section, 'Entrada vieja'))
        await owner.goto(section.path)
        const bin = binOf(owner, section, 'Entrada vieja')
        await expect(bin).toBeVisible()
        // Another device adds an entry meanwhile: only a list that is really read again can show it.
        await createEntry(site, section, formValues(section, 'De otro equipo'))
        await bin.click()
        await owner
          .getByRole('alertdialog')
          .getByRole('button', { name: ownerTexts.remove, exact: true })
          .click()
        await expect(itemOf(owner, 'Entrada vieja')).toHaveCount(0)
        await expect(itemOf(owner, 'De otro equipo')).toBeVisible()
      })
    }
  })

  test('C: an empty form is not sent, in any section', async ({ owner, site }) => {
    for (const section of firstSections) {
      await test.step(section.title, async () => {
        await beginAnew(owner, site)
        let sent = 0
        await owner.route(`**/api/${section.key}/create`, (route) => {
          sent++
          return route.continue()
        })
        const form = await openPanel(owner, section)
        await form.getByRole('button', { name: ownerTexts.confirm }).click()
        const required = Object.values(section.fields).filter((field) => field.required)
        const wrong = form.locator('[aria-invalid=true]')
        await expect(wrong).toHaveCount(required.length)
        await expect(wrong.first()).toBeFocused()
        expect(sent).toBe(0)
      })
    }
  })

  test('B: a delete is cancelled with a key, not only by waiting', async ({ owner, site }) => {
    const [section] = firstSections
    if (!section) return
    await createEntry(site, section, formValues(section, 'Entrada vieja'))
    await owner.goto(section.path)
    await binOf(owner, section, 'Entrada vieja').click()
    await owner.keyboard.press('Escape')
    await expect(snackbar(owner, 'info-snackbar', ownerTexts.removalCancelled)).toBeVisible()
  })

  test('D: after a save every place shows the new name', async ({ owner }) => {
    await owner.goto('/')
    await owner.getByRole('link', { name: ownerTexts.editHeader }).click()
    await owner.getByLabel(headerFields.name.label).fill('Nuevo')
    await owner.getByRole('button', { name: ownerTexts.update }).click()
    await expect(owner.getByRole('heading', { level: 1 })).toContainText('Nuevo')
    await expect(owner.getByRole('banner')).toContainText('Nuevo')
    await expect(owner.getByRole('contentinfo')).toContainText('Nuevo')
    await expect(owner).toHaveTitle(/Nuevo/)
  })
})

test('E: a session that no longer holds breaks no page', async ({ visitor, site }) => {
  const { status } = await site.call('GET', calls.person, { token: 'not-a-token' })
  expect(status).toBe(200)
  await visitor.goto('/')
  await visitor.evaluate(() => {
    sessionStorage.setItem('authToken', 'not-a-token')
    sessionStorage.setItem('authorities', '[{"authority":"ROLE_ADMIN"}]')
  })
  await visitor.goto('/projects')
  await expect(visitor.locator('main .item')).not.toHaveCount(0)
})

test('F: the theme is chosen once, kept, and there before anything is painted @main', async ({
  visitor,
}) => {
  await visitor.goto('/')
  const root = visitor.locator('html')
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await visitor.getByRole('button', { name: texts.toLight }).click()
  await expect(root).toHaveAttribute('data-theme', 'light')
  await visitor.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.dataset['early'] = document.documentElement.dataset['theme']
    })
  })
  await visitor.goto('/about')
  await expect(root).toHaveAttribute('data-early', 'light')
  await expect(visitor.locator('meta[name=theme-color]')).toHaveAttribute('content', '#f6fbfb')
  await expect(visitor.getByRole('button', { name: texts.toDark })).toBeVisible()
})

test('G: every page has a title and a description of its own', async ({ plain }) => {
  const seen = new Set<string>()
  for (const path of publicPaths) {
    await plain.goto(path)
    const description = await plain.locator('meta[name=description]').getAttribute('content')
    await expect(plain.locator('meta[property="og:description"]')).toHaveAttribute(
      'content',
      description ?? '',
    )
    seen.add(`${await plain.title()} ${description}`)
  }
  expect(seen.size).toBe(publicPaths.length)
})

test('H: an unknown address says so, with the status and ways on @main', async ({
  plain,
  watch,
}) => {
  watch.expect(/404/)
  const response = await plain.goto('/no-existe')
  expect(response?.status()).toBe(404)
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(texts.notFound)
  await plain.getByRole('link', { name: texts.backHome }).click()
  await expect(plain.getByRole('heading', { level: 1 })).toBeVisible()
})
