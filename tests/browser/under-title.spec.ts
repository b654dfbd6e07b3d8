import { education } from '#contract/sections/education.ts'
import { experience } from '#contract/sections/experience.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'

test.use({ writes: true })

const long = 'Coordinadora de la administración electrónica interministerial'

for (const { section, field, path } of [
  { section: experience, field: 'role', path: '/experiences' },
  { section: education, field: 'institution', path: '/educations' },
]) {
  test(`${field} stands under its title, in the list and on the CV`, async ({ visitor, site }) => {
    await createEntry(site, section, { ...formValues(section, 'Con todo'), [field]: long })
    await createEntry(site, section, { ...formValues(section, 'Sin nada'), [field]: '' })
    await visitor.goto(path)
    const title = itemOf(visitor, 'Con todo').locator('hgroup')
    await expect(title.locator('h2')).toHaveText('Con todo')
    await expect(title.locator('p')).toHaveText(long)
    await expect(itemOf(visitor, 'Sin nada').locator('hgroup p')).toHaveCount(0)
    expect(await faultsInEveryLook(visitor)).toEqual([])
    await visitor.setViewportSize({ width: 320, height: 700 })
    expect(await sidewaysOf(visitor)).toBe(0)
    await visitor.goto('/cv')
    const written = visitor.locator('article', {
      has: visitor.getByRole('heading', { name: 'Con todo' }),
    })
    await expect(written.locator('h3 ~ .names')).toHaveText(long)
    expect(await sidewaysOf(visitor)).toBe(0)
  })
}

test('what opens at a press says so by a sign of the site’s, not the browser’s', async ({
  owner,
  site,
}) => {
  const id = await createEntry(site, experience, formValues(experience, 'Con todo'))
  const signs: string[] = []
  for (const path of [experience.editPath.replace('$id', id), '/settings']) {
    await owner.goto(path)
    const openers = owner.locator('main summary')
    await expect(openers.first()).toBeVisible()
    signs.push(
      ...(await openers.evaluateAll((all) =>
        all.map((one) => {
          const sign = one.querySelector(':scope > .icon:last-child')?.getBoundingClientRect()
          return `${getComputedStyle(one).listStyleType} ${sign && sign.width > 0}`
        }),
      )),
    )
  }
  expect(signs).toEqual(signs.map(() => 'none true'))
  expect(signs.length).toBeGreaterThan(1)
})
