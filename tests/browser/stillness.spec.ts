import type { Page } from 'playwright/test'
import { linksCall } from '#contract/links.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { hiddenTexts } from '#contract/texts/hidden.ts'
import { noticeTexts } from '#contract/texts/inbox.ts'
import { texts } from '#contract/texts/site.ts'
import { answer as give } from '#tests/support/answers.ts'
import { beginAnew, expect, test } from '#tests/support/browser.ts'
import { databaseText } from '#tests/support/device.ts'
import { createEntry, formValues, itemOf } from '#tests/support/entries.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { letter } from '#tests/support/messages.ts'
import { publicPaths } from '#tests/support/page-paths.ts'
import { emptySections } from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'

// What is looked at stays where it is when more of it comes.

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

test('her tools come into the header without moving what is in it, at every width', async ({
  owner,
  site,
}) => {
  for (const width of [320, 390, 960, 1160, 1216, 1280, 1440]) {
    await test.step(`at ${width} px`, async () => {
      await beginAnew(owner, site)
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
})

/** Where everything that can be pressed stands once its letters have come, in whole pixels. */
function placesToPress(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    await document.fonts.ready
    const seen = [...document.querySelectorAll('a, button, summary, input, textarea')].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }),
    )
    return seen.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return [one.id + one.textContent, ...[x, y, width, height].map(Math.round)].join(' ')
    })
  })
}

const phoneAndDesk = [390, 1280]

test('a page is hers from its first paint on, also while the application takes it over @main', async ({
  owner,
}) => {
  await owner.addInitScript(() => {
    const looks: string[] = []
    Object.assign(globalThis, { looks })
    new MutationObserver((records) => {
      const ofDocument = records.filter(({ target }) => target === document.documentElement)
      looks.push(...ofDocument.map(({ oldValue }) => oldValue ?? ''))
    }).observe(document, { subtree: true, attributeFilter: ['class'], attributeOldValue: true })
  })
  await owner.goto(project.path)
  await expect(owner.locator('.item .edit').first()).toBeVisible()
  const looks = await owner.evaluate(() => [
    ...(globalThis as unknown as { looks: readonly string[] }).looks,
    document.documentElement.className,
  ])
  const hers = looks.map((classes) => classes.split(' ').includes('owner-mode'))
  expect(hers.slice(hers.indexOf(true))).not.toContain(false)
})

test('nothing that a visitor may press is moved by the application, nor by a text that comes back', async ({
  page,
}) => {
  await page.goto('/contact')
  await page.locator('#contact-message').fill(letter.message)
  await expect.poll(() => databaseText(page, 'tintero-drafts')).toContain(letter.message)
  let released = Promise.withResolvers<void>()
  await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
    await released.promise
    await route.continue()
  })
  for (const width of phoneAndDesk) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [...publicPaths, '/cv', '/login', '/nothing']) {
      await test.step(`${path} at ${width} px`, async () => {
        released = Promise.withResolvers()
        await page.goto(path)
        const before = await placesToPress(page)
        expect(before.length).toBeGreaterThan(5)
        released.resolve()
        await page.mouse.move(1, 1)
        await isHydrated(page)
        if (path === '/contact') await expect(page.getByText(texts.draftBack)).toBeVisible()
        const after = await placesToPress(page)
        expect(before.filter((place) => !after.includes(place))).toEqual([])
      })
    }
  }
})

test('the line of her other devices has its room before it comes', async ({ owner }) => {
  await owner.setViewportSize({ width: 390, height: 900 })
  const device = { id: '1', label: 'Firefox en Linux', lastSentAt: null, trouble: '' }
  await owner.route(/\/api\/devices$/, (route) =>
    route.fulfill({ headers: { 'X-Tintero': '1' }, json: [device] }),
  )
  const line = owner.locator('#push-state')
  const place = '/settings#notificaciones'
  await owner.goto(place)
  await expect(line).toContainText(device.label)
  const looks = await recordLooks(owner, '.setting:has(#push-state)', '')
  await owner.goto('/contact')
  await owner.goto(place)
  await expect(line).toContainText(device.label)
  expect(await looks()).toHaveLength(1)
})

