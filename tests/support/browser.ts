import { expect, test as base, type BrowserContext, type Page } from 'playwright/test'
import { ownerTexts } from '#contract/texts/owner.ts'
import { busyLock } from '#client/browser/busy.ts'
import { chromiumArgs, foundShell } from './chromium.ts'
import { followRequests, keepTraces } from './failure.ts'
import { serveInTurn, type ServerInTurn } from './server-process.ts'
import { makeBeginning, openSite, type Beginning, type Site } from './site.ts'
import { watchPage, type Watch } from './watch.ts'

const longestWaitMs = 3_000

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

export interface WorkerFixtures {
  beginning: Beginning
  sharedSite: Site
  /** Serves the sites of the tests that have their own, one after the other. */
  inTurn: ServerInTurn
}

/** What Playwright switches on stands here as well: Chromium heeds the last of several such switches. */
const featuresOn = [
  'NetworkServiceInProcess2',
  'CDPScreenshotNewSurface',
  'SkipListAccountsWithoutGaiaCookies',
]

/**
 * Drawing and network in the browser's own process: what they say to each other across processes was a twelfth of all the work. A
 * browser that is killed, or whose disk is looked at, is another one, with all its processes.
 */
const together = ['--in-process-gpu', `--enable-features=${featuresOn.join(',')}`]

/** Set by the global set-up, for the workers. */
const inTurnVariable = 'TINTERO_SITES_IN_TURN'

/** Playwright's test with a running product, a visitor's page and the owner's. */
export const test = base.extend<Fixtures & Options, WorkerFixtures>({
  launchOptions: [
    async ({}, provide) =>
      provide({
        executablePath: foundShell(),
        args: [...chromiumArgs, ...together],
        // Scrollbars take room in the browsers people use, so they do here.
        ignoreDefaultArgs: ['--hide-scrollbars'],
      }),
    { scope: 'worker' },
  ],
  writes: [false, { option: true }],
  withOwner: [true, { option: true }],
  beginning: [
    async ({}, provide) => {
      const { remove, ...beginning } = await makeBeginning()
      await provide(beginning)
      remove()
    },
    { scope: 'worker' },
  ],
  sharedSite: [
    async ({ beginning }, provide) => {
      const site = await openSite({ beginning })
      await provide(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  inTurn: [
    async ({}, provide) => {
      const inTurn = serveInTurn(process.env[inTurnVariable] ?? '')
      await provide(inTurn)
      await inTurn.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ writes, withOwner, beginning, sharedSite, inTurn }, provide) => {
    if (!writes && withOwner) return provide(sharedSite)
    const site = await openSite({
      process: inTurn,
      ...(withOwner ? { beginning } : { withOwner }),
    })
    await provide(site)
    return site.close()
  },
  context: async ({ context }, provide, info) => {
    // The pages alone: what a worker changes about them has tests of its own.
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
    cutWhenQuiet(context)
    await provide(context)
    await keepTraces(context, info)
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
  owner: async ({ context, watch, site, sharedSite }, provide) => {
    const page = await context.newPage()
    watch.add(page, site.url)
    await page.goto('/api/health')
    // Checking a password is made to cost a quarter of a second.
    await takeSession(page, await (site === sharedSite ? site.sharedSession() : site.signIn()))
    await provide(page)
  },
})

/**
 * Makes the connection of a context end only once its pages have asked for nothing for a moment: what was cut off on its
 * way is reported as a problem, and is one only in journeys about just that, which hold an answer back themselves.
 */
function cutWhenQuiet(context: BrowserContext): void {
  const asked = followRequests(context)
  const isQuiet = async () => {
    // An answer that is held back on purpose never lets it become quiet.
    const until = Date.now() + longestWaitMs
    for (let quiet = 0; quiet < 3 && Date.now() < until; quiet++) {
      await Promise.all(context.pages().map(isIdle))
      if (asked.size > 0) quiet = -1
    }
  }
  const cut = context.setOffline.bind(context)
  context.setOffline = async (isOffline) => {
    if (isOffline) await isQuiet()
    await cut(isOffline)
  }
}

/** Resolves when the page's scripts have run out of work for now. */
async function isIdle(page: Page): Promise<void> {
  await page
    .evaluate(
      () =>
        new Promise((resolve) =>
          setTimeout(() => requestIdleCallback(resolve, { timeout: 500 }), 50),
        ),
    )
    .catch(() => undefined)
}

/** Signs the tab in, on an address that loads nothing of the application. */
export async function signIn(page: Page, site: Site): Promise<void> {
  const session = await site.signIn()
  await page.goto('/api/health')
  await takeSession(page, session)
}

/** Puts a session into the tab, as the login form does; takes effect with the next page it loads. */
export async function takeSession(
  page: Page,
  { token, userName, authorities, account }: Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.evaluate(
    (entries) => {
      for (const [key, value] of entries) sessionStorage.setItem(key, value)
    },
    [
      ['authToken', String(token)],
      ['userName', String(userName)],
      ['authorities', JSON.stringify(authorities)],
      ['account', String(account)],
    ] as const,
  )
}

/** Has the tab forget all that it ever had of the site, as on a device that is new to it; it is on no page of the product then. */
export async function forgetSite(page: Page, site: Site): Promise<void> {
  await page.unrouteAll()
  await page.goto('/api/health')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'all' })
  // The files that it had loaded, in memory too: what comes late must come late again.
  await browser.send('Network.clearBrowserCache')
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true })
  await browser.send('Network.setCacheDisabled', { cacheDisabled: false })
  await browser.detach()
  await page.evaluate(() => sessionStorage.clear())
}

