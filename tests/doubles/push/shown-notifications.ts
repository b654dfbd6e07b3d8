import { expect, type BrowserContext, type Page } from 'playwright/test'

/** What the site shows on the device's own surface. */
interface Shown {
  readonly title: string
  readonly body: string
}

const countName = 'tinteroShown'

/** What the site shows on the device's own surface, oldest first. */
export function shownNotifications(page: Page): Promise<readonly Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ title, body }) => ({ title, body }))
  })
}

/**
 * Has every page of a browser count what it and its worker have put on the device's surface. Chromium forgets a
 * notification that is asked for between its being noted and its being there, so nobody may ask any earlier.
 */
export function countShown(context: BrowserContext): Promise<unknown> {
  return context.addInitScript((name) => {
    const count = () =>
      Reflect.set(globalThis, name, Number(Reflect.get(globalThis, name) ?? 0) + 1)
    navigator.serviceWorker?.addEventListener('message', ({ data }) => {
      if ((data as { type?: unknown } | null)?.type === 'PUSH_ARRIVED') count()
    })
    const { prototype } = ServiceWorkerRegistration
    const show = prototype.showNotification
    prototype.showNotification = async function (...given) {
      await show.apply(this, given)
      count()
    }
  }, countName)
}

/** Waits for what the device shows, once the page has heard of anything shown since it was loaded. */
export function expectShown(page: Page): ReturnType<typeof expect.poll> {
  const ask = async () => {
    await page.waitForFunction((name) => Reflect.has(globalThis, name), countName)
    return shownNotifications(page)
  }
  return expect.poll(ask, { timeout: 60_000 })
}

/** Waits until nothing of what was shown is left. */
export async function expectNoneShown(page: Page): Promise<void> {
  await expect.poll(() => shownNotifications(page)).toEqual([])
}
