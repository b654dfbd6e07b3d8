import { ownerPaths, publicPaths } from '#tests/support/page-paths.ts'
import { sections } from '#contract/sections/index.ts'
import { faultsInEveryLook, sidewaysOf } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { binOf, openPanel } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { addressOf } from '#tests/support/owner-pages.ts'

// Each of several pages is judged in every look: slow where the machine is.
test.describe.configure({ timeout: 300_000 })

const visitorPaths = [...publicPaths, '/login', '/cv', '/card']
const ownersPages = {
  'every page that others read': publicPaths,
  'every form for a new entry': ownerPaths.filter((path) => path.startsWith('/add')),
  'every form of what is there': ownerPaths.filter((path) => path.startsWith('/edit')),
  'every other page of hers': ownerPaths.filter((path) => !/^\/(add|edit)/.test(path)),
}

for (const [what, paths] of Object.entries({
  'every page': visitorPaths,
  'an address that leads nowhere': ['/nada'],
})) {
  test(`${what} is accessible to visitors in every look @main`, async ({ visitor, watch }) => {
    if (paths.includes('/nada')) watch.expect(/404/)
    for (const path of paths) {
      await test.step(path, async () => {
        await visitor.goto(path)
        await visitor.mouse.move(200, 200)
        await isHydrated(visitor)
        expect.soft(await faultsInEveryLook(visitor), path).toEqual([])
      })
    }
  })
}

// A few pages in each: on a slow machine all of hers in one take minutes.
for (const [what, paths] of Object.entries(ownersPages)) {
  test(`${what} is accessible to the owner in every look`, async ({ owner, site }) => {
    for (const path of paths) {
      await test.step(path, async () => {
        await owner.goto(await addressOf(site, path))
        await isHydrated(owner)
        await expect(owner.getByRole('heading', { level: 1 })).toBeVisible()
        expect.soft(await faultsInEveryLook(owner), path).toEqual([])
      })
    }
  })
}

test('a fault of one theme or one width alone is found', async ({ visitor }) => {
  await visitor.goto('/about')
  await isHydrated(visitor)
  await visitor.evaluate(() => {
    const add = (name: string, attributes: Readonly<Record<string, string>>, words = '') => {
      const element = document.createElement(name)
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
      element.textContent = words
      document.querySelector('main')?.append(element)
      return element
    }
    // Before what a theme shows, so that none moves them.
    for (const words of ['Uno', 'Dos']) add('button', { class: 'small' }, words)
    const night = document.createElement('span')
    night.className = 'for-dark'
    night.textContent = 'Noche'
    const words = document.createElement('span')
    words.append(night)
    add('button', { id: 'bare' }).append(words)
    add('button', { id: 'nameless' })
    add('img', {
      id: 'moon',
      class: 'for-light',
      src: '/sample/perfil.640x800.svg',
      width: '30',
      height: '30',
    })
    add('p', { id: 'pale' }, 'Apenas')
    const [sheet] = document.styleSheets
    for (const rule of [
      ':root[data-theme=light] #pale { color: #ddd !important }',
      '#nameless, #bare { width: 60px; height: 60px; margin: 20px }',
      '@media (width < 600px) { .small { width: 9px; height: 9px; padding: 0; overflow: hidden } }',
      '@media (width >= 600px) { .small { width: 60px; height: 60px } }',
    ]) {
      sheet?.insertRule(rule, sheet.cssRules.length)
    }
  })
  const found = await faultsInEveryLook(visitor)
  /** The looks in which the rule names the element. */
  const looksWith = (rule: string, where: string) =>
    found
      .filter((fault) => fault.includes(` ${rule}: `) && fault.includes(where))
      .map((fault) => fault.slice(0, fault.indexOf(':')))
  expect(looksWith('color-contrast', '#pale')).toEqual(['light, 390', 'light, 1440'])
  expect(looksWith('image-alt', '#moon')).toEqual(['light, 390', 'light, 1440'])
  expect(looksWith('button-name', '#bare')).toEqual(['light, 390', 'light, 1440'])
  expect(looksWith('button-name', '#nameless')).toContain('dark, 390')
  expect(looksWith('button-name', '#nameless')).toContain('dark, 1440')
  // In the other theme it is asked again only where something moves it.
  const small = looksWith('target-size', '.small').filter((look) => look !== 'light, 390')
  expect(small).toEqual(['dark, 390'])
})

test('every open panel is accessible in every look', async ({ owner }) => {
  for (const section of sections) {
    await test.step(section.title, async () => {
      await openPanel(owner, section)
      expect.soft(await faultsInEveryLook(owner), section.title).toEqual([])
    })
  }
})

test('the question before a delete is accessible in every look', async ({ owner }) => {
  const [section] = sections
  if (!section) return
  await owner.goto(section.path)
  const name = (await owner.locator('main .item h2').first().textContent()) ?? ''
  await binOf(owner, section, name).click()
  await owner.getByRole('alertdialog').hover()
  expect(await faultsInEveryLook(owner)).toEqual([])
})

test.describe('on a phone 320 pixels wide nothing scrolls sideways', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('for visitors', async ({ visitor, watch }) => {
    watch.expect(/404/)
    for (const path of [...visitorPaths, '/nada']) {
      await visitor.goto(path)
      await visitor.mouse.move(200, 200)
      await isHydrated(visitor)
      await expect.poll(() => sidewaysOf(visitor), path).toBe(0)
    }
  })

  test('for the owner', async ({ owner, site }) => {
    for (const path of [...publicPaths, ...ownerPaths]) {
      await owner.goto(await addressOf(site, path))
      await expect(owner.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(() => sidewaysOf(owner), path).toBe(0)
    }
  })

  test('in the open panels', async ({ owner }) => {
    for (const section of sections) {
      await openPanel(owner, section)
      await expect.poll(() => sidewaysOf(owner), section.title).toBe(0)
    }
  })
})