/** The same, with the owner signed in. */
export async function beginAnew(page: Page, site: Site): Promise<void> {
  await forgetSite(page, site)
  await takeSession(page, await site.sharedSession())
}

/** Opens a path from the page itself, in a tab that so begins with a copy of the page's session. */
export async function openTab(page: Page, path: string): Promise<Page> {
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(openWithoutLocks, path),
  ])
  return tab
}

/**
 * Opens it while the page waits for no lock: Playwright stops the page, too, until it has taken hold of the new one, and a
 * lock that is given in this time finds a page that runs nothing and refuses it.
 */
async function openWithoutLocks(path: string): Promise<void> {
  const { prototype } = LockManager
  const request = prototype.request as (...all: readonly unknown[]) => Promise<unknown>
  const waiting = new Set<object>()
  const noted = function (this: LockManager, ...all: readonly unknown[]) {
    const mine = {}
    waiting.add(mine)
    const act = all.at(-1) as LockGrantedCallback<unknown>
    const started = (lock: Lock | null) => {
      waiting.delete(mine)
      return act(lock)
    }
    return request.call(this, ...all.slice(0, -1), started).finally(() => waiting.delete(mine))
  }
  Object.assign(prototype, { request: noted })
  // What was asked for before this is answered before the question is, or stands in the answer.
  while (((await navigator.locks.query()).pending?.length ?? 0) > 0 || waiting.size > 0);
  open(path)
  Object.assign(prototype, { request })
}

/** Whether a tab of the browser holds back reloads and new versions. */
export const isBusy = (page: Page) =>
  page.evaluate(async (name) => {
    const { held = [] } = await navigator.locks.query()
    return held.some((lock) => lock.name === name)
  }, busyLock)

/** The token of the tab's session; empty where nobody is signed in. */
export const tokenOf = (page: Page) =>
  page.evaluate(() => sessionStorage.getItem('authToken') ?? '')

/** The header's way out, which whoever is signed in has on every page. */
export const logOutButton = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: ownerTexts.logout, exact: true })

/** Signs out by the header, and waits for the page that comes after. */
export async function logOut(page: Page): Promise<void> {
  await throughReload(page, () => logOutButton(page).click())
  await expect(logOutButton(page)).toHaveCount(0)
}

/**
 * Does what the page answers by loading anew, and waits for that: whatever went on before it would meet a page that is
 * on its way out.
 */
export async function throughReload(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()])
}

/**
 * Asks a page, and anew where the question went with a page that was loaded anew, which those that have made an entry do
 * by themselves.
 */
export async function askThroughReload<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!String(cause).includes('Execution context was destroyed')) throw cause
    return askThroughReload(ask)
  }
}

export { expect }
