import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import type { Page } from 'playwright/test'
import { dayMs } from '#contract/durations.ts'
import { ownerCalls } from '#contract/owner-calls.ts'
import { contactNotices } from '#contract/messages/contact.ts'
import { skill } from '#contract/sections/skill.ts'
import { messageTexts } from '#contract/texts/message.ts'
import { problemBody } from '../support/answers.ts'
import { expect, takeSession } from '../support/browser.ts'
import { strangersAnswers, type Fate, type Line, type SeenWrite } from '../support/cutting-proxy.ts'
import { visit, type Device } from '../support/device.ts'
import { sendLetter, storedMessages, typeLetter } from '../support/messages.ts'
import { colourSquare } from '../support/pictures.ts'
import {
  addEntry,
  isDrained,
  queued,
  removeEntry,
  renameEntry,
  storedRows,
} from '../support/queue.ts'
import type { Site } from '../support/site.ts'
import { createRandom, type Random } from '../support/random.ts'

/** How often each thing happens, against the others. */
const weights = {
  create: 24,
  rename: 34,
  remove: 9,
  network: 10,
  server: 8,
  fate: 8,
  reload: 5,
  secondTab: 3,
  cutOff: 3,
  kill: 4,
  killBoth: 3,
  message: 5,
  clock: 4,
  sessionEnds: 4,
} as const

/** One thing that she does, or that befalls her: what it is about, and how, its number decides. */
export interface SiteStep {
  readonly is: keyof typeof weights
  readonly number: number
}

/** Steps are left out of a history that fails; of one alone nothing can be made smaller. */
export const siteStep: fc.Arbitrary<SiteStep> = fc.noShrink(
  fc.record({
    is: fc.oneof(
      ...Object.entries(weights).map(([is, weight]) => ({
        weight,
        arbitrary: fc.constant(is as SiteStep['is']),
      })),
    ),
    number: fc.nat({ max: 999 }),
  }),
)

/** How far the device's clock may be off: whoever is a month behind is asked about what waits. */
const clocks = [-6 * dayMs, 0, 6 * dayMs]
/** As many as one address may send in the time that a history takes. */
const mostMessages = 3

const fates: readonly Fate[] = [
  { is: 'answer lost' },
  { is: 'answer cut' },
  { is: 'lost' },
  { is: 'answered', status: 503, json: problemBody('no-disponible') },
  { is: 'body cut' },
  // Before the server is asked, or in place of what it answered.
  ...strangersAnswers.flatMap((answer) => [answer, { ...answer, instead: 'answer' as const }]),
]

/** How many operations `npm test` plays. */
export const usual = 40

/** How many kinds of faults there are: what befalls calls, and all that she does not do herself. */
export const kindsOfFaults =
  fates.length +
  Object.keys(weights).filter(
    (is) => !['create', 'rename', 'remove', 'message', 'fate'].includes(is),
  ).length

interface SiteHistoryOptions {
  readonly site: Site
  readonly device: Device
  readonly line: Line
}

/** Everything by its number, under the name it has now; undefined once it was removed. */
type Doings = Map<number, { readonly name: string; readonly hasPicture: boolean } | undefined>

/**
 * An owner who works through the real forms on one or two tabs while the network, the server, answers and tabs fail. Whatever
 * fails, every tab shows what she did.
 */
