import { expect, test as base, type Page } from 'playwright/test'
import { chromiumArgs, foundShell } from './chromium.ts'
import { openSite, type Site } from './site.ts'
import { watchPage, type Watch } from './watch.ts'

export interface Options {
  /** Whether the tests of a file change content: then each gets a site of its own. */
  writes: boolean
  /** Whether the site has an owner from the start; one without is never shared. */
  withOwner: boolean
}

export interface Fixtures {
  /** The running product: one a worker for tests that only read, one a test for those that write. */
  site: Site
  /** What went wrong in the pages of the test; unexpected problems fail it at its end. */
  watch: Watch
  /** A page of somebody who has not signed in. */
  visitor: Page
  /** A page of a visitor whose browser runs no scripts. */
  plain: Page
  /** A page of the owner, signed in, on no page of the product yet. */
  owner: Page
}

/** Playwright's test with a running product, a visitor's page and the owner's. */
export const test = base.extend<Fixtures & Options, { sharedSite: Site }>({
  launchOptions: [
    async ({}, provide) =>
      provide({
        executablePath: foundShell(),
        args: [...chromiumArgs],
        // Scrollbars take room in the browsers people use, so they do here.
        ignoreDefaultArgs: ['--hide-scrollbars'],
      }),
    { scope: 'worker' },
  ],
  writes: [false, { option: true }],
  withOwner: [true, { option: true }],
  sharedSite: [
    async ({}, provide) => {
      const site = await openSite()
      await provide(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ writes, withOwner, sharedSite }, provide) => {
    if (!writes && withOwner) return provide(sharedSite)
    const site = await openSite({ withOwner })
    await provide(site)
    return site.close()
  },
  context: async ({ context }, provide) => {
    // The pages alone: what a worker changes about them has tests of its own.
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
    await provide(context)
  },
  baseURL: async ({ site }, provide) => provide(site.url),
  watch: async ({}, provide) => {
    const watch = watchPage()
    await provide(watch)
    expect(watch.problems(), 'problems the pages reported').toEqual([])
  },
  visitor: async ({ page, watch, site }, provide) => {
    watch.add(page, site.url)
    await provide(page)
  },
  plain: async ({ browser, watch, site, contextOptions }, provide) => {
    const context = await browser.newContext({
      ...contextOptions,
      baseURL: site.url,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    watch.add(page, site.url)
    await provide(page)
    await context.close()
  },
  owner: async ({ context, watch, site }, provide) => {
    const page = await context.newPage()
    watch.add(page, site.url)
    await signIn(page, site)
    await provide(page)
  },
})

/** Signs the tab in, on an address that loads nothing of the application. */
export async function signIn(page: Page, site: Site): Promise<void> {
  const session = await site.signIn()
  await page.goto('/api/health')
  await takeSession(page, session)
}

/** Puts a session into the tab, as the login form does; takes effect with the next page it loads. */
export async function takeSession(
  page: Page,
  { token, userName, authorities }: Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.evaluate(
    (entries) => {
      for (const [key, value] of entries) sessionStorage.setItem(key, value)
    },
    [
      ['authToken', String(token)],
      ['userName', String(userName)],
      ['authorities', JSON.stringify(authorities)],
    ] as const,
  )
}

export { expect }
