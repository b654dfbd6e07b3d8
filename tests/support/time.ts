import type { Page } from 'playwright/test'
import { within } from './within.ts'

/** Less than the page gives its device to answer, in milliseconds. */
const stepMs = 1_900

/** Stops the page's clock, so that only `passTime` moves its timers. */
export async function stopClock(page: Page): Promise<void> {
  await deviceAnswered(page)
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 1000))
}

/**
 * Lets so many milliseconds pass for a page whose clock is in the hand of the test. What the page asks its device takes
 * real time: were all passed at once, the device would be one that does not answer.
 */
export async function passTime(page: Page, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await deviceAnswered(page)
    await page.clock.runFor(Math.min(left, stepMs))
  }
}

/** Resolves when every database of the page has done what it was asked before: a transaction that writes waits for all others. */
function deviceAnswered(page: Page): Promise<void> {
  return within(90, 'the device’s answer', page.evaluate(answered))
}

/** Runs in the page. */
async function answered(): Promise<void> {
  // A page that is not there yet has none.
  if (!location.protocol.startsWith('http')) return
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error(`${name} does not open`)))
    })
    const stores = [...database.objectStoreNames]
    if (stores.length > 0) {
      const transaction = database.transaction(stores, 'readwrite')
      await new Promise((resolve, reject) => {
        transaction.addEventListener('complete', resolve)
        transaction.addEventListener('abort', () => reject(new Error(`${name} does not write`)))
      })
    }
    database.close()
  }
}
