import { setTimeout as delay } from 'node:timers/promises'
import type { Locator, Page } from 'playwright/test'
import { contactTexts } from '#contract/messages/contact.ts'
import { copiedMs } from '#contract/durations.ts'
import { fullName } from '#contract/person/person.ts'
import { descriptions, pageMeta } from '#contract/page-heads.ts'
import { firstSections, furtherPaths, publicPaths } from '#tests/support/page-paths.ts'
import { sample } from '#contract/sample.ts'
import { loginTexts } from '#contract/access/login.ts'
import { texts } from '#contract/texts/site.ts'
import { accessibilityFaults, show } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { closeOf, snackbar } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { passTime, stopClock } from '#tests/support/time.ts'

const person = { version: 1, fields: sample.person }
const headings: Readonly<Record<string, string>> = {
  '/': fullName(person),
  '/about': texts.iAm.replace('{title}', sample.person['title'] ?? ''),
  '/contact': contactTexts.title,
  ...Object.fromEntries(firstSections.map(({ path, title }) => [path, title])),
}

/** A further page has a heading of its own, which nothing tells but its screen. */
const headingOf = (path: string) => headings[path] ?? (furtherPaths.includes(path) ? /\S/ : '')

test('every page is complete without JavaScript @main', async ({ plain }) => {
  for (const path of publicPaths) {
    await test.step(path, async () => {
      const response = await plain.goto(path)
      expect(response?.status()).toBe(200)
      await expect(plain.getByRole('heading', { level: 1 })).toHaveText(headingOf(path))
      await expect(plain).toHaveTitle(pageMeta(path, person).title)
      await expect(plain.locator('meta[name=description]')).toHaveAttribute(
        'content',
        pageMeta(path, person).description,
      )
      await expect(plain.locator('html')).toHaveAttribute('lang', 'es')
      await expect(plain.locator('link[rel=canonical]')).toHaveAttribute(
        'href',
        new RegExp(`${path}$`),
      )
      await expect(plain.locator('meta[property="og:title"]')).toHaveAttribute('content', /.+/)
      await expect(plain.locator('script[type="application/ld+json"]')).toBeAttached()
      await expect(plain.getByText(texts.loading)).toBeHidden()
    })
  }
})

for (const path of publicPaths) {
  test(`${path} hydrates without an error, a call or a change of what is seen @main`, async ({
    visitor,
  }) => {
    const calls: string[] = []
    visitor.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url())
    })
    await visitor.goto(path)
    const before = await visitor.locator('main').innerText()
    await visitor.mouse.move(200, 200)
    await isHydrated(visitor)
    expect(await visitor.locator('main').innerText()).toBe(before)
    expect(calls.filter((url) => !url.includes('/api/typing'))).toEqual([])
  })
}

for (const path of ['/login', '/configurar']) {
  test(`${path} says without JavaScript that it needs it`, async ({ plain }) => {
    await plain.goto(path)
    const sentence = plain.locator('main noscript p')
    await expect(sentence).toBeVisible()
    await expect(sentence).toHaveText(loginTexts.needsScript)
    // What cannot be used is not shown.
    await expect(
      plain.locator('main :is(form, input, [role=status])').filter({ visible: true }),
    ).toHaveCount(0)
  })
}

for (const section of firstSections) {
  test(`${section.path} shows every entry in its order`, async ({ plain }) => {
    await plain.goto(section.path)
    const names = (sample.entries[section.key] ?? []).map((values) => values['name'] ?? '')
    const expected = section.order === 'newest-first' ? names.toReversed() : names
    const items = plain.locator('main .item')
    await expect(items).toHaveCount(expected.length)
    for (const [i, name] of expected.entries()) await expect(items.nth(i)).toContainText(name)
  })
}

