import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { expect, test } from '#tests/support/browser.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'

// What the owner looks at stays where it is when her own parts come.

test.use({ writes: true })

/** Holds back the code whose file begins so, until it is let go. */
async function holdCode(page: Page, name: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(new RegExp(`/assets/${name}-[^/]*\\.js$`), async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

/** Where the name, each link that is seen and the theme's button stand in the header, in whole pixels. */
function placesInHeader(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => {
    const parts = '.site-top :is(.brand, .nav > ul a, .nav-more, [data-theme-toggle])'
    return Object.fromEntries(
      [...document.querySelectorAll(parts)].map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect()
        return [part.className + part.textContent, [x, y, width, height].map(Math.round).join(' ')]
      }),
    )
  })
}

/** What moved by itself within the header since a moment of the page's clock, as when its letters had come. */
function movesInHeader(page: Page, since: number): Promise<readonly string[]> {
  return page.evaluate(async (from) => {
    type Shift = PerformanceEntry & { readonly sources: readonly { readonly node?: Node }[] }
    const shifts = await new Promise<readonly PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({
        type: 'layout-shift',
        buffered: true,
      })
      setTimeout(() => resolve([]), 500)
    })
    return shifts
      .filter(({ startTime }) => startTime > from)
      .flatMap((shift) => (shift as Shift).sources)
      .filter(({ node }) => node?.parentElement?.closest('.site-top'))
      .map(({ node }) => node?.textContent ?? '')
  }, since)
}

for (const width of [320, 390, 960, 1160, 1216, 1280, 1440]) {
  test(`at ${width} px her tools come into the header without moving what is in it`, async ({
    owner,
  }) => {
    await owner.setViewportSize({ width, height: 900 })
    // Fonts are in the browser from here on.
    await owner.goto('/contact')
    await expect(owner.locator('.tools .sync')).toBeVisible()
    const release = await holdCode(owner, 'main')
    await owner.goto('/projects', { waitUntil: 'domcontentloaded' })
    await owner.evaluate(() => document.fonts.ready.then(() => undefined))
    const before = await placesInHeader(owner)
    const since = await owner.evaluate(
      () =>
        new Promise<number>((painted) =>
          requestAnimationFrame(() => requestAnimationFrame(() => painted(performance.now()))),
        ),
    )
    expect(await owner.locator('.tools > *').count()).toBe(1)
    release()
    await expect(owner.locator('.tools .sync')).toBeVisible()
    await expect(owner.locator('.tools .sync')).toHaveCSS('font-weight', '600')
    expect(await placesInHeader(owner)).toEqual(before)
    expect(await movesInHeader(owner, since)).toEqual([])
  })
}

for (const way of ['a full load', 'a press on a link'] as const) {
  test(`a hidden entry comes with its mark, as high as it stays, after ${way}`, async ({
    owner,
    site,
  }) => {
    await createEntry(site, project, { ...formValues(project, 'Uno'), hidden: 'true' })
    await createEntry(site, project, formValues(project, 'Dos'))
    await owner.setViewportSize({ width: 390, height: 900 })
    const looks = await recordLooks(owner, '.grid > li', 'Uno')
    const release = await holdCode(owner, 'owner-list')
    if (way === 'a full load') {
      await owner.goto(project.path)
      // Read, and not on the page before its mark can be.
      await owner.waitForResponse((answer) => answer.url().endsWith('/api/hidden'))
      await expect(itemOf(owner, 'Dos')).toBeVisible()
    } else {
      release()
      await owner.goto('/')
      await owner.waitForResponse((answer) => /\/owner-list-[^/]*\.js$/.test(answer.url()))
      await owner.locator(`.tabs a[href="${project.path}"]`).click()
    }
    release()
    await expect(owner.locator('.draft-bar')).toBeVisible()
    const seen = await looks()
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('is-hidden')
  })
}

test('what is known of notifications at once is said at once, and pushes nothing down later', async ({
  owner,
}) => {
  await owner.setViewportSize({ width: 390, height: 900 })
  const looks = await recordLooks(owner, '.setting:has(#push-state)', '')
  await owner.goto('/settings#notificaciones')
  await expect(owner.locator('#push-state')).toHaveText(noticeTexts.unsupported)
  expect(await looks()).toHaveLength(1)
})

/** Notes each class and height that what has this text has on the page, also those that were never painted. */
async function recordLooks(
  page: Page,
  selector: string,
  text: string,
): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(
    ([parts, words]) => {
      const looks = new Set<string>()
      Object.assign(globalThis, { looks })
      new MutationObserver(() => {
        const found = [...document.querySelectorAll(parts)].find(({ textContent }) =>
          textContent.includes(words),
        )
        if (found) looks.add(`${found.className} ${found.getBoundingClientRect().height}`)
      }).observe(document, { subtree: true, childList: true, characterData: true })
    },
    [selector, text] as const,
  )
  return () => page.evaluate(() => [...(globalThis as unknown as { looks: Set<string> }).looks])
}