export function createSiteHistory({ site, device, line }: SiteHistoryOptions) {
  const doings: Doings = new Map()
  const tabs: Page[] = []
  let session: Readonly<Record<string, unknown>> = {}
  let isServerUp = true
  let isOnline = true
  let operations = 0
  let names = 0
  let random: Random = createRandom(0)
  const messages: string[] = []

  const numbered = (number: number) =>
    `h${String(number).padStart(2, '0')}-${String(names++).padStart(2, '0')}`
  const expectedNames = () => [...doings.values()].flatMap((entry) => (entry ? [entry.name] : []))

  async function openTab(): Promise<Page> {
    const page = await device.tab()
    await visit(page, '/')
    await takeSession(page, session)
    await visit(page, skill.path)
    tabs.push(page)
    return page
  }

  /** A tab on the list that shows everything she did; a tab that never does is a failure. */
  async function someTab(): Promise<Page> {
    const page = random.pick(tabs)
    if (!page) throw new Error('no tab is open')
    await showsAll(page)
    return page
  }

  async function showsAll(page: Page): Promise<void> {
    try {
      await expect.poll(() => namesOn(page)).toEqual(expectedNames().toSorted())
    } catch (error) {
      // The page is gone when the failure is read.
      const shown = await page.evaluate(() => document.documentElement.innerText.slice(0, 400))
      throw new Error(`${String(error)}\n${page.url()} shows «${shown}»`, { cause: error })
    }
  }

  function pickEntry() {
    const there = [...doings].flatMap(([number, entry]) => (entry ? [{ number, ...entry }] : []))
    return random.pick(there)
  }

  const acts: Record<keyof typeof weights, () => Promise<void>> = {
    create: async () => {
      const page = await someTab()
      const willReload = isOnline && isServerUp
      // With nothing else under way it is known what comes of it, and a page that was told yes loads anew.
      if (willReload) {
        letEverythingThrough()
        await drain(page)
      }
      const number = doings.size
      const name = numbered(number)
      const hasPicture = random.chance(25)
      const picture = hasPicture ? { picture: await colourSquare(colourOf(number)) } : {}
      const reloaded = willReload ? page.waitForEvent('load', { timeout: 60_000 }) : undefined
      doings.set(number, { name, hasPicture })
      operations++
      await Promise.all([addEntry(page, { name, section: skill, ...picture }), reloaded])
    },
    rename: async () => {
      const page = await someTab()
      const entry = pickEntry()
      if (!entry) return
      const { number, name: from, hasPicture } = entry
      const to = numbered(number)
      operations++
      doings.set(number, { name: to, hasPicture })
      await renameEntry(page, { from, to, section: skill })
    },
    remove: async () => {
      const page = await someTab()
      const entry = pickEntry()
      if (!entry) return
      operations++
      doings.set(entry.number, undefined)
      await removeEntry(page, entry.name, skill)
    },
    network: async () => {
      isOnline = !isOnline
      await device.context.setOffline(!isOnline)
    },
    server: async () => {
      isServerUp = !isServerUp
      await (isServerUp ? site.start() : site.stop('SIGKILL'))
    },
    fate: async () => {
      const next = random.pick(fates)
      let isLeft = true
      line.decide(() => {
        if (!isLeft) return undefined
        isLeft = false
        return next
      })
    },
    reload: async () => {
      const page = await someTab()
      await visit(page, skill.path)
    },
    secondTab: async () => {
      if (tabs.length > 1) await tabs.shift()?.close()
      else await openTab()
    },
    /** The tab goes while its change is on the way; the change is kept by then. */
    cutOff: async () => {
      if (!isOnline || !isServerUp) return
      const page = await someTab()
      const entry = pickEntry()
      if (!entry) return
      await drain(page)
      const reached = holdNext()
      operations++
      doings.set(entry.number, undefined)
      await removeEntry(page, entry.name, skill)
      await reached
      tabs.splice(tabs.indexOf(page), 1)
      await page.close()
      letEverythingThrough()
      await openTab()
    },
    /** The browser dies, with everything that it had not written. */
    kill: async () => {
      await device.kill()
      await comeBack()
    },
    /** A visitor writes, on the same device. */
    message: async () => {
      if (messages.length === mostMessages) return
      const page = await someTab()
      const message = `Mensaje ${messages.length}`
      messages.push(message)
      operations++
      await visit(page, '/contact')
      await typeLetter(page, { message })
      await sendLetter(page)
      const { sent } = contactNotices
      await expect(page.getByText(sent).or(page.getByText(messageTexts.kept)).first()).toBeVisible()
      await visit(page, skill.path)
    },
    /** The device's clock is set, under its open pages. */
    clock: async () => {
      const page = await someTab()
      const ms = random.pick(clocks) ?? 0
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
        clockKey,
        String(ms),
      ] as const)
    },
    /** Her session ends on the server, and she signs in anew in every tab. */
    sessionEnds: async () => {
      if (!isServerUp) return
      await site.call('POST', ownerCalls.logout, { token: String(session['token']) })
      session = await site.signIn()
      for (const page of tabs) {
        await takeSession(page, session)
        await visit(page, skill.path)
      }
    },
    /** A power cut where browser and server run on one machine. */
    killBoth: async () => {
      await Promise.all([device.kill(), site.stop('SIGKILL')])
      await site.start()
      isServerUp = true
      await comeBack()
    },
  }

  /** The browser starts again on the same profile, with a network and nobody signed in. */
  async function comeBack(): Promise<void> {
    isOnline = true
    tabs.length = 0
    await device.context.addInitScript(skewClock, clockKey)
    await openTab()
  }

  /** Waits until nothing is queued. A server that was away for long is asked again after a minute, or by a page that loads. */
  async function drain(page: Page): Promise<void> {
    if ((await queued(page)).length > 0) await visit(page, skill.path)
    await isDrained(page)
  }

  function letEverythingThrough(): void {
    line.decide(() => undefined)
  }

  /** Holds the next write for good; resolves when it has come. */
  function holdNext(): Promise<SeenWrite> {
    const { promise, resolve } = Promise.withResolvers<SeenWrite>()
    const never = Promise.withResolvers<void>()
    let isFirst = true
    line.decide((write) => {
      if (!isFirst) return undefined
      isFirst = false
      resolve(write)
      return { is: 'held', until: never.promise }
    })
    return promise
  }

  return {
    begin: async () => {
      session = await site.signIn()
      await device.context.addInitScript(skewClock, clockKey)
      await openTab()
    },
    act: ({ is, number }: SiteStep) => {
      random = createRandom(number)
      return acts[is]()
    },
    operations: () => operations,
    /** Everything works again and what is queued goes out; what the server then has, and what it should. */
    settle: async () => {
      letEverythingThrough()
      if (!isServerUp) await site.start()
      await device.context.setOffline(false)
      const page = tabs[0] ?? (await openTab())
      await visit(page, skill.path)
      await isDrained(page)
      for (const tab of tabs) await showsAll(tab)
      const rows = await storedRows(site, skill.key)
      return {
        stored: rows
          .map(({ name = '', icon = '' }) => ({ name, hasPicture: icon.startsWith('/media/') }))
          .toSorted(byName),
        // Of different things one may overtake another that meets trouble, so their order is not compared.
        expected: [...doings.values()].filter((entry) => entry !== undefined).toSorted(byName),
        messages: storedMessages(site).toSorted(),
        expectedMessages: messages.toSorted(),
        versions: rows.map(({ id, version }) => ({ id, version })),
        // An update counts once however often it was sent: its key is the same each time.
        expectedVersions: rows.map(({ id = '' }) => ({
          id,
          version: firstVersion(site.dataDir) + keysOf(line.writes, id),
        })),
      }
    },
  }
}

const clockKey = 'history-clock'

/** Has every page tell the time by a clock that is as much off as its device's. */
function skewClock(key: string): void {
  const real = Date
  const now = () => {
    try {
      return real.now() + Number(localStorage.getItem(key) ?? 0)
    } catch {
      return real.now() // A page without storage, as every tab begins with.
    }
  }
  globalThis.Date = new Proxy(real, {
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made) as object,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name.localeCompare(b.name)

/** What the version of a new entry is in this site's database. */
function firstVersion(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'tintero.sqlite'), { readOnly: true })
  const row = db.prepare("select value from site where key = 'life'").get()
  db.close()
  return Number(row?.['value']) + 1
}

function keysOf(writes: readonly SeenWrite[], id: string): number {
  return new Set(writes.filter(({ path }) => path.endsWith(`update/${id}`)).map(({ key }) => key))
    .size
}

async function namesOn(page: Page): Promise<string[]> {
  const labels = await page
    .locator('main .item .edit a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
  return labels.map((label) => /h\d\d-\d\d/.exec(label)?.[0] ?? label).toSorted()
}

function colourOf(number: number): string {
  return `#${String(100_000 + number * 7_919).slice(0, 6)}`
}
