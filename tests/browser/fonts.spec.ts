import type { Page } from 'playwright/test'
import { expect, test } from '#tests/support/browser.ts'

/** On a phone a line holds few words, so that one may break elsewhere; little moves then. */
const atMost = { 320: 0.025, 390: 0.025, 1280: 0.005 }

for (const path of ['/', '/cv', '/about', '/experiences']) {
  test(`fonts that arrive late move next to nothing on ${path}, at every width`, async ({
    visitor,
  }) => {
    await visitor.addInitScript(() => {
      let moved = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          moved += (entry as unknown as { value: number }).value
        document.documentElement.dataset['moved'] = String(moved)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    for (const [width, most] of Object.entries(atMost)) {
      await test.step(`at ${width} by at most ${most}`, async () => {
        await visitor.goto('about:blank')
        await visitor.setViewportSize({ width: Number(width), height: 720 })
        const late = Promise.withResolvers<void>()
        let asked = 0
        // Whatever is answered on the way is in no cache of the browser's, so that each load asks anew.
        await visitor.route('**/*.woff2', async (route) => {
          asked++
          await late.promise
          await route.continue()
        })
        await visitor.goto(path, { waitUntil: 'domcontentloaded' })
        const first = visitor.locator('h1').first()
        await expect(first).toBeVisible()
        await isDrawn(visitor)
        // What comes before, such as the sheet behind the content, is no matter of the fonts.
        const before = await movedOn(visitor)
        await expect.poll(() => asked).toBeGreaterThan(0)
        late.resolve()
        await visitor.evaluate(() => document.fonts.ready)
        await expect
          .poll(() =>
            visitor.evaluate(() => [...document.fonts].some(({ status }) => status === 'loaded')),
          )
          .toBe(true)
        await isDrawn(visitor)
        expect((await movedOn(visitor)) - before).toBeLessThan(most)
        await visitor.unrouteAll()
      })
    }
  })
}

/** Resolves when the page is drawn with what the device has. */
const isDrawn = (page: Page) =>
  page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )

/** How much has moved on the page by now, as layout shifts are counted. */
const movedOn = (page: Page) =>
  page.evaluate(() => Number(document.documentElement.dataset['moved'] ?? 0))

for (const [what, from, below] of [
  ['running texts', 0, 550],
  ['titles', 550, 1000],
] as const) {
  test(`the face that is there meanwhile is as wide, over the ${what} of the pages`, async ({
    visitor,
  }) => {
    const widths: (readonly [real: number, meanwhile: number])[] = []
    for (const path of ['/', '/about', '/projects', '/experiences', '/contact', '/cv']) {
      await visitor.goto(path)
      await visitor.evaluate(() => document.fonts.ready)
      widths.push(await visitor.evaluate(widthsOfTexts, [from, below] as const))
    }
    const [real, meanwhile] = [0, 1].map((face) =>
      widths.reduce((total, pair) => total + (pair[face] ?? 0), 0),
    )
    expect(real).toBeGreaterThan(10_000)
    expect(Math.abs((meanwhile ?? 0) / (real ?? 1) - 1)).toBeLessThan(0.006)
  })
}

/**
 * How wide the texts of the page whose weight is among these are together on one line each: in the real face, and in what
 * stands for it.
 */
async function widthsOfTexts([from, below]: readonly [from: number, below: number]): Promise<
  readonly [real: number, meanwhile: number]
> {
  const [real = '', ...others] = getComputedStyle(document.body).fontFamily.split(', ')
  const texts = [...document.querySelectorAll<HTMLElement>('main *, footer *')].filter(
    (element) => {
      const { fontFamily, fontWeight } = getComputedStyle(element)
      return (
        element.children.length === 0 &&
        element.textContent.trim() !== '' &&
        fontFamily.startsWith(real) &&
        from <= Number(fontWeight) &&
        Number(fontWeight) < below &&
        element.checkVisibility()
      )
    },
  )
  const line = document.createElement('span')
  // Large, so that a hundredth is not lost in whole pixels.
  line.style.cssText = 'position: absolute; white-space: pre; font-size: 100px'
  document.body.append(line)
  const widthIn = (family: string) =>
    texts.reduce((total, element) => {
      line.style.fontFamily = family
      line.style.fontWeight = getComputedStyle(element).fontWeight
      line.textContent = element.textContent.trim()
      return total + line.getBoundingClientRect().width
    }, 0)
  const meanwhile = others.join(', ')
  widthIn(meanwhile)
  await document.fonts.ready
  return [widthIn(real), widthIn(meanwhile)]
}

test('letters of other languages come where a text has one @main', async ({ visitor }) => {
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
