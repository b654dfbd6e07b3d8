import { connect, createServer } from 'node:net'
import { chromium } from 'playwright'
import { chromiumArgs, foundShell } from '../support/chromium.ts'
import { listenOnLoopback } from '../support/loopback.ts'
import { openSite } from '../support/site.ts'

/*
 * `node tests/bench/first-visit.ts` (after `npm run build`): what a first visit of a phone brings over the wire, with all that
 * follows it until the whole site can be read without a connection: every answer with its headers, and the sum. The path of
 * the visited page may follow. Bytes do not depend on how busy the machine is.
 */

/** In bytes. */
const limit = 260_000
const visited = process.argv[2] ?? '/'

/** The visit is over once nothing has come for so long, in milliseconds. */
const quietMs = 6_000

interface Answer {
  readonly asked: string
  bytes: number
}

const answers: Answer[] = []
let last = performance.now()

const site = await openSite({ env: { LIMIT_READS: '9999999/1' } })
/** A browser asks on after an answer only, so what comes between two requests of a connection belongs to the first. */
const counter = createServer((near) => {
  const far = connect(Number(new URL(site.url).port), '127.0.0.1')
  let answer: Answer = { asked: 'nothing', bytes: 0 }
  near.on('data', (chunk) => {
    const [, asked] = /^\w+ (\S+) HTTP\/1/.exec(chunk.toString('latin1')) ?? []
    if (asked !== undefined) answers.push((answer = { asked, bytes: 0 }))
    far.write(chunk)
  })
  far.on('data', (chunk) => {
    answer.bytes += chunk.length
    last = performance.now()
    near.write(chunk)
  })
  near.on('error', () => undefined).on('close', () => far.destroy())
  far.on('error', () => undefined).on('close', () => near.destroy())
})
const browser = await chromium.launch({ executablePath: foundShell(), args: [...chromiumArgs] })
try {
  const port = await listenOnLoopback(counter)
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  await page.goto(`http://localhost:${port}${visited}`)
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  while (performance.now() - last < quietMs) await page.waitForTimeout(100)
  report()
} finally {
  await browser.close()
  counter.close()
  await site.close()
}

function report(): void {
  console.table(answers)
  const sum = answers.reduce((all, { bytes }) => all + bytes, 0)
  console.log(
    `a first visit of ${visited}: ${sum} B in ${answers.length} answers, at most ${limit}`,
  )
  if (sum <= limit) return
  console.error('the first visit is over its limit')
  process.exitCode = 1
}
