import { createServer, type ServerResponse } from 'node:http'
import type { Page } from 'playwright/test'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { expect, test } from '#tests/support/browser.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'

/**
 * Where a slow line or a busy phone may leave off for a while. Beside its portrait the greeting stands in the middle, so that
 * it moves as it grows itself: there it comes whole.
 */
const cuts = [
  [390, /(?=<(?:section|figure|article|form|header|aside|h\d|p|ul|ol|dl|li)\b)/],
  [1280, /(?=<(?:section|figure|article|form|aside|ul|ol|dl|li)\b)/],
] as const

for (const [width, parts] of cuts) {
  for (const path of ['/', '/about', '/projects', '/experiences', '/contact', '/cv']) {
    test(`nothing that ${path} shows at ${width} moves as the rest of its document arrives`, async ({
      browser,
      site,
    }) => {
      const document = await serveInParts(site.url, parts)
      const context = await browser.newContext({ viewport: { width, height: 800 } })
      const page = await context.newPage()
      await page.goto(document.url + path, { waitUntil: 'commit' })
      while (document.sendNext()) await isPainted(page)
      expect(await moved(page)).toBeLessThan(0.005)
      await context.close()
      document.close()
    })
  }
}

/** The site with documents that come part by part, each when told; whatever else is asked for comes as ever. */
async function serveInParts(url: string, parts: RegExp) {
  let left: string[] = []
  let open: ServerResponse | undefined
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetchInTime(url + request.url)
      const body = Buffer.from(await answer.arrayBuffer())
      for (const name of ['content-type', 'content-security-policy']) {
        const value = answer.headers.get(name)
        if (value !== null) response.setHeader(name, value)
      }
      if (request.headers['sec-fetch-dest'] !== 'document') return response.end(body)
      const [head = '', content = '', frame = ''] = body.toString().split(/(?=<\/?main\b)/)
      open = response
      left = [...content.split(parts), frame]
      return response.write(head)
    })()
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://localhost:${port}`,
    /** Whether there was anything left to send. */
    sendNext: () => {
      const next = left.shift()
      if (next === undefined) open?.end()
      else open?.write(next)
      return next !== undefined
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function isPainted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
}

/** How much of what was seen moved by itself so far. */
function moved(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const shifts = await new Promise<PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({
        type: 'layout-shift',
        buffered: true,
      })
      setTimeout(() => resolve([]), 500)
    })
    return shifts.reduce((sum, shift) => sum + (shift as unknown as { value: number }).value, 0)
  })
}
