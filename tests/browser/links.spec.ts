import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { project } from '#contract/sections/project.ts'
import { linkTexts } from '#contract/texts/links.ts'
import { fill } from '#contract/text.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { faultsInBothThemes, lookWidths, sidewaysOf } from '#tests/support/axe.ts'
import { beginAnew, expect, test } from '#tests/support/browser.ts'
import type { Site } from '#tests/support/site.ts'

test.use({ writes: true })

const name = 'Feria cerca'
const place = `«Demo» de ${name}`
const badge = fill(linkTexts.badgeOf, { place })

/** Has a link of a project of the sample fail on three days, as the weekly looks would write it down. */
async function killLink(site: Site, field: 'demo' | 'repo' = 'demo'): Promise<string> {
  const { json } = await site.call('GET', project.key)
  const all = json as unknown as readonly Readonly<Record<string, string>>[]
  const link = all.find((entry) => entry['name'] === name)?.[field] ?? ''
  const hash = createHash('sha256').update(link).digest('base64url')
  const moment = '2026-11-08T10:00:00.000Z'
  const db = new DatabaseSync(join(site.dataDir, 'tintero.sqlite'), { timeout: 5000 })
  db.prepare('insert into link_look values (?, ?, ?, 3, ?, 1)').run(hash, moment, moment, moment)
  db.close()
  return link
}

test('a dead link is marked for the owner until it is changed, and for nobody else', async ({
  owner,
  plain,
  site,
}) => {
  const demo = await killLink(site)
  await owner.goto(project.path)
  const card = owner.locator('.item', { hasText: name })
  const mark = card.getByRole('link', { name: badge })
  await expect(mark).toBeVisible()
  await expect(card.locator('.ext-link.is-dead')).toHaveText('Demo')
  await expect(owner.locator('.ext-link.is-dead')).toHaveCount(1)
  await expect(owner.locator('.alert')).toContainText(`${place}. ${linkTexts.stillShown}`)
  await plain.goto(project.path)
  expect(await plain.content()).not.toContain(linkTexts.badge)
  await expect(plain.locator(`a[href="${demo}"]`)).toBeVisible()
  await mark.click()
  const field = owner.getByLabel(project.fields.demo.label)
  await expect(field).toHaveValue(demo)
  await field.fill('https://example.com/nueva')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(card).toBeVisible()
  await expect(mark).toHaveCount(0)
  await expect(owner.locator('.is-dead')).toHaveCount(0)
})

test('each dead link of an entry is marked', async ({ owner, site }) => {
  await killLink(site)
  await killLink(site, 'repo')
  await owner.goto(project.path)
  const card = owner.locator('.item', { hasText: name })
  await expect(card.locator('.ext-link.is-dead')).toHaveText(['Repo', 'Demo'])
  await expect(owner.locator('.ext-link.is-dead')).toHaveCount(2)
})

test('the settings name a dead link only where it still is', async ({ owner, site }) => {
  const demo = await killLink(site)
  const { json } = await site.call('GET', project.key)
  const all = json as unknown as readonly Readonly<Record<string, string>>[]
  const [first = {}] = all.filter((entry) => entry['name'] !== name)
  // Written otherwise, it leads to the same.
  const body = { demo: demo.replace('https://', '') }
  await site.call('PUT', `${project.key}/update/${first['id'] ?? ''}`, { body })
  await site.call('PUT', 'config', { body: { github_url: demo } })
  // What is wrong is read to its end in the index, beside the groups and in their place.
  for (const width of [390, 1280]) {
    await owner.setViewportSize({ width, height: 800 })
    await owner.goto('/settings')
    const trouble = owner.locator('.settings-nav .bad')
    await expect(trouble).toBeVisible()
    expect(
      await trouble.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0)
  }
  await owner.goto('/settings#datos')
  const ways = owner.locator('.links').getByRole('link', { name: new RegExp(linkTexts.edit) })
  await expect(ways).toHaveCount(3)
  await owner
    .locator('.links')
    .getByRole('link', { name: `${linkTexts.edit}: ${place}` })
    .click()
  const field = owner.getByLabel(project.fields.demo.label)
  await field.fill('https://example.com/nueva')
  await owner.getByRole('button', { name: ownerTexts.update }).click()
  await expect(ways).toHaveCount(2)
  await owner.getByRole('link', { name: project.title, exact: true }).first().click()
  const alert = owner.locator('.alert')
  await expect(alert).toContainText(`«Demo» de ${first['name'] ?? ''}. ${linkTexts.stillShown}`)
  await alert.getByRole('link').click()
  await expect(ways).toHaveCount(2)
  await owner.locator('#setting-github_url-0-edit').click()
  await owner.locator('#setting-github_url-0').fill('https://example.com/otra')
  await owner.keyboard.press('Enter')
  await expect(ways).toHaveCount(1)
  await expect(ways).toHaveAccessibleName(new RegExp(first['name'] ?? ''))
})

test('dead links have no faults of access in any look', async ({ owner, site }) => {
  await killLink(site)
  const fits = async () => expect(await sidewaysOf(owner)).toBe(0)
  for (const width of lookWidths) {
    await test.step(`${width} px wide`, async () => {
      await beginAnew(owner, site)
      await owner.goto(project.path)
      await expect(owner.getByRole('link', { name: badge })).toBeVisible()
      expect(await faultsInBothThemes(owner, width, fits)).toEqual([])
      await owner.getByRole('link', { name: linkTexts.see }).click()
      const edit = owner.getByRole('link', { name: `${linkTexts.edit}: ${place}` })
      await expect(edit).toBeVisible()
      expect(await faultsInBothThemes(owner, width, fits)).toEqual([])
      await edit.click()
      await expect(owner.getByLabel(project.fields.demo.label)).toBeVisible()
    })
  }
})
