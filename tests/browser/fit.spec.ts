import type { Frame, Page } from 'playwright/test'
import { calls } from '#contract/api.ts'
import { firstSections, offPaths, openPaths } from '#tests/support/page-paths.ts'
import { lengthOf } from '#contract/text.ts'
import { show } from '#tests/support/axe.ts'
import { beginAnew, expect, test } from '#tests/support/browser.ts'
import {
  everyWidth,
  misfitsOf,
  openFrame,
  surroundingsOf,
  wordWidths,
  openAsOwner,
} from '#tests/support/fit.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { ownerAddresses, visitInTurn } from '#tests/support/owner-pages.ts'
import { personPath, type Site } from '#tests/support/site.ts'
import { everySection } from '#tests/support/site-data.ts'

test.use({ writes: true })
// A sweep lays every page out at 81 widths: slow where the machine is.
test.describe.configure({ timeout: 300_000 })

/** Names by their letters, white space included. */
const names = {
  7: ['Ana', 'Paz'],
  20: ['Ana', 'Sanz de Ejemplar'],
  33: ['Maximiliana', 'Fernández de Ejemplos'],
  42: ['Eva', 'Wolfeschlegelsteinhausenbergerdorffens'],
  60: ['María de los Ángeles Montserrat', 'Fernández-Ejemplar de la Luz'],
} as const

/** The pages whose content shows the name; on the others all but the longest are looked at around it. */
const namedPages = ['/', '/about', '/cv', '/card']
/** What is looked at of a site as it begins, and then with every section on. */
const rounds = [
  { settings: {}, paths: openPaths.filter((path) => !offPaths.includes(path)) },
  { settings: everySection, paths: ['/', ...offPaths] },
] as const

async function call(site: Site, name: string, lastname: string): Promise<void> {
  const { status } = await site.call('PUT', personPath(calls.personUpdate), {
    body: { name, lastname },
  })
  expect(status).toBe(200)
}

/**
 * Looks at the frame's page: all of it where the name stands in its content or is the longest, else what is around the
 * content, once for all pages that are written alike there.
 */
async function sweep(
  frame: Frame,
  {
    path,
    name,
    seen,
  }: { readonly path: string; readonly name: string; readonly seen: Set<string> },
): Promise<readonly string[]> {
  const isWhole = namedPages.includes(path) || lengthOf(name) === 60
  // On a wide screen the groups of the settings are one page.
  const widths = path.includes('#') ? everyWidth.filter((width) => width < 1000) : everyWidth
  if (isWhole) return misfitsOf(frame, { widths })
  const around = await surroundingsOf(frame)
  if (seen.has(around)) return []
  seen.add(around)
  return misfitsOf(frame, { widths: everyWidth, without: 'main' })
}

// A device that is slow is told in the log; here it is looked at where things stand, on dozens of pages at once.
test.beforeEach(({ watch }) => watch.expect(/the device does not answer/))

for (const [length, [name, lastname]] of Object.entries(names)) {
  const whole = `${name} ${lastname}`

  test(`every page fits a name of ${length} letters at every width for visitors`, async ({
    plain,
    site,
    watch,
  }) => {
    watch.expect(/404/)
    expect(lengthOf(whole)).toBe(Number(length))
    await call(site, name, lastname)
    const frame = await openFrame(plain)
    const misfits: string[] = []
    const seen = new Set<string>()
    for (const { settings, paths } of rounds) {
      await site.call('PUT', calls.config, { body: settings })
      for (const path of paths) {
        await frame.goto(path)
        misfits.push(...(await sweep(frame, { path, name: whole, seen })))
      }
    }
    expect(misfits).toEqual([])
  })

  // A site of its own for each: her own pages are many.
  for (const [what, areHers] of [
    ['page of hers', true],
    ['page that others read', false],
  ] as const) {
    test(`every ${what} fits a name of ${length} letters at every width for the owner`, async ({
      owner,
      site,
    }) => {
      await call(site, name, lastname)
      const addresses = await ownerAddresses(site, areHers)
      const frame = await openFrame(owner)
      const misfits: string[] = []
      const seen = new Set<string>()
      // She sees the pages of sections that are off, too; turned on they are in the navigation.
      for (const [settings, paths] of [
        [{}, addresses],
        [everySection, ['/']],
      ] as const) {
        await site.call('PUT', calls.config, { body: settings })
        await openAsOwner(frame)
        await visitInTurn(frame, paths, async (path) => {
          misfits.push(...(await sweep(frame, { path, name: whole, seen })))
        })
      }
      expect(misfits).toEqual([])
    })
  }
}

/** The widths, of these and wider ones, at which the header cuts the name off or the page scrolls sideways. */
function cutAt(frame: Frame, widths: readonly number[]): Promise<readonly number[]> {
  return frame.evaluate(async (all) => {
    await document.fonts.ready
    const box = window.frameElement as HTMLElement
    return all.filter((width) => {
      box.style.inlineSize = `${width}px`
      const name = document.querySelector('.brand span')
      if (!name) return true
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = name
      // Cut off in words, in lines, or at the edge of what stands around it.
      const isCut = scrollHeight > clientHeight || scrollWidth > clientWidth
      const { left, right } = name.getBoundingClientRect()
      const room = document.documentElement
      return isCut || left < 0 || right > room.clientWidth || room.scrollWidth > room.clientWidth
    })
  }, widths)
}

