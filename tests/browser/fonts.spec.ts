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
    const moved = await visitor.evaluate(() =>
      Number(document.documentElement.dataset['moved'] ?? 0),
    )
    expect(moved).toBeLessThan(0.005)
  })
}

test('letters of other languages come where a text has one', async ({ visitor }) => {
  const fetched: string[] = []
  visitor.on('request', (request) => {
    const [, name] = /assets\/(.*)-[^-]+\.woff2$/.exec(request.url()) ?? []
    if (name !== undefined) fetched.push(name)
  })
  await visitor.goto('/')
  await visitor.evaluate(() => document.fonts.ready)
  expect(new Set(fetched)).toEqual(new Set(['instrument-sans-spanish', 'geist-mono-spanish']))
  await visitor.locator('h1').evaluate((heading) => heading.append(' François'))
  await expect.poll(() => fetched).toContain('instrument-sans-further')
  expect(fetched).not.toContain('geist-mono-further')
})
