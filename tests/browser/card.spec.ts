import jsQR from 'jsqr'
import sharp from 'sharp'
import type { Page } from 'playwright/test'
import { fullName } from '#contract/person/person.ts'
import { sample } from '#contract/sample.ts'
import { fill } from '#contract/text.ts'
import { cardTexts } from '#contract/texts/card.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { texts } from '#contract/texts/site.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { looks, show } from '#tests/support/axe.ts'
import { expect, test } from '#tests/support/browser.ts'
import { isHydrated } from '#tests/support/hydration.ts'

const name = fullName({ version: 1, fields: sample.person })

/** What a phone's camera reads off the screen. */
async function scanned(page: Page): Promise<string | undefined> {
  const { data, info } = await sharp(await page.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test('the code leads to the site in every look, also where no script runs', async ({
  plain,
  visitor,
  site,
}) => {
  await plain.goto('/card')
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(plain).toHaveTitle(`${texts.card} · ${name}`)
  expect(await scanned(plain)).toBe(site.url)
  await visitor.goto('/card')
  await visitor.mouse.move(200, 200)
  await isHydrated(visitor)
  for (const look of looks) {
    await show(visitor, look)
    expect(await scanned(visitor), JSON.stringify(look)).toBe(site.url)
  }
})

test('the code has its quiet zone and leaves room for the words', async ({ visitor }) => {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
    { width: 896, height: 414 },
  ]) {
    await visitor.setViewportSize(size)
    await visitor.goto('/card')
    const code = visitor.getByRole('img')
    const [, , side = 0] = ((await code.locator('svg').getAttribute('viewBox')) ?? '')
      .split(' ')
      .map(Number)
    const drawn = await code.locator('path').evaluate((path: SVGPathElement) => path.getBBox().x)
    expect({ quiet: drawn, modules: side - 8 }).toEqual({ quiet: 0, modules: 25 })
    const box = await code.boundingBox()
    expect(box?.height).toBeLessThanOrEqual(size.height * 0.52 + 1)
    expect(box?.height).toBeGreaterThan(150)
    const { scrollHeight, clientHeight } = await visitor.evaluate(() => document.documentElement)
    expect(scrollHeight, 'nothing to scroll').toBe(clientHeight)
  }
})

/** How far down the parts of the card begin. */
async function placesOn(page: Page): Promise<readonly (number | undefined)[]> {
  await page.evaluate(() => document.fonts.ready)
  const parts = ['.qr', '.who', '.acts > a', '.awake'].map((part) => page.locator(part))
  return Promise.all(parts.map(async (part) => (await part.boundingBox())?.y))
}

test('nothing moves for what comes later', async ({ plain, visitor }) => {
  await visitor.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: () => Promise.resolve() })
  })
  for (const page of [plain, visitor]) {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/card')
  }
  // Without a script nothing has come yet.
  const places = await placesOn(plain)
  await visitor.mouse.move(200, 200)
  await expect(visitor.getByRole('button', { name: cardTexts.share })).toBeVisible()
  expect(await placesOn(visitor)).toEqual(places)
  // The code may be painted while the words are on their way.
  await plain.locator('.qr').evaluate((code) => {
    while (code.nextSibling) code.nextSibling.remove()
  })
  await expect(plain.getByRole('heading')).toHaveCount(0)
  expect((await plain.locator('.qr').boundingBox())?.y).toBe(places[0])
})

test('the contact is a file that an address book takes @main', async ({ plain }) => {
  await plain.goto('/card')
  const link = plain.getByRole('link', { name: cardTexts.save })
  await expect(link).toHaveAttribute('download', `${name}.vcf`)
  const href = (await link.getAttribute('href')) ?? ''
  const answer = await fetchInTime(href)
  expect(answer.headers.get('Content-Type')).toBe('text/vcard;charset=utf-8')
  expect(await answer.text()).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\nN:Ejemplo;Lucía;;;\r\n/)
})

