import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imageFieldOf } from '#contract/fields.ts'
import { contactTexts } from '#contract/messages/contact.ts'
import { cacheNames } from '#contract/offline/offline.ts'
import { firstSections, publicPaths } from '#tests/support/page-paths.ts'
import { keptPicture } from '#contract/images/picture-widths.ts'
import { project } from '#contract/sections/project.ts'
import { loginTexts } from '#contract/access/login.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { nextBuild } from '#tests/support/builds.ts'
import { readManifest } from '#tests/support/built-client.ts'
import { formValues } from '#tests/support/entries.ts'
import type { Engine, RunningBrowser, Tab } from '#tests/support/engines/engine.ts'
import { listenOnLoopback } from '#tests/support/loopback.ts'
import { letter, storedMessages } from '#tests/support/messages.ts'
import { colourSquare } from '#tests/support/pictures.ts'
import { openSite, owner, type Site } from '#tests/support/site.ts'

/** What the product promises in every browser, played in one that the machine has; one that it lacks is said and passed over. */
export function describeJourneys(engine: Engine): void {
  const missing = engine.missing()
  if (missing !== undefined) process.stdout.write(`${missing}\n`)
  describe.skipIf(missing !== undefined)(`In ${engine.name}`, () => {
    let site: Site
    let browser: RunningBrowser
    let tab: Tab
    let content: Content = {}

    beforeAll(async () => {
      site = await openSite()
      browser = await engine.launch()
      tab = browser.tab
      process.stdout.write(`${engine.name}: ${browser.version}\n`)
    })
    afterAll(async () => {
      await browser?.close()
      await site?.close()
    })

    test('every page is read, with its pictures', async () => {
      content = await contentOf(site)
      expect(await readPaths(tab, { site, content })).toEqual(everyPath)
    })

    test('the theme is changed, and stays', async () => {
      await tab.goto(site.url)
      const theme = () => tab.run(() => document.documentElement.dataset['theme'] ?? 'dark')
      const before = await theme()
      await tab.press('header [data-theme-toggle]')
      await until(tab, 'another theme', async () => (await theme()) !== before)
      const after = await theme()
      await tab.goto(`${site.url}/about`)
      expect(await theme()).toBe(after)
    })

    test('after one visit every page is there without the server', async () => {
      await tab.goto(site.url)
      await until(tab, 'a worker', () =>
        tab.run(() => navigator.serviceWorker.controller?.state === 'activated'),
      )
      const wanted = {
        ...cacheNames,
        answers: firstSections.map(({ key }) => `/api/${key}`),
        pictures: await picturesOf(site),
      }
      await until(tab, 'copies of everything', () => tab.run(isKept, wanted))
      await site.stop()
      try {
        expect(await readPaths(tab, { site, content })).toEqual(everyPath)
      } finally {
        await site.start()
      }
    })

    test('the owner signs in and makes an entry with a picture', async () => {
      await signIn(tab, site)
      await makeEntry(tab, site, { name: 'Con imagen', picture: true })
      await until(tab, 'the entry on the server', () => isStored(site, 'Con imagen'))
      const stored = (await rowsOf(site, project.key)).find(({ name }) => name === 'Con imagen')
      expect(stored?.['image']).toMatch(/^\/media\//)
    })

    test('what is made without the server waits on the device and arrives', async () => {
      await tab.goto(site.url + project.path)
      await until(tab, 'the owner’s page', () => tab.run(isSeen, 'main button', project.words.add))
      await site.stop()
      await makeEntry(tab, site, { name: 'En el avión', picture: false })
      await until(tab, 'the note that it waits', () => tab.run(isSeen, 'main .item', 'En el avión'))
      await tab.goto(site.url + project.path)
      await until(tab, 'the entry after a reload', () =>
        tab.run(isSeen, 'main .item', 'En el avión'),
      )
      await site.start()
      await tab.goto(site.url + project.path)
      await until(tab, 'the entry on the server', () => isStored(site, 'En el avión'))
      expect(
        (await rowsOf(site, project.key)).filter(({ name }) => name === 'En el avión'),
      ).toHaveLength(1)
    })

    test('a new version is offered, and taken by one press', async () => {
      const next = nextBuild('otra')
      await site.stop()
      await site.start(next.entry)
      await tab.run(
        async () => void (await (await navigator.serviceWorker.getRegistration())?.update()),
      )
      await until(tab, 'the offer', () => tab.run(isSeen, 'body', offlineTexts.updateReady))
      await press(tab, 'button', offlineTexts.updateApply)
      const build = () =>
        tab.run(() => document.querySelector('meta[name=build]')?.getAttribute('content'))
      await until(tab, 'the new version', async () => (await build()) === 'otra')
      expect(await build()).toBe('otra')
      next.remove()
    })

    test('a page may be left at any moment of its start', async () => {
      for (let pauseMs = 0; pauseMs < 600; pauseMs += 50) {
        await tab.goto(`${site.url}/about`)
        await tab.run(() => void dispatchEvent(new PointerEvent('pointermove')))
        await delay(pauseMs)
      }
      await tab.goto(site.url)
      await until(tab, 'the page', () => tab.run(isRead, []))
      expect(await tab.run(isRead, [])).toBe(true)
    })

    test('what sends a message is had in the end where it did not come, and the message arrives once', async () => {
      const front = await withoutSender(site)
      await tab.goto(`${front.url}/contact`)
      for (const name of ['name', 'email', 'message'] as const)
        await tab.type(`#contact-${name}`, letter[name])
      await press(tab, 'main button[type=submit]', contactTexts.submit)
      const isSent = () => storedMessages(site).includes(letter.message)
      const isMissed = () => tab.run(isSeen, '.net-band', offlineTexts.partMissing)
      // The worker may bring it meanwhile; but some engines never ask again for a script that failed.
      await until(tab, 'the message or the band', async () => isSent() || (await isMissed()))
      if (!isSent()) {
        front.give()
        // Gone where it has come by itself since.
        await tab.run(() => document.querySelector<HTMLElement>('.net-band button')?.click())
        const waits = () =>
          tab.run((text) => {
            const field = document.querySelector<HTMLTextAreaElement>('#contact-message')
            return field?.value === text && !document.querySelector('[aria-busy=true], .net-band p')
          }, letter.message)
        await until(tab, 'the message or its text', async () => isSent() || (await waits()))
      }
      if (!isSent()) await press(tab, 'main button[type=submit]', contactTexts.submit)
      await until(tab, 'the message', async () => isSent())
      expect(storedMessages(site)).toEqual([letter.message])
      expect(front.withheld()).toBeGreaterThan(0)
      front.close()
    })

    test('nothing went wrong in its pages meanwhile', async () => {
      expect(await tab.errors()).toEqual([])
    })
  })
}

/** Waits for something to become true, looking five times a second; what never does is named. */
async function until(tab: Tab, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  let trouble: unknown
  for (let tries = 0; tries < 150; tries++) {
    // A page that is just changing answers nothing.
    const isSo = await isTrue().catch((error: unknown) => {
      trouble = error
      return false
    })
    if (isSo) return
    await delay(200)
  }
  const page = await tab.run(() => `${location.href}: ${document.body.innerText}`)
  throw new Error(`${what} did not come on ${page}`, { cause: trouble })
}

const everyPath = [...publicPaths, '/cv']

/** The names of the entries that each list shows. */
type Content = Readonly<Record<string, readonly string[]>>

async function contentOf(site: Site): Promise<Content> {
  const names: Record<string, readonly string[]> = {}
  for (const { key, path, display } of firstSections) {
    names[path] = (await rowsOf(site, key)).map((row) => row[display.title] ?? '')
  }
  return names
}

interface Reading {
  readonly site: Site
  readonly content: Content
}

/** Opens every page and resolves to those that showed all that belongs there, pictures included. */
async function readPaths(tab: Tab, { site, content }: Reading): Promise<readonly string[]> {
  const read: string[] = []
  for (const path of everyPath) {
    await tab.goto(site.url + path)
    await until(tab, `all of ${path}`, () => tab.run(isRead, content[path] ?? []))
    read.push(path)
  }
  return read
}

/** Runs in the page: whether it shows its heading and these words, and every picture in it. */
async function isRead(words: readonly string[]): Promise<boolean> {
  const main = document.querySelector('main')
  if (!main?.querySelector('h1')) return false
  const images = [...document.images].filter(({ width }) => width > 0)
  for (const image of images) image.loading = 'eager'
  return (
    words.every((word) => main.textContent.includes(word)) &&
    images.every((image) => image.complete && image.naturalWidth > 0)
  )
}

/** The addresses under which the device keeps the site's pictures. */
async function picturesOf(site: Site): Promise<readonly string[]> {
  const found: string[] = []
  for (const { key, fields } of firstSections) {
    const image = imageFieldOf(fields) ?? ''
    found.push(...(await rowsOf(site, key)).map((row) => row[image] ?? ''))
  }
  return found.filter(Boolean).map(keptPicture)
}

interface Wanted {
  readonly api: string
  readonly images: string
  readonly answers: readonly string[]
  readonly pictures: readonly string[]
}

/** Runs in the page: whether the device holds these answers and pictures. */
async function isKept({ api, images, answers, pictures }: Wanted): Promise<boolean> {
  const addresses = async (name: string) =>
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
  const kept = [...(await addresses(api)), ...(await addresses(images))]
  return [...answers, ...pictures].every((address) => kept.includes(address))
}

/** Runs in the page: whether something of this kind shows this text. */
function isSeen(selector: string, text: string): boolean {
  return [...document.querySelectorAll<HTMLElement>(selector)].some(
    (element) => element.textContent.includes(text) && element.getClientRects().length > 0,
  )
}

/** Presses the first visible element of this kind with this text. */
async function press(tab: Tab, selector: string, text: string): Promise<void> {
  await until(tab, text, () => tab.run(isSeen, selector, text))
  await tab.run(markForPress, selector, text)
  await tab.press('[data-pressed]')
}

/** Runs in the page: marks the element to press once it has come to rest. */
async function markForPress(selector: string, text: string): Promise<void> {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (element) => element.textContent.includes(text) && element.getClientRects().length > 0,
  )
  for (const old of document.querySelectorAll('[data-pressed]')) old.removeAttribute('data-pressed')
  found?.setAttribute('data-pressed', '')
  // WebKit moves what is fixed to the window as well, so that the press falls beside it.
  const { top, bottom } = found?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
  if (top < 0 || bottom > innerHeight)
    found?.scrollIntoView({ block: 'center', behavior: 'instant' })
  const place = () => JSON.stringify(found?.getBoundingClientRect())
  let before = ''
  // What never comes to rest is pressed where it is.
  for (let looks = 0; looks < 100 && before !== place(); looks++) {
    before = place()
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
}

async function signIn(tab: Tab, site: Site): Promise<void> {
  await tab.goto(`${site.url}/login`)
  await until(tab, 'the form', () =>
    tab.run(() => document.querySelector('input[type=password]') !== null),
  )
  await tab.type('input[type=email]', owner.userName)
  await tab.type('input[type=password]', owner.password)
  await press(tab, 'button[type=submit]', loginTexts.submit)
  await until(tab, 'the owner’s header', () =>
    tab.run(() => sessionStorage.getItem('authToken') !== null && location.pathname === '/'),
  )
}

/** The site behind something that has not what sends a message, until told to give it. */
async function withoutSender(site: Site) {
  // A new version, as the site may have by now, calls its files after those of the first one.
  const file = basename(readManifest()['src/client/outbox/messages/send-or-keep.ts']?.file ?? '')
  let isGiven = false
  let withheld = 0
  const server = createServer((asked, answer) => {
    const { url, method, headers } = asked
    if (!isGiven && url?.endsWith(file)) {
      withheld++
      return answer.writeHead(404).end()
    }
    const passed = request(site.url + url, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    return asked.pipe(passed)
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://localhost:${port}`,
    give: () => (isGiven = true),
    withheld: () => withheld,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface NewEntry {
  readonly name: string
  readonly picture: boolean
}

async function makeEntry(tab: Tab, site: Site, { name, picture }: NewEntry): Promise<void> {
  // The panel may be there unseen, with a draft in it.
  const isOpen = () => tab.run(isSeen, 'main form', ownerTexts.confirm)
  if (!(await tab.run((path) => location.pathname === path, project.path)))
    await tab.goto(site.url + project.path)
  if (!(await isOpen())) await press(tab, 'main button', project.words.add)
  await until(tab, 'the form', isOpen)
  for (const [field, value] of Object.entries(formValues(project, name))) {
    const label = project.fields[field as keyof typeof project.fields].label
    await tab.type(`[id="${await tab.run(idOf, label)}"]`, value)
  }
  const folder = mkdtempSync(join(tmpdir(), 'tintero-picture-'))
  if (picture) {
    const file = join(folder, 'cuadro.png')
    writeFileSync(file, (await colourSquare('#0a7')).buffer)
    await tab.choose('main form input[type=file]', file)
    await until(tab, 'the preview', () =>
      tab.run(() => document.querySelector('main form img[src^="blob:"]') !== null),
    )
  }
  await press(tab, 'main form button[type=submit]', ownerTexts.confirm)
  await until(tab, 'the entry in the list', () => tab.run(isSeen, 'main .item', name))
  rmSync(folder, { recursive: true })
}

/** Runs in the page: the id of the field with this label. */
function idOf(label: string): string {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) =>
    textContent.includes(label),
  )
  return found?.htmlFor ?? ''
}

async function rowsOf(site: Site, kind: string) {
  const { json } = await site.call('GET', kind, { token: null })
  return json as unknown as readonly Readonly<Record<string, string>>[]
}

async function isStored(site: Site, name: string): Promise<boolean> {
  return (await rowsOf(site, project.key)).some((row) => row['name'] === name)
}
