import { takeSession } from '../support/browser.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { v7 as newId } from 'uuid'
import { entriesPerPage } from '#contract/entries/list-pages.ts'
import { project } from '#contract/sections/project.ts'
import type { Operation } from '#client/outbox/operation.ts'
import { chromiumArgs, foundChromium } from '../support/chromium.ts'
import { formValues } from '../support/entries.ts'
import { openSite, type Site } from '../support/site.ts'

/*
 * `npm run bench` (after `npm run build`), second half: what the queue of changes costs beside bare calls of the same
 * page in the same run, and how long a device that keeps a thousand entries takes to show their first page with the server
 * gone; how long it may take beside a page written by hand is `paint.ts`'s to say.
 */

const changes = Number(process.env['BENCH_CHANGES'] ?? 500)
const entries = Number(process.env['BENCH_ENTRIES'] ?? 1000)
/** So many times a bare call at most. */
const queueLimit = 1.5
const shownEntries = Math.min(entries, entriesPerPage)

const folder = mkdtempSync(join(tmpdir(), 'tintero-bench-'))
const site = await openSite({ env: { LIMIT_WRITES: '9999999/1', LIMIT_READS: '9999999/1' } })
const context = await chromium.launchPersistentContext(folder, {
  executablePath: foundChromium(),
  args: [...chromiumArgs],
  baseURL: site.url,
})
try {
  await context.addInitScript(() => performance.setResourceTimingBufferSize(100_000))
  const page = await context.newPage()
  await reportQueue(page)
  await reportRestore(page)
} finally {
  await context.close()
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}

async function reportQueue(page: Page): Promise<void> {
  const ids = await createEntries(site, 10)
  const session = await site.signIn()
  await open(page, '/')
  await takeSession(page, session)
  const bare = [await bareCalls(page, { ids, token: String(session['token']) })]
  await fillQueue(page, ids)
  await open(page, '/')
  const queued = await timeOfWrites(page, changes)
  bare.push(await bareCalls(page, { ids, token: String(session['token']) }))
  const perCall = bare.reduce((sum, ms) => sum + ms, 0) / bare.length / changes
  const perChange = queued / changes
  const ratio = Number((perChange / perCall).toFixed(2))
  console.table([
    {
      changes,
      'bare ms each': Number(perCall.toFixed(2)),
      'queued ms each': Number(perChange.toFixed(2)),
      ratio,
      'at most': queueLimit,
    },
  ])
  // What is no number is no proof either.
  if (!(ratio <= queueLimit)) {
    console.error('the queue is over its limit')
    process.exitCode = 1
  }
  await isInOrder(ids)
}

/** The names say which change came last to each entry; anything else was out of order or missing. */
async function isInOrder(ids: readonly string[]): Promise<void> {
  for (const [n, id] of ids.entries()) {
    const { json } = await site.call('GET', `${project.key}/detail/${id}`)
    const last = changes - ids.length + n
    // The bare calls came after; they write what they are told by their number too.
    if (json['name'] !== nameOf(last)) {
      throw new Error(`${String(json['name'])} is not ${nameOf(last)}`)
    }
  }
}

function nameOf(n: number): string {
  return `Cambio ${n}`
}

async function createEntries(target: Site, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (const [n, id] of ids.entries()) {
    const body = { id, ...formValues(project, `Entrada ${n}`) }
    const { status } = await target.call('POST', `${project.key}/create`, { body })
    if (status !== 201) throw new Error(`creating was answered ${status}`)
  }
  return ids
}

/** Puts updates into the device's queue as if they had been made offline, ten entries in turn. */
async function fillQueue(page: Page, ids: readonly string[]): Promise<void> {
  const operations = Array.from({ length: changes }, (_, n): Operation => {
    const name = nameOf(n)
    const subject = { on: 'entry', section: project.key, id: ids[n % ids.length] ?? '' } as const
    const madeAt = new Date().toISOString()
    return { id: newId(), subject, verb: 'update', values: { name }, label: name, madeAt, tries: 0 }
  })
  await page.evaluate(async (queue) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const opening = indexedDB.open('tintero-outbox')
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('queue'))
    opening.addEventListener('success', () => {
      const writing = opening.result.transaction('queue', 'readwrite')
      writing.objectStore('queue').put(queue, 'operations')
      writing.addEventListener('complete', () => resolve())
      writing.addEventListener('abort', () => reject(writing.error ?? new Error('aborted')))
      writing.commit()
    })
    await promise
    opening.result.close()
  }, operations)
}

interface Bare {
  readonly ids: readonly string[]
  readonly token: string
}

/** The same updates from the same page without the queue, in milliseconds. */
async function bareCalls(page: Page, { ids, token }: Bare): Promise<number> {
  await open(page, '/cv')
  const paths = Array.from(
    { length: changes },
    (_, n) => `/api/${project.key}/update/${ids[n % ids.length]}`,
  )
  await page.evaluate(
    async ({ urls, authorization }) => {
      for (const [n, url] of urls.entries()) {
        const answer = await fetch(url, {
          method: 'PUT',
          headers: {
            'Content-Type': 'application/json',
            Authorization: authorization,
            'Idempotency-Key': crypto.randomUUID(),
          },
          body: JSON.stringify({ name: `Cambio ${n}` }),
        })
        await answer.json()
      }
    },
    { urls: paths, authorization: `Bearer${token}` },
  )
  return timeOfWrites(page, changes)
}

/** From the first of so many updates this page sent to the last one's answer, in milliseconds. */
async function timeOfWrites(page: Page, count: number): Promise<number> {
  const span = await page.waitForFunction(
    (expected) => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const sent = all.filter(({ name }) => name.includes('/update/'))
      const last = sent.at(-1)
      if (sent.length < expected || !last) return false
      return last.responseEnd - (sent[0]?.startTime ?? 0)
    },
    count,
    { timeout: 120_000, polling: 250 },
  )
  return Number(await span.jsonValue())
}

async function reportRestore(page: Page): Promise<void> {
  await createEntries(site, entries)
  await open(page, project.path)
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.waitForFunction(
    (count) => document.querySelectorAll('main .item').length === count,
    shownEntries,
  )
  await page.waitForFunction(async (path) => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().some(({ url }) => new URL(url).pathname === path)
  }, `/api/${project.key}`)
  await site.stop()
  const times: { readonly paint: number; readonly list: number }[] = []
  for (let round = 0; round < 5; round++) times.push(await timeOfReading(page))
  const middle = (read: (time: (typeof times)[number]) => number) =>
    Math.round(times.map(read).toSorted((a, b) => a - b)[2] ?? Number.NaN)
  console.table([
    {
      entries,
      'first paint from the shell, ms': middle(({ paint }) => paint),
      'first page of them shown, ms': middle(({ list }) => list),
    },
  ])
  await site.start()
}

/** How long a page takes that has only the device to draw itself from, in milliseconds since it was asked for. */
async function timeOfReading(page: Page) {
  await page.goto(project.path)
  const shown = await page.waitForFunction((count) => {
    return document.querySelectorAll('main .item').length === count && performance.now()
  }, shownEntries)
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  )
  return { paint: Number(await paint.jsonValue()), list: Number(await shown.jsonValue()) }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.mouse.move(200, 200)
}
