import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Builder, By, Capabilities, error, type WebDriver } from 'selenium-webdriver'
import { freePort } from '#tests/support/free-port.ts'
import { onPath } from '#tests/support/on-path.ts'
import { mark, type Engine, type Tab } from './engine.ts'

const browsers = '/usr/lib/*/webkit2gtk-4*/MiniBrowser'

/** How long the driver waits to hear that a page has loaded, in milliseconds. */
const loadsWithinMs = 20_000

/** WebKit's GTK port, driven by its own WebDriver, in a display that nobody sees. */
export const webkit: Engine = {
  name: 'WebKit',
  missing: () =>
    onPath(['WebKitWebDriver']).length > 0 && onPath(['Xvfb']).length > 0 && existsSync(binary())
      ? undefined
      : 'No WebKit here: `apt-get install webkit2gtk-driver xvfb` has the journeys run in it too.',
  launch,
}

function binary(): string {
  return globSync(browsers).toSorted().at(-1) ?? ''
}

async function launch() {
  const display = await openDisplay()
  const port = await freePort()
  // WEBKIT_DISABLE_COMPOSITING_MODE, which old advice sets, makes this version crash.
  const server = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name },
    stdio: 'ignore',
  })
  const driver = await connect(`http://127.0.0.1:${port}`)
  await driver.manage().setTimeouts({ pageLoad: loadsWithinMs })
  const version = `WebKitGTK ${(await driver.getCapabilities()).getBrowserVersion() ?? ''}`
  const close = async () => {
    await driver.quit()
    server.kill()
    display.process.kill()
  }
  return { version, tab: tabOf(driver), close }
}

/** Starts a display of its own; it says its number once it can be used. */
async function openDisplay(): Promise<{ readonly name: string; readonly process: ChildProcess }> {
  const process = spawn(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  process.stdout.once('data', (number: Buffer) => resolve(`:${number.toString().trim()}`))
  process.once('error', reject)
  process.once('exit', () => reject(new Error('The display ended before it could be used.')))
  return { name: await promise, process }
}

/** The driver takes a moment to listen, and says nothing when it does. */
async function connect(url: string): Promise<WebDriver> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: binary(), args: ['--automation'] },
  })
  for (let tries = 1; ; tries++) {
    try {
      return await new Builder().usingServer(url).withCapabilities(capabilities).build()
    } catch (cause) {
      if (tries === 50 || !String(cause).includes('ECONNREFUSED')) throw cause
      await delay(200)
    }
  }
}

function tabOf(driver: WebDriver): Tab {
  const element = (selector: string) => driver.findElement(By.css(selector))
  return {
    goto: async (url) => {
      try {
        await driver.get(url)
        await driver.executeScript(keepUnhandled, mark)
      } catch (cause) {
        if (!(cause instanceof error.TimeoutError)) throw cause
        // The driver may miss that a page has loaded for which another was left while it started; the page itself knows.
        const state = await driver.executeScript('return `${document.readyState} ${location.href}`')
        if (state !== `complete ${new URL(url).href}`) throw cause
      }
    },
    run: async (script, ...args) => {
      await driver.executeScript(keepUnhandled, mark)
      return driver.executeScript(`return (${String(script)}).apply(null, arguments)`, ...args)
    },
    press: async (selector) => {
      try {
        await element(selector).click()
      } catch (cause) {
        // It takes what lies in a popover for out of reach; the page itself does not.
        if (!(cause instanceof error.ElementNotInteractableError)) throw cause
        await driver.executeScript('arguments[0].click()', element(selector))
      }
    },
    type: (selector, text) => element(selector).sendKeys(text),
    choose: (selector, file) => element(selector).sendKeys(file),
    errors: async () => {
      const kept = await driver.executeScript<string | null>(
        'return sessionStorage.getItem(arguments[0])',
        mark,
      )
      return JSON.parse(kept ?? '[]') as string[]
    },
  }
}

/**
 * Runs in a page that has loaded, for this driver tells nothing of its console: from then on the tab's own storage keeps what
 * nothing handled.
 */
function keepUnhandled(key: string): void {
  if (key in window) return
  Object.assign(window, { [key]: true })
  const keep = (what: unknown) => {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]
    sessionStorage.setItem(key, JSON.stringify([...kept, `${key} ${String(what)}`]))
  }
  addEventListener('error', ({ message }) => keep(message))
  addEventListener('unhandledrejection', ({ reason }) => keep(reason))
}
