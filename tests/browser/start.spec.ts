import { setTimeout as delay } from 'node:timers/promises'
import { contactFields, contactNotices, contactTexts } from '#contract/messages/contact.ts'
import { project } from '#contract/sections/project.ts'
import { loginTexts } from '#contract/access/login.ts'
import { publicPaths } from '#tests/support/page-paths.ts'
import { texts } from '#contract/texts/site.ts'
import { expect, forgetSite, test } from '#tests/support/browser.ts'
import { isHydrated } from '#tests/support/hydration.ts'
import { passTime, stopClock } from '#tests/support/time.ts'
import type { Page, Route } from 'playwright/test'

const message = { name: 'Ana Paz', email: 'ana@example.com', message: 'Hola' }
const application = '**/assets/{main,app}-*.js'

/** From the load event to starting by itself, in milliseconds. */
const quietAfterMs = 2500

/** The requests for the application, as the page makes them. */
function applicationAsked(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/(?:main|app)-[\w-]+\.js$/.test(request.url())) asked.push(request.url())
  })
  return asked
}

/** Fills the form without any press or key of a person, which alone would start the application. */
async function fillQuietly(page: Page): Promise<void> {
  for (const [name, { label }] of Object.entries(contactFields)) {
    const field = page.getByRole('textbox', { name: label })
    const value = message[name as keyof typeof message]
    await field.evaluate((input: HTMLInputElement, text) => (input.value = text), value)
  }
}

const submitQuietly = (page: Page) =>
  page.getByRole('button', { name: contactTexts.submit }).evaluate((b: HTMLElement) => b.click())

for (const path of publicPaths) {
  test(`${path} asks for the application only when somebody means to use it @main`, async ({
    visitor,
  }) => {
    const asked = applicationAsked(visitor)
    // On a busy machine the quiet after which it starts by itself would be over before anybody looks.
    await stopClock(visitor)
    await visitor.goto(path)
    await passTime(visitor, quietAfterMs - 1)
    expect(asked).toEqual([])
    await visitor.clock.resume()
    await visitor.mouse.move(100, 100)
    await isHydrated(visitor)
    expect(asked).not.toEqual([])
  })
}

test('every page stays as it was left when the application starts', async ({ visitor, site }) => {
  await visitor.setViewportSize({ width: 1024, height: 400 })
  for (const path of publicPaths) {
    await test.step(path, async () => {
      await forgetSite(visitor, site)
      await visitor.goto(path)
      const more = visitor.locator('.nav-more')
      await visitor.evaluate(() => {
        document.querySelector('.nav-more')?.setAttribute('open', '')
        getSelection()?.selectAllChildren(document.querySelector('main h1') ?? document.body)
        scrollTo(0, 120)
      })
      const { scrolled, selected } = await visitor.evaluate(leftAs)
      expect(scrolled).toBeGreaterThan(0)
      // The page says itself that somebody is there: a pointer would be over something.
      await visitor.evaluate(() => dispatchEvent(new Event('pointermove')))
      await isHydrated(visitor)
      // It comes once the page is taken over.
      await expect(visitor.getByRole('region', { name: texts.notices })).toBeAttached()
      expect(await visitor.evaluate(leftAs)).toEqual({ scrolled, selected })
      await expect(more).toHaveAttribute('open')
    })
  }
})

function leftAs() {
  return { scrolled: scrollY, selected: String(getSelection()) }
}

test('a page that has been quiet for a while starts the application by itself @main', async ({
  visitor,
}) => {
  const asked = applicationAsked(visitor)
  await stopClock(visitor)
  await visitor.goto('/')
  await passTime(visitor, quietAfterMs - 1)
  expect(asked).toEqual([])
  await passTime(visitor, 500)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
})

