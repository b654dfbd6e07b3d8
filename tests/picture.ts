import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { project } from '#contract/sections/project.ts'
import { sample } from '#contract/sample.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { takeSession } from '#tests/support/browser.ts'
import { chromiumArgs, foundChromium } from '#tests/support/chromium.ts'
import { visit } from '#tests/support/device.ts'
import { itemOf, pencilOf } from '#tests/support/entries.ts'
import { isDrained } from '#tests/support/queue.ts'
import { openSite } from '#tests/support/site.ts'

/*
 * `npm run picture` (after `npm run build`) makes the animated picture of README from the running product: she edits on a
 * phone without a connection, the change waits, the connection is back, and a visitor sees it.
 */

const file = '.github/sin-conexion.webp'
const phone = { width: 390, height: 760 }
const stage = { width: 900, height: 860 }
interface Frame {
  readonly png: Buffer
  readonly ms: number
}

const font = readFileSync(
  'node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'tintero-picture-'))
const site = await openSite({ env: { LIMIT_READS: '9999/1' } })
const look = {
  baseURL: site.url,
  viewport: phone,
  locale: 'es-AR',
  isMobile: true,
  hasTouch: true,
  reducedMotion: 'reduce',
} as const
const hers = await chromium.launchPersistentContext(folder, {
  executablePath: foundChromium(),
  args: [...chromiumArgs],
  ...look,
})
const browser = await chromium.launch({ executablePath: foundChromium(), args: [...chromiumArgs] })
try {
  const frames = await film()
  await save(frames)
} finally {
  await browser.close()
  await hers.close()
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}

async function film(): Promise<readonly Frame[]> {
  const owner = hers.pages()[0] ?? (await hers.newPage())
  const visitor = await browser.newPage(look)
  const table = await browser.newPage({ viewport: stage })
  const frames: Frame[] = []
  let isOffline = false
  const shoot = async (words: string, ms: number) => {
    await draw(table, { owner, visitor, words, isOffline })
    frames.push({ png: await table.screenshot(), ms })
  }

  await visit(owner, '/')
  await takeSession(owner, await site.signIn())
  await visit(owner, project.path)
  await visitor.goto(project.path)
  const [name, renamed] = [newest(), 'Mareas en vivo']
  await shows(owner, name)
  await shows(visitor, name)
  await shoot('Her page, and what a visitor sees of it.', 2000)

  isOffline = true
  await hers.setOffline(true)
  await owner.locator('.net-band').first().waitFor()
  await shows(owner, name)
  await shoot('The train goes into a tunnel: no connection.', 2200)

  await pencilOf(owner, project, name).tap()
  const field = owner.getByRole('textbox', { name: project.fields.name.label })
  await field.waitFor()
  await field.tap()
  await shoot('She edits all the same, on the page itself.', 1500)
  await field.press('ControlOrMeta+A')
  for (const part of renamed.match(/.{1,3}/g) ?? []) {
    await field.pressSequentially(part)
    await shoot('She edits all the same, on the page itself.', 160)
  }
  await owner.getByRole('button', { name: ownerTexts.update }).tap()
  await itemOf(owner, renamed).waitFor()
  await shows(owner, renamed)
  await shoot('It is on her screen at once, and kept on her phone.', 2400)

  await isGone(owner, '.toast')
  await owner.locator('.sync').first().tap()
  await owner.getByRole('dialog').waitFor()
  await visitor.reload()
  await shows(visitor, name)
  await shoot('It waits in a queue; the visitor still reads the old name.', 2800)
  await owner.keyboard.press('Escape')

  isOffline = false
  await hers.setOffline(false)
  await isDrained(owner)
  // What the first requests of a connection miss is read again two seconds later.
  await isGone(owner, '.net-band:not(.back)')
  await shows(owner, renamed)
  await shoot('The tunnel ends: it is sent, exactly once.', 2200)
  await visitor.reload()
  await shows(visitor, renamed)
  await isGone(owner, '.toast')
  await isGone(owner, '.net-band')
  await owner.locator('h1').tap()
  await shoot('The visitor’s next look shows it. Nothing was deployed.', 3600)
  return frames
}

/** The name of the entry that visitors see first. */
function newest(): string {
  return sample.entries[project.key]?.at(-1)?.['name'] ?? ''
}

/** Waits for the entry and for the pictures in sight. */
async function shows(page: Page, name: string): Promise<void> {
  await itemOf(page, name).waitFor()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await page.waitForFunction(() =>
    [...document.images].every(
      (one) => one.complete || one.getBoundingClientRect().top > innerHeight,
    ),
  )
}

async function isGone(page: Page, passing: string): Promise<void> {
  await page.locator(passing).first().waitFor({ state: 'detached' })
}

interface Scene {
  readonly owner: Page
  readonly visitor: Page
  readonly words: string
  readonly isOffline: boolean
}

/** Both screens side by side, each named, over what happens. */
async function draw(table: Page, { owner, visitor, words, isOffline }: Scene): Promise<void> {
  const shot = async (page: Page) =>
    `data:image/png;base64,${(await page.screenshot()).toString('base64')}`
  const [left, right] = await Promise.all([shot(owner), shot(visitor)])
  await table.setContent(`<!doctype html><style>
    @font-face { font-family: Own; src: url(data:font/woff2;base64,${font}); font-weight: 400 700 }
    body { margin: 0; background: #0b1a26; color: #e8f3f1; font: 500 20px/1.3 Own }
    main { display: grid; grid-template-columns: 1fr 1fr; gap: 0 20px; padding: 18px 50px 0; justify-items: center }
    figcaption { display: flex; gap: 10px; align-items: center; height: 34px; font-size: 17px; color: #a9c3c9 }
    b { padding: 1px 10px; border-radius: 99px; background: #4a2730; color: #ffb4a8; font-weight: 600; font-size: 15px }
    figure { margin: 0 } img { display: block; width: ${phone.width * 0.92}px; border-radius: 22px; box-shadow: 0 0 0 2px #23404f }
    p { margin: 18px 0 0; text-align: center }
  </style><main>
    <figure><figcaption>Her phone ${isOffline ? '<b>no connection</b>' : ''}</figcaption><img src="${left}"></figure>
    <figure><figcaption>A visitor’s</figcaption><img src="${right}"></figure>
  </main><p>${words}</p>`)
  await table.evaluate(() => document.fonts.ready)
}

async function save(frames: readonly Frame[]): Promise<void> {
  const delay = frames.map(({ ms }) => ms)
  const all = frames.map(({ png }) => png)
  const made = await sharp(all, { join: { animated: true } })
    .webp({ quality: 80, effort: 6, delay, loop: 0, mixed: true })
    .toFile(file)
  process.stdout.write(`${file}: ${frames.length} frames, ${made.size} bytes\n`)
}
