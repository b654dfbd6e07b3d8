import puppeteer, { type Page } from 'puppeteer-core'
import { chromiumArgs, foundShell } from '#tests/support/chromium.ts'
import { mark, type Engine, type Tab } from './engine.ts'
import { onPath } from '#tests/support/on-path.ts'

/** Chromium over its own protocol, as the journeys of `tests/browser` find it. */
export const chromium: Engine = {
  name: 'Chromium',
  missing: () => undefined,
  launch: () => launch({ executablePath: foundShell(), args: [...chromiumArgs] }),
}

const firefoxes = ['firefox-esr', 'firefox']

/** Firefox over WebDriver BiDi, which it speaks without a driver of its own. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: () =>
    onPath(firefoxes).length > 0
      ? undefined
      : 'No Firefox here: `apt-get install firefox-esr` has the journeys run in it too.',
  launch: () => launch({ browser: 'firefox', executablePath: onPath(firefoxes)[0] ?? '' }),
}

/** Wide enough for the header's links. */
const size = { width: 1280, height: 900 }

async function launch(options: NonNullable<Parameters<typeof puppeteer.launch>[0]>) {
  const browser = await puppeteer.launch({
    ...options,
    headless: true,
    defaultViewport: size,
    // Whatever is asked of the browser ends before the test that asks does.
    protocolTimeout: 90_000,
  })
  const page = (await browser.pages())[0] ?? (await browser.newPage())
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith(mark)) errors.push(message.text())
  })
  await page.evaluateOnNewDocument(sayUnhandled, mark)
  const version = await browser.version()
  return { version, tab: tabOf(page, errors), close: () => browser.close() }
}

/** Runs in the page before its own scripts: says what nothing handled, also while the page is being left. */
function sayUnhandled(word: string): void {
  // eslint-disable-next-line no-console
  const say = (what: unknown) => console.error(`${word} ${String(what)}`)
  addEventListener('error', ({ message }) => say(message))
  addEventListener('unhandledrejection', ({ reason }) => say(reason))
}

function tabOf(page: Page, errors: readonly string[]): Tab {
  return {
    goto: async (url) => void (await page.goto(url)),
    run: (script, ...args) => page.evaluate(script as never, ...(args as never)),
    press: (selector) => page.click(selector),
    type: (selector, text) => page.type(selector, text),
    choose: async (selector, file) => {
      const input = await page.waitForSelector(selector)
      await (input as Awaited<ReturnType<typeof page.$<'input'>>>)?.uploadFile(file)
    },
    errors: async () => errors,
  }
}
