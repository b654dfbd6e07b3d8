import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright/test'
import { cacheNames, type ToWorker } from '#contract/offline/offline.ts'
import { askThroughReload, test as base } from './browser.ts'
import { chromiumArgs, foundChromium, foundShell } from './chromium.ts'
import { followRequests, keepTraces } from './failure.ts'
import { isHydrated } from './hydration.ts'
import { countShown } from '../doubles/push/shown-notifications.ts'

/** A browser that keeps what it stores when it is closed, as on somebody's own device. */
export interface Device {
  /** A tab, the first one when none is open yet. */
  tab(): Promise<Page>
  readonly context: BrowserContext
  /** The browser's profile. */
  readonly folder: string
  /** Closes the browser and opens it again; between the two `whileClosed` may look at the profile. */
  restart(whileClosed?: () => Promise<void>): Promise<void>
  /** The same, but kills every process of the browser at once, as a power cut or the system would. */
  kill(whileClosed?: () => Promise<void>): Promise<void>
}

/** What this device has beside the usual. */
export interface Extras {
  readonly args?: readonly string[]
  readonly permissions?: readonly string[]
  /** Whether it notifies, is pushed to or installs, which the browser's shell cannot. */
  readonly isWhole?: boolean
  /** Whether a page that was left may come back as it was, which only the whole browser can. */
  readonly keepsLeftPages?: boolean
  readonly env?: Readonly<Record<string, string>>
  /** What the person set in the browser's own settings, in the words of its profile; only the whole browser reads it. */
  readonly preferences?: object
}

interface Opening {
  /** Where the device finds the site. */
  readonly url: string
  readonly extras?: Extras
  /** How its pages are: language, motion, size. */
  readonly options?: BrowserContextOptions
}

/** A device with an empty profile, which `close` throws away. */
export async function openDevice({
  url,
  extras = {},
  options = {},
}: Opening): Promise<Device & { close(): Promise<void> }> {
  const {
    args = [],
    permissions,
    isWhole = false,
    keepsLeftPages = false,
    env,
    preferences,
  } = extras
  const folder = mkdtempSync(join(tmpdir(), 'tintero-device-'))
  if (preferences) {
    mkdirSync(join(folder, 'Default'))
    writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  }
  const open = async () => {
    const opened = await chromium.launchPersistentContext(folder, {
      executablePath: isWhole ? foundChromium() : foundShell(),
      args: [...chromiumArgs, ...args],
      ...(keepsLeftPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
      ...(permissions && { permissions: [...permissions] }),
      ...(env && { env: { ...process.env, ...env } }),
      ...options,
      serviceWorkers: 'allow',
      baseURL: url,
    })
    followRequests(opened)
    if (permissions?.includes('notifications')) await countShown(opened)
    return opened
  }
  let context = await open()
  let isFresh = true
  return {
    folder,
    get context() {
      return context
    },
    tab: async () => {
      const first = isFresh ? context.pages()[0] : undefined
      isFresh = false
      return first ?? context.newPage()
    },
    restart: async (whileClosed) => {
      await context.close()
      await whileClosed?.()
      context = await open()
      isFresh = true
    },
    kill: async (whileClosed) => {
      const closed = new Promise((resolve) => context.once('close', resolve))
      killAll(folder)
      await closed
      await whileClosed?.()
      context = await open()
      isFresh = true
    },
    close: async () => {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A device in the browser that is open already: nothing of it outlives its tabs. */
async function openBriefly(
  browser: Browser,
  { url, options = {} }: Opening,
): Promise<Device & { close(): Promise<void> }> {
  const context = await browser.newContext({ ...options, serviceWorkers: 'allow', baseURL: url })
  followRequests(context)
  const keepsNothing = () => {
    throw new Error('This device keeps no profile: a test that closes it asks for `lasting`.')
  }
  return {
    get folder() {
      return keepsNothing()
    },
    context,
    tab: () => context.newPage(),
    restart: keepsNothing,
    kill: keepsNothing,
    close: () => context.close(),
  }
}

/** The product's test with a device; files that stop the site say that they write, so that it is their own. */
export const test = base.extend<{
  device: Device
  lasting: Device
  deviceUrl: string
  deviceExtras: Extras
}>({
  /** Where the device finds the site. */
  deviceUrl: async ({ site }, provide) => provide(site.url),
  deviceExtras: [{}, { option: true }],
  /** Opened quickly where it has nothing beside the usual. */
  device: async ({ deviceUrl, deviceExtras, locale, contextOptions, browser }, provide, info) => {
    const options = { ...contextOptions, ...(locale !== undefined && { locale }) }
    const opening = { url: deviceUrl, extras: deviceExtras, options }
    const isUsual = Object.keys(deviceExtras).length === 0
    const device = await (isUsual ? openBriefly(browser, opening) : openDevice(opening))
    await provide(device)
    await keepTraces(device.context, info)
    await device.close()
  },
  /** One that is closed and opened again, or looked at on the disk: a browser of its own is a second of work more. */
  lasting: async ({ deviceUrl, deviceExtras, locale, contextOptions }, provide, info) => {
    const options = { ...contextOptions, ...(locale !== undefined && { locale }) }
    const device = await openDevice({ url: deviceUrl, extras: deviceExtras, options })
    await provide(device)
    await keepTraces(device.context, info)
    await device.close()
  },
})

/** Sends SIGKILL to the browser whose profile this is and to all that it started, found by the folder in their command line. */
function killAll(folder: string): void {
  const processes = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
  for (const line of processes.split('\n').filter((each) => each.includes(folder))) {
    process.kill(Number.parseInt(line, 10), 'SIGKILL')
  }
}

/**
 * Opens an address and uses the page, so that the application runs and the worker looks after it, and with somebody signed
 * in has kept the owner's parts.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.mouse.move(200, 200)
  await isHydrated(page)
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.evaluate(
    (message) =>
      new Promise<unknown>((resolve) => {
        if (!sessionStorage.getItem('authToken')) return resolve(true)
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', resolve)
        port1.start()
        navigator.serviceWorker.controller?.postMessage(message, [port2])
      }),
    { type: 'KEEP_OWNERS_PARTS' } satisfies ToWorker,
  )
}

/** The paths, queries included, that one of the worker's caches holds. */
export function keptPaths(page: Page, cache: keyof typeof cacheNames): Promise<string[]> {
  return page.evaluate(async (name) => {
    const kept = await caches.open(name)
    return (await kept.keys()).map(({ url }) => url.replace(location.origin, ''))
  }, cacheNames[cache])
}

/** What a database of the page holds, as text; empty when there is none. */
export function databaseText(page: Page, name: string): Promise<string> {
  return askThroughReload(() => page.evaluate(readDatabase, name))
}

async function readDatabase(database: string): Promise<string> {
  // Opening one that is not there would make it, empty.
  const all = await indexedDB.databases()
  if (!all.some((one) => one.name === database)) return ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const opening = indexedDB.open(database)
  opening.addEventListener('error', () => reject(opening.error ?? new Error('closed')))
  opening.addEventListener('success', () => {
    const stores = [...opening.result.objectStoreNames]
    if (stores.length === 0) return resolve('')
    const reading = opening.result
      .transaction(stores)
      .objectStore(stores[0] ?? '')
      .getAll()
    reading.addEventListener('success', () => {
      opening.result.close()
      const read = (reading.result as unknown[]).map((value) =>
        value instanceof Blob ? value.text() : value,
      )
      void Promise.all(read).then((values) => resolve(JSON.stringify(values)), reject)
    })
  })
  return promise
}
