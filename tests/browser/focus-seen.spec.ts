import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, test } from '#tests/support/browser.ts'
import { readManifest } from '#tests/support/built-client.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { firstSections, publicPaths } from '#tests/support/page-paths.ts'

/* Bars stay where they are while the page moves under them; what the keyboard comes to must not be behind one. */

test.use({ viewport: { width: 390, height: 664 } })

const ownerList = readManifest()['src/client/owner/editor/owner-list.tsx']?.file ?? ''

/** One of each kind: a list with its tools, the forms, and what stands in rows. */
const ownerPages = [
  project.path,
  project.addPath,
  '/editPer/1',
  '/editProf/1',
  '/settings',
  '/settings#acceso',
  '/inbox',
  '/traer',
]
/** More than any page has; it ends where the focus leaves the page. */
const mostStops = 200

/** Goes through the page by keyboard in one direction and returns what it came to and could not see the middle of. */
async function hiddenStops(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<readonly string[]> {
  const hidden: string[] = []
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press(key)
    const found = await page.evaluate(lookAtFocus)
    if (found === 'left') return hidden
    if (found !== 'seen') hidden.push(`${new URL(page.url()).pathname} by ${key}: ${found}`)
  }
  throw new Error(`the focus does not leave ${page.url()}`)
}

/** Whether the focused element's middle can be seen, once the page has moved to it; else what it is. */
async function lookAtFocus(): Promise<string> {
  const isNowhere = () => !document.activeElement || document.activeElement === document.body
  if (isNowhere()) return 'left'
  let name = ''
  for (let frame = 0; frame < 30; frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const focused = document.activeElement
    if (!focused || isNowhere()) return `«${name}», which went and took the focus along`
    name = (focused.getAttribute('aria-label') ?? focused.textContent).trim().slice(0, 30)
    const { left, top, width, height } = focused.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined
    if (there && [focused, label].some((own) => own?.contains(there) || there.contains(focused)))
      return 'seen'
  }
  return `«${name}»`
}

async function hiddenOn(page: Page): Promise<readonly string[]> {
  // Letters that come late move what has the focus without a key being pressed.
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  return [...(await hiddenStops(page, 'Tab')), ...(await hiddenStops(page, 'Shift+Tab'))]
}

test('what the keyboard comes to is seen on every page, for visitors', async ({ visitor }) => {
  const hidden: string[] = []
  for (const path of [...publicPaths, '/login', '/cv', '/card']) {
    await visitor.goto(path)
    hidden.push(...(await hiddenOn(visitor)))
  }
  expect(hidden).toEqual([])
})

test('what the keyboard comes to is seen on every page, for the owner', async ({ owner }) => {
  const hidden: string[] = []
  for (const path of ownerPages) {
    await owner.goto(path)
    await isHydrated(owner)
    hidden.push(...(await hiddenOn(owner)))
  }
  expect(hidden).toEqual([])
})

/** Holds the code of the owner's lists until the returned function lets it go. */
async function holdTools(page: Page): Promise<() => void> {
  const tools = Promise.withResolvers<void>()
  await page.unrouteAll()
  await page.route(`**/${ownerList}`, async (route) => {
    await tools.promise
    await route.continue()
  })
  return tools.resolve
}

test('by a link to a section the focus comes to its heading, and stays when her tools come', async ({
  owner,
}) => {
  await owner.setViewportSize({ width: 1440, height: 900 })
  for (const section of firstSections) {
    await test.step(section.title, async () => {
      await owner.goto('/about')
      await isHydrated(owner)
      const letGo = await holdTools(owner)
      const places = owner.getByRole('navigation', { name: texts.navigation }).first()
      await places.getByRole('link', { name: section.title }).press('Enter')
      const heading = owner.getByRole('heading', { level: 1, name: section.title })
      await expect(heading).toBeFocused()
      letGo()
      await expect(owner.getByRole('button', { name: section.words.add })).toBeVisible()
      await expect(heading).toBeFocused()
    })
  }
})

test('the link of an entry that the keyboard has come to keeps the focus when her tools come', async ({
  owner,
}) => {
  const letGo = await holdTools(owner)
  await owner.goto(project.path)
  await isHydrated(owner)
  const link = owner.locator('main .ext-link').last()
  await link.focus()
  letGo()
  await expect(owner.getByRole('button', { name: project.words.add })).toBeVisible()
  await expect(link).toBeFocused()
})