test('what is known of notifications at once is said at once, and pushes nothing down later', async ({
  owner,
}) => {
  await owner.setViewportSize({ width: 390, height: 900 })
  const looks = await recordLooks(owner, '.setting:has(#push-state)', '')
  await owner.goto('/settings#notificaciones')
  await expect(owner.locator('#push-state')).toHaveText(noticeTexts.unsupported)
  expect(await looks()).toHaveLength(1)
})

/** Holds back the server's answer to this call, until it is let go. */
async function holdAnswer(page: Page, call: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(`**/api/${call}`, async (route) => {
    await released.promise
    await route.fallback()
  })
  return released.resolve
}

test('what is said of dead links has its room over the list before it comes, at every width', async ({
  owner,
  site,
}) => {
  for (const width of phoneAndDesk) {
    await test.step(`at ${width} px`, async () => {
      await beginAnew(owner, site)
      await owner.setViewportSize({ width, height: 900 })
      await createDead(owner, site)
      const alert = owner.locator('.alert.shared')
      const list = owner.locator('main .grid .item').first()
      await owner.goto(project.path)
      await expect(alert).toBeVisible()
      const release = await holdAnswer(owner, linksCall)
      await owner.goto(project.path)
      await expect(owner.locator('main .item .edit').first()).toBeVisible()
      const before = await list.evaluate((box) => box.getBoundingClientRect().y)
      await expect(alert).toHaveCount(0)
      release()
      await expect(alert).toBeVisible()
      const after = await list.evaluate((box) => box.getBoundingClientRect().y)
      expect(after).toBe(before)
    })
  }
})

test('her devices and their test have their room before they come, at every width', async ({
  owner,
  site,
}) => {
  await owner.addInitScript(() => localStorage.setItem('tintero-push-device', '1'))
  for (const width of phoneAndDesk) {
    await test.step(`at ${width} px`, async () => {
      await beginAnew(owner, site)
      await owner.setViewportSize({ width, height: 900 })
      const device = { label: 'Firefox en Linux', lastSentAt: null, trouble: '' }
      const devices = ['1', '2'].map((id) => ({ ...device, id }))
      await owner.route('**/api/devices', (route) => give(route, devices))
      const rows = owner.locator('ul.card > .setting', { hasText: device.label })
      // Her sessions and copies come to the same page at a time of their own.
      const group = owner.getByRole('region', { name: noticeTexts.title })
      await owner.goto('/settings#notificaciones')
      await expect(rows).toHaveCount(2)
      const release = await holdAnswer(owner, ownerCalls.devices)
      await owner.goto('/contact')
      await owner.goto('/settings#notificaciones')
      await expect(owner.getByText(noticeTexts.test, { exact: true })).toBeVisible()
      await expect(owner.locator('#push-state')).toHaveText(noticeTexts.unsupported)
      const before = await group.evaluate((box) => box.getBoundingClientRect().height)
      await expect(rows).toHaveCount(0)
      release()
      await expect(rows).toHaveCount(2)
      const after = await group.evaluate((box) => box.getBoundingClientRect().height)
      expect(after).toBe(before)
    })
  }
})

