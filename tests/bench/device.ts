import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from 'playwright'
import { chromiumArgs, foundChromium } from '../support/chromium.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { openSite } from '../support/site.ts'

/*
 * What a visitor's device fetches and how fast it paints: each build named on the command line (its `dist/server/main.js`),
 * in turn, with a fresh browser each time. `node tests/bench/device.ts dist/server/main.js …`
 */

const builds = process.argv.slice(2)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const quietMs = 4_000

interface Visit {
  readonly bytes: number
  readonly connections: number
  readonly readyMs: number
  readonly again: number
  readonly offline: number
}

const visits = new Map<string, Visit[]>(builds.map((build) => [build, []]))
for (let round = 0; round < rounds; round++) {
  for (const build of builds) visits.get(build)?.push(await visit(build))
}
console.table(
  builds.map((build) => {
    const middle = (read: (visit: Visit) => number) =>
      Math.round((visits.get(build) ?? []).map(read).toSorted((a, b) => a - b)[rounds >> 1] ?? 0)
    return {
      build,
      'kB on the wire': middle(({ bytes }) => bytes / 1000),
      'worker ready, ms': middle(({ readyMs }) => readyMs),
      'repeat paint, ms': middle(({ again }) => again),
      'offline paint, ms': middle(({ offline }) => offline),
    }
  }),
)

async function visit(entry: string): Promise<Visit> {
  const site = await openSite({ entry })
  const line = await countingLine(Number(new URL(site.url).port))
  const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: foundChromium(),
    args: [...chromiumArgs],
    baseURL: `http://localhost:${line.port}`,
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    const begun = performance.now()
    await page.goto('/')
    await page.mouse.move(200, 200)
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
    const readyMs = performance.now() - begun
    await line.quiet()
    const { bytes, connections } = line.count()
    const again = await repeatPaint(context)
    await site.stop()
    const offline = await repeatPaint(context)
    return { bytes, connections, readyMs, again, offline }
  } finally {
    await context.close()
    line.close()
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** First paint of the home page in a new tab on a slow phone's processor, in milliseconds. */
async function repeatPaint(context: BrowserContext): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.goto('/')
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    )
    times.push(Number(await paint.jsonValue()))
    await page.waitForTimeout(1000)
    await page.close()
  }
  return times.toSorted((a, b) => a - b)[1] ?? Number.NaN
}

/** A port that leads to the server's and counts what comes back. */
async function countingLine(target: number) {
  let bytes = 0
  let connections = 0
  let last = performance.now()
  const server = createServer((near) => {
    connections++
    const far = connect(target, '127.0.0.1')
    far.on('data', (chunk) => {
      bytes += chunk.length
      last = performance.now()
    })
    far.on('error', () => near.destroy())
    near.on('error', () => far.destroy())
    near.pipe(far).pipe(near)
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    count: () => ({ bytes, connections }),
    quiet: async () => {
      while (performance.now() - last < quietMs) await new Promise((go) => setTimeout(go, 200))
    },
    close: () => server.close(),
  }
}
