import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { chromiumArgs, foundShell } from '../support/chromium.ts'
import { isHydrated } from '../support/hydration.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { publicPaths } from '../support/page-paths.ts'
import { openSite } from '../support/site.ts'
import { serveByHand, writtenByHand } from './hand-written.ts'
import { paintChart } from './paint-chart.ts'
import { openSlowLine, type SlowLine } from './slow-line.ts'

/*
 * `node tests/bench/paint.ts` (after `npm run build`): when a phone on a slow line paints the product's pages, beside the
 * same pages written by hand. Both take turns, because only ratios within a run mean anything; a first visit has a browser
 * that keeps nothing yet, the later ones of a round have one that was everywhere once. Names of visits and paths of pages
 * may follow, to measure only these. `BENCH_BEFORE` names the folder of another build, measured in the same turns;
 * `BENCH_CHART` names the file to draw the first paints into.
 */

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
/** So many times as slow as this machine. */
const slowdown = 4
const browserOptions = { executablePath: foundShell(), args: [...chromiumArgs] }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** From the load event until nothing is painted any more, in milliseconds. */
const settlesMs = 600

/**
 * So many times the hand-written page's paint at most: its first, or, for whoever comes back, its repeated one with a
 * connection, since it has none without.
 */
const limits = { first: 1.05, again: 1, cold: 1.2, offline: 1 }
type Visit = keyof typeof limits

const paths = asked([...publicPaths, '/cv', '/card'])
const visits = asked(Object.keys(limits) as Visit[])

/** How much of what is seen may move by itself: the band that says so once there is no connection stands in the flow. */
const shiftLimits = { first: 0, again: 0, cold: 0, offline: 0.05 } satisfies Record<Visit, number>

/** In milliseconds since the page was asked for. */
interface Paint {
  readonly first: number
  readonly largest: number
  readonly shift: number
}

interface Way {
  readonly name: 'hand' | 'product' | 'before'
  readonly line: SlowLine
}

interface Visited {
  readonly visit: Visit
  readonly path: string
  readonly round: number
}

interface Sample extends Visited {
  readonly way: Way['name']
  readonly paint: Paint
}

const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const samples: Sample[] = []
try {
  const site = await openProduct('dist')
  const earlier = process.env['BENCH_BEFORE']
  const before = earlier ? await openProduct(earlier) : undefined
  const byHand = await serveByHand(await copies(site.url), site.url)
  ends.push(byHand.close)
  const hand = await wayTo('hand', byHand.port)
  const elsewhere = await openElsewhere()
  const built = [
    await wayTo('product', Number(new URL(site.url).port)),
    ...(before ? [await wayTo('before', Number(new URL(before.url).port))] : []),
  ]
  for (let round = 0; round < rounds; round++) {
    if (visits.includes('first')) await firstVisits([hand, ...built], round, elsewhere)
    if (visits.some((visit) => visit !== 'first')) await laterVisits([hand, ...built], round)
  }
  report()
} finally {
  for (const end of ends.toReversed()) await end()
}

function asked<T extends string>(all: readonly T[]): readonly T[] {
  const some = all.filter((one) => process.argv.slice(2).includes(one))
  return some.length > 0 ? some : all
}

async function openProduct(build: string) {
  const env = { LIMIT_READS: '9999999/1' }
  const site = await openSite({ env, entry: join(build, 'server/main.js') })
  ends.push(site.close)
  return site
}

async function wayTo(name: Way['name'], port: number): Promise<Way> {
  const line = await openSlowLine(port)
  ends.push(line.close)
  return { name, line }
}

function openBrowser() {
  return chromium.launch(browserOptions)
}

async function copies(url: string): Promise<ReadonlyMap<string, string>> {
  const browser = await openBrowser()
  const page = await browser.newPage({ ...phone, javaScriptEnabled: false })
  const pages = new Map<string, string>()
  for (const path of paths) {
    await page.goto(url + path)
    pages.set(path, await writtenByHand(page))
  }
  await browser.close()
  return pages
}

/**
 * A page of another site, which a first visit comes from: whoever follows a link leaves one. The empty page of a new tab lends
 * its process to a site that says nothing of other windows, so that the page written by hand was painted some 50 ms
 * earlier than anybody sees it.
 */
async function openElsewhere(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><p>Elsewhere')
  })
  const port = await listenOnLoopback(server)
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  // Another site than the lines' `localhost`.
  return `http://127.0.0.1:${port}`
}

/** Every page as somebody sees it who has never been there. */
async function firstVisits(ways: readonly Way[], round: number, elsewhere: string): Promise<void> {
  const browser = await openBrowser()
  for (const path of paths) {
    for (const way of inTurn(ways, round)) {
      const context = await browser.newContext(phone)
      await sample(context, way, { visit: 'first', path, round }, elsewhere)
      await context.close()
    }
  }
  await browser.close()
}

/**
 * Every page as somebody sees it who has been to each of them: with the worker running, after it had ended, and without a
 * connection.
 */
async function laterVisits(ways: readonly Way[], round: number): Promise<void> {
  const devices = new Map<Way, BrowserContext>()
  for (const way of ways) devices.set(way, await deviceThatWasThere(way))
  for (const path of paths) {
    for (const [way, context] of inTurn([...devices], round)) {
      for (const visit of visitsOf(way)) await sample(context, way, { visit, path, round })
    }
  }
  for (const context of devices.values()) await context.close()
}