test('the navigation leads through every page inside the application @main', async ({
  visitor,
}) => {
  await visitor.goto('/')
  await visitor.evaluate(() => document.body.setAttribute('data-first', ''))
  const nav = visitor.getByRole('navigation', { name: texts.navigation }).first()
  const places = [
    [texts.about, '/about'],
    ...firstSections.map((s) => [s.title, s.path]),
    [texts.contact, '/contact'],
  ]
  await visitor.mouse.move(200, 200)
  await isHydrated(visitor)
  for (const [label = '', path = ''] of places) {
    await nav.getByRole('link', { name: label, exact: true }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(headingOf(path))
    await expect(visitor).toHaveTitle(pageMeta(path, person).title)
    await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  }
  await expect(visitor.locator('body[data-first]')).toBeAttached()
})

test('what is pressed while one page passes into the next is not lost', async ({ visitor }) => {
  await visitor.emulateMedia({ reducedMotion: 'no-preference' })
  await visitor.goto('/')
  await visitor.mouse.move(200, 200)
  await isHydrated(visitor)
  const root = visitor.locator('html')
  const nav = visitor.getByRole('navigation', { name: texts.navigation }).first()
  const middleOf = async (target: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {}
    return [x + width / 2, y + height / 2] as const
  }
  // At once, too: the first one waits for its entries, those behind it for nothing.
  const pausesMs = [0, 0, 0, 0, 50, 100, 150, 200, 250, 300]
  for (const [n, pauseMs] of pausesMs.entries()) {
    const path = n % 2 ? '/about' : '/projects'
    const link = await middleOf(nav.locator(`a[href="${path}"]:visible`).first())
    const toggle = await middleOf(visitor.locator('[data-theme-toggle]:visible').first())
    // By place, as people press: the test's own way to press would wait until nothing covers the button.
    await visitor.mouse.click(...link)
    await delay(pauseMs)
    await visitor.mouse.click(...toggle)
    await expect(root).toHaveAttribute('data-theme', n % 2 ? 'dark' : 'light')
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(headingOf(path))
  }
})

test('links of an entry open in a new tab that cannot reach back', async ({ plain }) => {
  await plain.goto('/projects')
  const link = plain.locator('main .item').first().getByRole('link').first()
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(link).toHaveAccessibleName(/Repo de .+ \(se abre en otra pestaña\)/)
})

test('skill icons are 50 pixels wide and project pictures 220 high', async ({ visitor }) => {
  await visitor.goto('/skills')
  const icon = await visitor.locator('main .item img').first().boundingBox()
  expect(icon?.width).toBe(50)
  await visitor.goto('/projects')
  const picture = await visitor.locator('main .item img').first().boundingBox()
  expect(picture?.height).toBe(220)
})

test('an icon carries its name as text and title', async ({ plain }) => {
  await plain.goto('/skills')
  const name = sample.entries['skill']?.[0]?.['name'] ?? ''
  const icon = plain.locator('main .item img').first()
  await expect(icon).toHaveAttribute('alt', name)
  await expect(icon).toHaveAttribute('title', name)
})

test('the e-mail address is copied and said so for two seconds', async ({ visitor, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visitor.goto('/')
  await visitor.mouse.move(200, 200)
  await isHydrated(visitor)
  // The page is drawn before it has asked its device.
  await visitor.waitForFunction(async () =>
    (await indexedDB.databases()).some(({ name }) => name === 'tintero-cache'),
  )
  await stopClock(visitor)
  await visitor.getByRole('contentinfo').getByRole('button', { name: texts.copyEmail }).click()
  const notice = snackbar(visitor, 'success-snackbar', texts.copied)
  await expect(closeOf(notice)).toBeVisible()
  expect(await visitor.evaluate(() => navigator.clipboard.readText())).toBe(
    sample.settings['email'],
  )
  // Pressed once more it says so anew, in one line.
  await passTime(visitor, copiedMs - 1)
  await visitor.getByRole('contentinfo').getByRole('button', { name: texts.copyEmail }).click()
  await expect.poll(() => visitor.evaluate(() => navigator.clipboard.readText())).not.toBe('')
  await expect(notice).toHaveCount(1)
  await passTime(visitor, copiedMs - 1)
  await expect(notice).toBeVisible()
  await passTime(visitor, 1)
  await expect(notice).toBeHidden()
})

test('the first press on a button is answered although the application starts with it', async ({
  visitor,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visitor.goto('/about')
  await visitor
    .getByRole('contentinfo')
    .getByRole('button', { name: texts.copyEmail })
    .dispatchEvent('click')
  await expect(snackbar(visitor, 'success-snackbar', texts.copied)).toBeVisible()
})

test('the pages describe the person, not the product @main', async ({ plain }) => {
  await plain.goto('/about')
  const description = descriptions.about.replace('{name}', fullName(person))
  await expect(plain.locator('meta[name=description]')).toHaveAttribute(
    'content',
    description.replace('{title}', sample.person['title'] ?? ''),
  )
})

test.describe('where not every link fits', () => {
  test.use({ viewport: { width: 960, height: 800 } })
  const last = firstSections.at(-1)
  const more = (page: Page) => page.locator('.nav summary')
  const link = (page: Page) => page.locator('.nav').getByRole('link', { name: last?.title ?? '' })

  test('the others are under «Más» without JavaScript, which is underlined on their pages', async ({
    plain,
  }) => {
    await plain.goto('/')
    await expect(link(plain)).toBeHidden()
    await more(plain).click()
    await link(plain).click()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText(last?.title ?? '')
    const underline = more(plain).evaluate(
      (element) => getComputedStyle(element, '::after').content,
    )
    expect(await underline).not.toBe('none')
  })

  test('«Más» closes by Escape, by a press beside it and by one on its links', async ({
    visitor,
  }) => {
    await visitor.goto('/')
    await more(visitor).click()
    await expect(link(visitor)).toBeVisible()
    await show(visitor, { theme: 'dark', width: 960 })
    expect(await accessibilityFaults(visitor)).toEqual([])
    await visitor.keyboard.press('Escape')
    await expect(link(visitor)).toBeHidden()
    await expect(more(visitor)).toBeFocused()
    await more(visitor).click()
    await expect(link(visitor)).toBeVisible()
    await visitor.locator('main').click({ position: { x: 5, y: 5 } })
    await expect(link(visitor)).toBeHidden()
    await isHydrated(visitor)
    await more(visitor).click()
    await link(visitor).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(last?.title ?? '')
    await expect(link(visitor)).toBeHidden()
  })
})