test.describe('with a message', () => {
  test.use({ writes: true })

  test('a form sent before the application runs is sent by it @main', async ({ visitor }) => {
    const held: Route[] = []
    let isHeld = true
    await visitor.route(application, async (route) => {
      if (isHeld) held.push(route)
      else await route.continue()
    })
    await visitor.goto('/contact')
    await visitor.evaluate(() => document.body.setAttribute('data-first', ''))
    await fillQuietly(visitor)
    await submitQuietly(visitor)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const sent = visitor.waitForRequest('**/api/contact')
    isHeld = false
    await Promise.all(held.map((route) => route.continue()))
    expect((await sent).postDataJSON()).toEqual(message)
    await expect(visitor.locator('body[data-first]')).toBeAttached()
  })

  test('a form is sent as a plain one when the application cannot be reached', async ({
    visitor,
    watch,
  }) => {
    watch.expect(/Failed to fetch|ERR_FAILED|could not start|Failed to load/)
    await visitor.route(application, (route) => route.abort())
    await visitor.goto('/contact')
    await fillQuietly(visitor)
    const posted = visitor.waitForRequest((request) => request.method() === 'POST')
    await submitQuietly(visitor)
    expect(new URL((await posted).url()).pathname).toBe('/contact')
    await expect(visitor).toHaveURL(/\/contact\?enviado=1$/)
    await expect(visitor.getByText(contactNotices.sent)).toBeVisible()
  })
})

test('the theme changes before the application runs and stays for the next visit', async ({
  visitor,
}) => {
  await visitor.route(application, () => undefined)
  await visitor.goto('/')
  const root = visitor.locator('html')
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await visitor.locator('[data-theme-toggle]:visible').first().click()
  await expect(root).toHaveAttribute('data-theme', 'light')
  await visitor.goto('/about', { waitUntil: 'commit' })
  await expect(root).toHaveAttribute('data-theme', 'light')
  await expect(visitor.locator('meta[name=theme-color]')).toHaveAttribute('content', '#f6fbfb')
})

test('what is pressed while the application starts is not lost', async ({ visitor }) => {
  await visitor.emulateMedia({ reducedMotion: 'no-preference' })
  const root = visitor.locator('html')
  const toggle = visitor.locator('[data-theme-toggle]:visible').first()
  for (let pauseMs = 0; pauseMs < 400; pauseMs += 40) {
    await visitor.goto('/')
    await visitor.evaluate(() => localStorage.removeItem('theme'))
    await visitor.reload()
    await expect(root).toHaveAttribute('data-theme', 'dark')
    const { x, y } = (await toggle.boundingBox()) ?? { x: 0, y: 0 }
    await visitor.mouse.move(x + 9, y + 9)
    await delay(pauseMs)
    await visitor.mouse.down()
    await delay(90)
    await visitor.mouse.up()
    await expect(root).toHaveAttribute('data-theme', 'light')
  }
})

test('what is pressed while React takes the page over is answered once @main', async ({
  visitor,
}) => {
  // By such messages React goes on with its work: from its first word until it says that it is done the page stands still.
  await visitor.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function late(word: unknown) {
      setTimeout(() => postMessage.call(this, word), 500)
    }
  })
  await visitor.goto('/login')
  await visitor.waitForFunction((name) => {
    const isTaken = Object.keys(document.getElementById('app') ?? {}).some((key) =>
      key.startsWith('__reactContainer'),
    )
    const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
    if (isTaken) buttons.find(({ textContent }) => textContent === name)?.click()
    return isTaken
  }, loginTexts.recover)
  const opener = visitor.getByRole('button', { name: loginTexts.recover })
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  // It comes once the page is taken over.
  await expect(visitor.getByRole('region', { name: texts.notices })).toBeAttached()
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
})

test('a press on an icon that is drawn anew under the finger is not lost', async ({ owner }) => {
  const { path, words } = project
  await owner.goto(path)
  const button = owner.getByRole('button', { name: words.add })
  const box = await button.locator('svg').boundingBox()
  if (!box) throw new Error('the icon has no place')
  await owner.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await owner.mouse.down()
  // Symbols that come with a later part of the application have every icon of theirs drawn anew.
  await owner.evaluate(async () => {
    for (const sprite of document.querySelectorAll('.sprite')) {
      sprite.before(sprite.cloneNode(true))
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })
  await owner.mouse.up()
  await expect(owner.getByRole('region', { name: words.add })).toBeVisible()
})