test.describe('of a site of its own', () => {
  test.use({ writes: true })

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

  test('the number of waiting changes moves nothing beside it, at any width', async ({
    owner,
    site,
    watch,
  }) => {
    watch.expect(/Failed to load resource/, /Could not load/)
    for (const width of [320, 390, 960, 1160, 1280, 1440]) {
      await test.step(`at ${width} px`, async () => {
        await beginAnew(owner, site)
        const name = `Uno ${width}`
        await createEntry(site, project, { ...formValues(project, name), hidden: 'true' })
        await owner.setViewportSize({ width, height: 900 })
        await owner.goto(project.path)
        const publish = owner.getByRole('button', { name: fill(hiddenTexts.publishName, { name }) })
        await expect(publish).toBeVisible()
        const places = () =>
          owner
            .locator('.site-top :is(.brand, .nav > ul a, .nav-more, .tools > *)')
            .evaluateAll((all) =>
              all.map((part) => {
                const { x, width: across } = part.getBoundingClientRect()
                return [x, across].map(Math.round).join(' ')
              }),
            )
        const before = await places()
        await owner.context().setOffline(true)
        await publish.click()
        const chip = owner.locator('.sync.is-pending')
        await expect(chip).toContainText('1')
        expect(await places()).toEqual(before)
        await chip.evaluate((button) => {
          const number = button.lastElementChild ?? button
          number.textContent = '88'
        })
        expect(await places()).toEqual(before)
        await owner.context().setOffline(false)
      })
    }
  })

  test('where the device knows of hidden entries the list comes once, with them @main', async ({
    owner,
    site,
  }) => {
    await emptySections(site)
    await createEntry(site, project, formValues(project, 'Dos'))
    await createEntry(site, project, { ...formValues(project, 'Uno'), hidden: 'true' })
    await owner.goto(project.path)
    await expect(owner.locator('.draft-bar')).toBeVisible()
    await expect.poll(() => owner.evaluate(() => localStorage.getItem('tintero-hides'))).toBe('1')
    await holdAnimations(owner)
    const seen = await recordSeen(owner, 'main .item h2')
    // The server's own answer about them comes late.
    const released = Promise.withResolvers<void>()
    await owner.route(/\/api\/hidden$/, async (route) => {
      await released.promise
      await route.continue()
    })
    // So does what else opens the queue, which lays them over the list.
    const release = await holdCode(owner, '(owner-tools|page-outbox)')
    await owner.goto(project.path)
    await expect(owner.locator('.draft-bar')).toBeVisible()
    const answered = owner.waitForResponse((answer) => answer.url().endsWith('/api/hidden'))
    released.resolve()
    await answered
    release()
    await expect(owner.locator('.tools .sync')).toBeVisible()
    expect(await seen()).toEqual(['Uno Dos'])
  })

  test('an empty list of hers never says what is meant for visitors', async ({ owner, site }) => {
    await emptySections(site)
    await holdAnimations(owner)
    const seen = await recordSeen(owner, 'main .empty h2')
    const release = await holdCode(owner, 'owner-list')
    await owner.goto(project.path)
    await expect(owner.locator('.tools .sync')).toBeVisible()
    release()
    await expect(owner.getByRole('heading', { name: project.words.emptyOwner })).toBeVisible()
    expect(await seen()).toEqual([project.words.emptyOwner])
  })
})

/** Has the server say that the demo of one of her projects is dead. */
async function createDead(page: Page, site: Site): Promise<void> {
  const { json } = await site.call('GET', project.key)
  const rows = json as unknown as readonly Readonly<Record<string, string>>[]
  const { id = '', name = '', demo: link = '' } = rows.find(({ demo }) => demo) ?? {}
  const { label } = project.fields.demo
  const moment = '2026-11-08T10:00:00.000Z'
  const place = { section: project.key, id, name, label }
  const status = { lookedAt: moment, dead: [{ link, since: moment, places: [place] }] }
  await page.route(`**/api/${linksCall}`, (route) => give(route, status))
}

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

/** Keeps every animation at its beginning: what waits for her part of the application waits however slow the machine is. */
async function holdAnimations(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Animation.enable')
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 })
}

/** Notes the words that are seen in these places together, frame by frame, while there are any. */
async function recordSeen(page: Page, selector: string): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript((parts) => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seen })
    const look = () => {
      const words = [...document.querySelectorAll(parts)]
        .filter((part) => part.checkVisibility({ visibilityProperty: true }))
        .map(({ textContent }) => textContent)
      if (words.length > 0) seen.add(words.join(' '))
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, selector)
  return () => page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
}