test('a name of 60 letters stands whole in the header from 390 for visitors and from 960 for the owner @main', async ({
  plain,
  owner,
  site,
}) => {
  await call(site, ...names[60])
  for (const [page, from] of [
    [plain, 390],
    [owner, 960],
  ] as const) {
    const frame = await openFrame(page)
    if (page === owner) await openAsOwner(frame)
    else await frame.goto('/')
    await expect(frame.locator('.brand')).toHaveText(names[60].join(' '))
    const widths = [from, ...everyWidth.filter((width) => width > from)]
    expect(await cutAt(frame, widths), `from ${from}`).toEqual([])
  }
})

/** Names that nobody measured for, at the widths at which words are looked at: every page whole. */
const oddNames = {
  'one letter': ['A', 'B'],
  'as many letters as a name may have': ['Wolfeschlegel'.repeat(20).slice(0, 100), 'Ñ'.repeat(100)],
  pictures: ['👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈'.repeat(3), '🇪🇸'.repeat(12)],
  'letters with many marks': [`Z${'\u0341'.repeat(8)}oe${'\u0323'.repeat(6)}`, 'Ẑ̈́å̇l̃g̊ö'],
  'another direction': ['محمد عبد الرحمن بن خالد', 'الأنصاري المثالي'],
  'wide letters without a space': ['欧阳娜娜司马懿诸葛亮上官婉儿'.repeat(2), '慕容复慕容复慕容复'],
} as const

for (const [what, [name, lastname]] of Object.entries(oddNames)) {
  test(`every page fits a name of ${what} for visitors`, async ({ plain, site, watch }) => {
    watch.expect(/404/)
    await call(site, name, lastname)
    const frame = await openFrame(plain)
    const misfits: string[] = []
    await site.call('PUT', calls.config, { body: everySection })
    for (const path of openPaths) {
      await frame.goto(path)
      misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
    }
    expect(misfits).toEqual([])
  })

  test(`every page fits a name of ${what} for the owner`, async ({ owner, site }) => {
    await call(site, name, lastname)
    const addresses = await ownerAddresses(site)
    const frame = await openFrame(owner)
    await openAsOwner(frame)
    const misfits: string[] = []
    await visitInTurn(frame, addresses, async () => {
      misfits.push(...(await misfitsOf(frame, { widths: wordWidths })))
    })
    expect(misfits).toEqual([])
  })
}

/** Where everything stands that visitors see, by what it is. */
function boxesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parts =
      'main :is(h1, h2, .card, .plate, img, p, dl, .btn:not(.pencil, #sort-entries), .typed-title)'
    return [...document.querySelectorAll(parts)]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        // Of a text where its letters stand, not how far its line could go.
        const range = document.createRange()
        range.selectNodeContents(element)
        const isText = element.matches('h1, h2, p')
        const { x, y, width, height } = (isText ? range : element).getBoundingClientRect()
        const box = [x, y + scrollY, width, height].map(Math.round).join(' ')
        return `${element.localName}.${element.className} ${element.textContent?.slice(0, 20)}: ${box}`
      })
  })
}

/** How much of a scrolled page's height is behind what stays in place, in hundredths. */
function barsOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ top: innerHeight, behavior: 'instant' })
    const bars = [...document.querySelectorAll('.site-top, .tabs')].map((bar) => {
      const { top, bottom } = bar.getBoundingClientRect()
      return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
    })
    return Math.round((100 * bars.reduce((sum, height) => sum + height, 0)) / innerHeight)
  })
}

test.describe('of the site as it is', () => {
  test.use({ writes: false })

  test("nothing on a page moves or grows for the owner's tools", async ({ plain, owner, site }) => {
    for (const path of ['/', '/about', ...firstSections.map((section) => section.path)]) {
      await test.step(path, async () => {
        await beginAnew(owner, site)
        await plain.goto(path)
        await owner.goto(path)
        await isHydrated(owner)
        await owner.locator('main :is(.edit, .icon-btn)').first().waitFor()
        for (const width of [320, 390, 1440]) {
          for (const page of [plain, owner]) await show(page, { theme: 'dark', width })
          // At rest: pictures and fonts of one page may come a moment after the other's.
          await expect(async () => {
            expect(await boxesOf(owner), `${path} at ${width}`).toEqual(await boxesOf(plain))
          }).toPass({ timeout: 15_000 })
        }
      })
    }
  })

  test('on a phone held sideways bars take at most a sixth of a page', async ({
    plain,
    owner,
    site,
  }) => {
    for (const path of ['/', '/contact', ...firstSections.map((section) => section.path)]) {
      await test.step(path, async () => {
        await beginAnew(owner, site)
        for (const page of [plain, owner]) {
          await page.setViewportSize({ width: 844, height: 390 })
          await page.goto(path)
          if (page === owner)
            await page.locator('.tools .wide').first().waitFor({ state: 'attached' })
          await expect(page.locator('.site-top')).toBeInViewport({ ratio: 1 })
          expect(await barsOf(page)).toBeLessThanOrEqual(16)
          await expect(page.locator('.tabs')).toBeInViewport({ ratio: 1 })
          // The height alone does not take the header away: beside a low window's tools there are no tabs.
          for (const [width, height] of [
            [390, 844],
            [1440, 390],
          ] as const) {
            await page.setViewportSize({ width, height })
            await barsOf(page)
            await expect(page.locator('.site-top')).toBeInViewport({ ratio: 1 })
          }
        }
      })
    }
  })
})
