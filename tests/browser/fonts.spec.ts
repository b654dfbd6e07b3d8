import type { Page } from 'playwright/test'
import { expect, test } from '#tests/support/browser.ts'

for (const path of ['/', '/cv', '/about', '/experiences']) {
  test(`nothing moves on ${path} when its fonts arrive late`, async ({ visitor }) => {
    await visitor.addInitScript(() => {
      let moved = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          moved += (entry as unknown as { value: number }).value
        document.documentElement.dataset['moved'] = String(moved)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const late = Promise.withResolvers<void>()
    await visitor.route('**/*.woff2', async (route) => {
      await late.promise
      await route.continue()
    })
    await visitor.goto(path, { waitUntil: 'domcontentloaded' })
    const first = visitor.locator('h1').first()
    await expect(first).toBeVisible()
    // Drawn with what the device has.
    await visitor.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    // What comes before, such as the sheet behind the content, is no matter of the fonts.
    const before = await movedOn(visitor)
    late.resolve()
    await visitor.evaluate(() => document.fonts.ready)
    await expect
      .poll(() =>
        visitor.evaluate(() => [...document.fonts].some(({ status }) => status === 'loaded')),
      )
      .toBe(true)
    await visitor.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    expect((await movedOn(visitor)) - before).toBeLessThan(0.005)
  })
}

/** How much has moved on the page by now, as layout shifts are counted. */
const movedOn = (page: Page) =>
  page.evaluate(() => Number(document.documentElement.dataset['moved'] ?? 0))

test('letters of other languages come where a text has one', async ({ visitor }) => {
  const fetched: string[] = []
  visitor.on('request', (request) => {
    // The mark of a file's content is six characters, of which any may be a hyphen.
    const [, name] = /assets\/(.*)-[\w-]{6}\.woff2$/.exec(request.url()) ?? []
    if (name !== undefined) fetched.push(name)
  })
  await visitor.goto('/')
  await visitor.evaluate(() => document.fonts.ready)
  expect(new Set(fetched)).toEqual(new Set(['instrument-sans-spanish', 'geist-mono-spanish']))
  await visitor.locator('h1').evaluate((heading) => heading.append(' François'))
  await expect.poll(() => fetched).toContain('instrument-sans-further')
  expect(fetched).not.toContain('geist-mono-further')
})