/** The page written by hand is compared as it comes again over the line, whatever the product's has to do without. */
function visitsOf({ name }: Way): readonly Visit[] {
  return name === 'hand' ? ['again'] : visits.filter((visit) => visit !== 'first')
}

/** Who begins changes from round to round: what the machine does meanwhile befalls all alike. */
function inTurn<T>(ways: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? ways : ways.toReversed()
}

/** A browser with a profile on disk that has seen every page, and of the product what its worker fetches. */
async function deviceThatWasThere({ name, line }: Way): Promise<BrowserContext> {
  const profile = mkdtempSync(join(folder, name))
  const context = await chromium.launchPersistentContext(profile, { ...browserOptions, ...phone })
  line.slow(false)
  const page = await context.newPage()
  for (const path of paths) await page.goto(line.url + path)
  if (name !== 'hand') {
    await startApplication(page)
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  }
  await line.quiet(2_000)
  await page.close()
  return context
}

async function startApplication(page: Page): Promise<void> {
  await page.mouse.move(200, 200)
  await isHydrated(page)
}

async function sample(
  context: BrowserContext,
  way: Way,
  visited: Visited,
  from = 'about:blank',
): Promise<void> {
  const page = await context.newPage()
  await page.goto(from)
  const session = await context.newCDPSession(page)
  if (visited.visit === 'cold') {
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    await page.waitForTimeout(200)
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  way.line.hangUp()
  way.line.slow(true)
  if (visited.visit === 'offline') await way.line.cut()
  await page.goto(way.line.url + visited.path)
  await page.waitForTimeout(settlesMs)
  const paint = await paintOf(page)
  if (visited.visit === 'offline') await way.line.mend()
  samples.push({ ...visited, way: way.name, paint })
  await page.close()
}

/** What the page's own timeline says of its paints. */
function paintOf(page: Page): Promise<Paint> {
  return page.evaluate(async () => {
    const entriesOf = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({
          type,
          buffered: true,
        })
        setTimeout(() => resolve([]), 200)
      })
    const [paints = [], largest = [], shifts = []] = await Promise.all(
      ['paint', 'largest-contentful-paint', 'layout-shift'].map(entriesOf),
    )
    const first = paints.find(({ name }) => name === 'first-contentful-paint')
    return {
      first: first?.startTime ?? Number.NaN,
      largest: largest.at(-1)?.startTime ?? Number.NaN,
      shift: shifts.reduce((sum, shift) => sum + (shift as unknown as { value: number }).value, 0),
    }
  })
}

/** The table, with the middle half of the ratios in brackets, and the same as JSON. */
function report(): void {
  const rows = visits.flatMap((visit) => paths.map((path) => rowOf(visit, path)))
  console.table(rows)
  console.log(JSON.stringify(rows))
  const chart = process.env['BENCH_CHART']
  if (chart) writeFileSync(chart, paintChart(rows))
  const over = rows.filter((row) => row.over !== '')
  for (const { visit, page, over: what } of over) {
    console.error(`${visit} visit of ${page}: ${what} over its limit`)
  }
  if (over.length > 0) process.exitCode = 1
}

function rowOf(visit: Visit, path: string) {
  const of = (way: Way['name'], its: Visit) =>
    samples
      .filter((one) => one.way === way && one.visit === its && one.path === path)
      .toSorted((a, b) => a.round - b.round)
      .map(({ paint }) => paint)
  const hand = of('hand', visit === 'first' ? 'first' : 'again')
  const product = of('product', visit)
  const ratios = (paints: readonly Paint[], which: 'first' | 'largest') =>
    paints
      .map((paint, round) => paint[which] / (hand[round]?.[which] ?? Number.NaN))
      .toSorted((a, b) => a - b)
  const part = (values: readonly number[], share: number) =>
    Number((values[Math.floor(values.length * share)] ?? Number.NaN).toFixed(2))
  const ms = (paints: readonly Paint[], which: 'first' | 'largest') =>
    Math.round(paints.map((paint) => paint[which]).toSorted((a, b) => a - b)[rounds >> 1] ?? NaN)
  const [first, largest] = [ratios(product, 'first'), ratios(product, 'largest')]
  const before = of('before', visit)
  const shift = Number(Math.max(...product.map((paint) => paint.shift)).toFixed(3))
  const limit = limits[visit]
  const over = [
    part(first, 0.5) <= limit || 'first paint',
    part(largest, 0.5) <= limit || 'largest paint',
    shift <= shiftLimits[visit] || 'shift',
  ].filter((what) => what !== true)
  return {
    visit,
    page: path,
    'by hand, ms': ms(hand, 'first'),
    'first paint, ms': ms(product, 'first'),
    ...(before.length > 0 && { 'ratio before': part(ratios(before, 'first'), 0.5) }),
    ratio: part(first, 0.5),
    'middle half': `${part(first, 0.25)}–${part(first, 0.75)}`,
    'largest by hand, ms': ms(hand, 'largest'),
    'largest, ms': ms(product, 'largest'),
    ...(before.length > 0 && { 'its ratio before': part(ratios(before, 'largest'), 0.5) }),
    'its ratio': part(largest, 0.5),
    'its middle half': `${part(largest, 0.25)}–${part(largest, 0.75)}`,
    'at most': limit,
    shift,
    over: over.join(', '),
  }
}
