import { writeFileSync } from 'node:fs'
import type { BrowserContext, Page, Request, TestInfo } from 'playwright/test'

const answersWithinMs = 5_000
const unanswered = new WeakMap<BrowserContext, ReadonlySet<Request>>()

/** Notes from now on what the pages of this context wait for, which is in the set that it gives. */
export function followRequests(context: BrowserContext): ReadonlySet<Request> {
  const asked = new Set<Request>()
  unanswered.set(context, asked)
  context.on('request', (request) => asked.add(request))
  context.on('requestfinished', (request) => asked.delete(request))
  context.on('requestfailed', (request) => asked.delete(request))
  return asked
}

/**
 * Leaves a picture of every page of a test that failed, and in words what it said, waits for and shows. Playwright's own
 * setting takes pictures of tests that passed, too.
 */
export async function keepTraces(context: BrowserContext, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  for (const [index, page] of context.pages().entries()) {
    const name = `page-${index + 1}`
    const path = info.outputPath(`${name}.png`)
    writeFileSync(info.outputPath(`${name}.txt`), `${info.title}\n${await inWords(page)}\n`)
    await page.screenshot({ path, timeout: answersWithinMs }).then(
      () => info.attachments.push({ name, path, contentType: 'image/png' }),
      (error: unknown) => process.stderr.write(`No picture of ${page.url()}: ${String(error)}\n`),
    )
  }
}

async function inWords(page: Page): Promise<string> {
  const [messages, errors, shown] = await Promise.all([
    page.consoleMessages().catch(() => []),
    page.pageErrors().catch(() => []),
    page.locator('body').ariaSnapshot({ timeout: answersWithinMs }).catch(String),
  ])
  return [
    page.url(),
    ...messages.map((message) => `${message.type()}: ${message.text()}`),
    ...errors.map(String),
    ...[...(unanswered.get(page.context()) ?? [])].map((request) => `waits for ${request.url()}`),
    // Where a link leads and that it stands in a list would fill the screen of whoever reads this.
    ...shown.split('\n').filter((line) => !/\/url:|- list(item)?:$/.test(line)),
  ].join('\n')
}