test('it can be saved also where no CV can be drawn', async ({ plain }) => {
  const without = async (path: string) => {
    await plain.goto(path)
    await plain.locator('html').evaluate((html) => html.removeAttribute('data-pdf'))
  }
  await without('/cv')
  await expect(plain.locator('a[href="/cv.pdf"]')).toBeHidden()
  await without('/card')
  await expect(plain.getByRole('link', { name: cardTexts.save })).toBeVisible()
})

test('the contact is saved under her name', async ({ visitor }) => {
  await visitor.goto('/card')
  const saving = visitor.waitForEvent('download')
  await visitor.getByRole('link', { name: cardTexts.save }).click()
  expect((await saving).suggestedFilename()).toBe(`${name}.vcf`)
})

test('the screen stays on while the card is shown, and the words say so only while it does', async ({
  visitor,
}) => {
  await visitor.addInitScript(() => {
    const given: EventTarget[] = []
    Object.assign(globalThis, { given })
    const request = () => {
      const lock = Object.assign(new EventTarget(), {
        released: false,
        release: () => {
          lock.released = true
          lock.dispatchEvent(new Event('release'))
          return Promise.resolve()
        },
      })
      given.push(lock)
      return Promise.resolve(lock)
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  })
  const locks = () =>
    visitor.evaluate(() =>
      (globalThis as unknown as { given: { released: boolean }[] }).given.map(
        ({ released }) => released,
      ),
    )
  await visitor.goto('/card')
  await visitor.mouse.move(200, 200)
  await expect(visitor.getByText(cardTexts.awake)).toBeVisible()
  await visitor.evaluate(() => {
    // As browsers do when another tab is looked at.
    ;(globalThis as unknown as { given: { release(): void }[] }).given[0]?.release()
  })
  await expect(visitor.getByText(cardTexts.awake)).toBeHidden()
  await visitor.setViewportSize({ width: 390, height: 844 })
  const heading = visitor.getByRole('heading', { level: 1 })
  const place = await heading.boundingBox()
  await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(visitor.getByText(cardTexts.awake)).toBeVisible()
  // Nothing moves for it.
  expect(await heading.boundingBox()).toEqual(place)
  expect(await locks()).toEqual([true, false])
  await visitor.getByRole('link', { name: texts.close }).click()
  await expect(visitor).toHaveURL('/')
  await expect.poll(locks).toEqual([true, true])
})

test('a refused lock is no promise', async ({ visitor }) => {
  await visitor.addInitScript(() => {
    const request = () => Promise.reject(new DOMException('low battery', 'NotAllowedError'))
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  })
  await visitor.goto('/card')
  await visitor.mouse.move(200, 200)
  await isHydrated(visitor)
  await expect(visitor.getByText(cardTexts.awake)).toHaveCount(0)
})

test('it is shared where the browser can, and a failure says the address', async ({
  visitor,
  site,
  watch,
}) => {
  watch.expect(/could not be shared/)
  await visitor.addInitScript(() => {
    const shared: unknown[] = []
    Object.assign(globalThis, { shared })
    const share = (what: unknown) => {
      shared.push(what)
      const why = shared.length === 1 ? 'AbortError' : 'DataError'
      return Promise.reject(new DOMException('no', why))
    }
    Object.defineProperty(navigator, 'share', { value: share })
  })
  await visitor.goto('/card')
  await visitor.mouse.move(200, 200)
  const press = visitor.getByRole('button', { name: cardTexts.share })
  const failure = visitor.getByText(
    fill(cardTexts.notShared, { address: site.url.replace('http://', '') }),
  )
  await press.click()
  await expect(failure).toHaveCount(0)
  await press.click()
  await expect(failure).toBeVisible()
  expect(
    await visitor.evaluate(() => (globalThis as unknown as { shared: unknown }).shared),
  ).toEqual([
    { title: name, url: site.url },
    { title: name, url: site.url },
  ])
})

test('the owner finds it in her settings', async ({ owner }) => {
  await owner.goto('/settings')
  await owner.getByRole('link', { name: ownerTexts.openCard }).click()
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText(name)
})
