import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright/test'
import { project } from '#contract/sections/project.ts'
import { fill } from '#contract/text.ts'
import { offlineTexts } from '#contract/texts/offline.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { fetchInTime } from '#tests/support/fetch-in-time.ts'
import { faultsInEveryLook, faultsOnPlainGround } from '#tests/support/axe.ts'
import { expect, logOutButton, throughReload } from '#tests/support/browser.ts'
import { keysOf, test } from '#tests/support/cutting-proxy.ts'
import { visit } from '#tests/support/device.ts'
import {
  createEntry,
  formValues,
  itemOf,
  rowNames,
  seedProjects,
  servedPage,
  snackbar,
} from '#tests/support/entries.ts'
import {
  emptySections,
  ownerTab,
  removeEntry,
  sendQueue,
  shownNames,
  storedNames,
  storedRows,
} from '#tests/support/queue.ts'
import type { Site } from '#tests/support/site.ts'
import { canReadPdf } from '#tests/support/system-package.ts'

test.use({ writes: true })

test.beforeEach(async ({ site }) => {
  await emptySections(site)
  // Shown the other way round: the last one first.
  for (const name of ['Cuatro', 'Tres', 'Dos', 'Uno'])
    await createEntry(site, project, formValues(project, name))
})

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: orderTexts.sort, exact: true }).click()
  await expect(page.getByRole('heading', { name: orderTexts.sort, level: 1 })).toBeFocused()
}

const handleOf = (page: Page, name: string) =>
  page.getByRole('button', { name: fill(orderTexts.move, { name }).split(',')[0] ?? '' })
const save = (page: Page) => page.getByRole('button', { name: orderTexts.save }).click()

test('arrows on a phone, the keyboard and a drag put the list in another order, for visitors too @main', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await page.setViewportSize({ width: 390, height: 844 })
  await openOrder(page)
  await expect(handleOf(page, 'Uno')).toBeHidden()
  const down = page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) })
  await down.click()
  await expect(down).toBeFocused()
  await down.press('Enter')
  expect(await rowNames(page)).toEqual(['Dos', 'Tres', 'Uno', 'Cuatro'])
  await expect(page.getByText('Uno pasó al puesto 3')).toBeVisible()
  expect(await faultsInEveryLook(page)).toEqual([])
  await save(page)
  await expect(snackbar(page, 'success-snackbar', orderTexts.saved)).toBeVisible()
  await expect(page.getByRole('button', { name: orderTexts.sort, exact: true })).toBeFocused()
  expect(await shownNames(page)).toEqual(['Dos', 'Tres', 'Uno', 'Cuatro'])
  expect(await storedNames(site)).toEqual(['Cuatro', 'Uno', 'Tres', 'Dos'])

  await page.setViewportSize({ width: 1280, height: 800 })
  await openOrder(page)
  await handleOf(page, 'Cuatro').press(' ')
  await expect(handleOf(page, 'Cuatro')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(handleOf(page, 'Cuatro')).toBeFocused()
  await expect(page.getByText('Cuatro, puesto 2 de 4')).toBeAttached()
  expect(await faultsOnPlainGround(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  expect(await rowNames(page)).toEqual(['Dos', 'Tres', 'Uno', 'Cuatro'])
  await handleOf(page, 'Dos').hover()
  await page.mouse.down()
  const target = await page.locator('.order-list li').nth(3).boundingBox()
  await page.mouse.move(200, (target?.y ?? 0) + (target?.height ?? 0) - 4, { steps: 8 })
  await page.mouse.up()
  expect(await rowNames(page)).toEqual(['Tres', 'Uno', 'Cuatro', 'Dos'])
  await save(page)
  await expect.poll(() => storedNames(site)).toEqual(['Dos', 'Cuatro', 'Uno', 'Tres'])
  const html = await servedPage(site, project.path)
  const places = ['Tres', 'Uno', 'Cuatro', 'Dos'].map((name) => html.indexOf(`<h2>${name}</h2>`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  const names = ['Tres', 'Uno', 'Cuatro', 'Dos']
  const { pdf = names, ...resumes } = await resumesOf(site)
  expect({ ...resumes, pdf }).toEqual({ page: names, json: names, pdf: names })
})

/** The names of the entries in the order in which each kind of the résumé has them. */
async function resumesOf(site: Site) {
  const read = async (path: string) =>
    Buffer.from(await (await fetchInTime(site.url + path)).bytes())
  const namesIn = (text: string) => text.match(/(?<!\p{L})(?:Uno|Dos|Tres|Cuatro)(?!\p{L})/gu)
  const html = await servedPage(site, '/cv')
  const { projects } = JSON.parse((await read('/resume.json')).toString()) as {
    readonly projects: readonly { readonly name: string }[]
  }
  const file = await read('/cv.pdf')
  const pdf = canReadPdf() ? execFileSync('pdftotext', ['-', '-'], { input: file }) : undefined
  if (!pdf)
    process.stderr.write('SKIPPED: the order in the PDF is not read, there is no pdftotext.\n')
  return {
    page: namesIn(/<main.*<\/main>/s.exec(html)?.[0].replace(/<[^>]*>/g, ' ') ?? ''),
    json: projects.map(({ name }) => name),
    pdf: pdf ? namesIn(pdf.toString()) : undefined,
  }
}

test('an order made offline is shown at once, survives a reload and another device’s, and arrives once', async ({
  device,
  site,
  line,
}) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await openOrder(page)
  await page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) }).click()
  await save(page)
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  await page.reload()
  await expect(itemOf(page, 'Uno')).toBeVisible()
  expect(await shownNames(page)).toEqual(['Dos', 'Uno', 'Tres', 'Cuatro'])
  // Another device moves the last one to the front, and adds one.
  const ids = new Map((await storedRows(site)).map(({ id = '', name = '' }) => [name, id]))
  const order = ['Tres', 'Dos', 'Uno', 'Cuatro'].map((name) => ids.get(name))
  const body = { order, moved: [ids.get('Cuatro')] }
  expect((await site.call('PUT', `${project.key}/order`, { body })).status).toBe(200)
  await createEntry(site, project, formValues(project, 'Cinco'))
  const before = line.writes.length
  await sendQueue(device, page)
  await visit(page, project.path)
  await expect(itemOf(page, 'Cinco')).toBeVisible()
  expect(await shownNames(page)).toEqual(['Cinco', 'Cuatro', 'Dos', 'Uno', 'Tres'])
  expect(await storedNames(site)).toEqual(['Tres', 'Uno', 'Dos', 'Cuatro', 'Cinco'])
  expect(keysOf(line.writes.slice(before)).size).toBe(1)
})

test('what another tab deletes is no longer said to be moved', async ({ device, site }) => {
  const page = await ownerTab(device, { site })
  await openOrder(page)
  await page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) }).press('Enter')
  await page.getByRole('button', { name: fill(orderTexts.up, { name: 'Cuatro' }) }).press('Enter')
  const bar = page.getByRole('region', { name: orderTexts.region })
  const spoken = page.getByRole('status').filter({ hasText: 'Cuatro' })
  await expect(bar).toContainText(fill(orderTexts.moved, { n: 2 }))
  await expect(spoken).toHaveText(fill(orderTexts.place, { name: 'Cuatro', n: 3, all: 4 }))
  const other = await ownerTab(device, { site })
  await removeEntry(other, 'Uno')
  await expect(handleOf(page, 'Uno')).toHaveCount(0)
  await expect(spoken).toHaveText(fill(orderTexts.place, { name: 'Cuatro', n: 2, all: 3 }))
  await expect(bar).toContainText(fill(orderTexts.movedTo, { name: 'Cuatro', n: 2 }))
  await removeEntry(other, 'Cuatro')
  await expect(handleOf(page, 'Cuatro')).toHaveCount(0)
  await expect(bar).toContainText(orderTexts.unmoved)
  await expect(spoken).toHaveCount(0)
  await expect(handleOf(page, 'Tres')).toBeFocused()
})

test('an order that is not saved is asked about by a link, by Back and by a reload, and stays', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  const linkTo = (path: string) =>
    page.locator(`nav a[href="${path}"]`).filter({ visible: true }).first()
  const about = page.locator('.about')
  await linkTo('/about').click()
  await expect(about).toBeVisible()
  await linkTo(project.path).click()
  await openOrder(page)
  await page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) }).click()
  const moved = ['Dos', 'Uno', 'Tres', 'Cuatro']
  const question = page.getByRole('dialog', { name: ownerTexts.leaveTitle })

  await linkTo('/about').click()
  await question.getByRole('button', { name: ownerTexts.keepEditing }).click()
  expect(await rowNames(page)).toEqual(moved)
  await page.evaluate(() => history.back())
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  expect(await rowNames(page)).toEqual(moved)
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  expect(await rowNames(page)).toEqual(moved)

  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: ownerTexts.leave }).click()
  await expect(about).toBeVisible()
  await linkTo(project.path).click()
  await openOrder(page)
  await page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) }).click()
  await save(page)
  await expect(snackbar(page, 'success-snackbar', orderTexts.saved)).toBeVisible()
  await linkTo('/about').click()
  await expect(about).toBeVisible()
})

test('LogOut asks about an order that is not saved, and about nothing more once she goes', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await openOrder(page)
  await page.getByRole('button', { name: fill(orderTexts.down, { name: 'Uno' }) }).click()
  const question = page.getByRole('dialog').filter({ hasText: ownerTexts.draftsOnLogout })
  await logOutButton(page).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  expect(await rowNames(page)).toEqual(['Dos', 'Uno', 'Tres', 'Cuatro'])
  await logOutButton(page).click()
  // Whatever else would be asked stops the page from going, and is left unanswered.
  page.on('dialog', () => undefined)
  await throughReload(page, () =>
    question.getByRole('button', { name: ownerTexts.logoutHint }).click(),
  )
  await expect(logOutButton(page)).toHaveCount(0)
  expect(await storedNames(site)).toEqual(['Cuatro', 'Tres', 'Dos', 'Uno'])
})

test('a move that was taken back is none, also where another device moves the row later', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await openOrder(page)
  const bar = page.getByRole('region', { name: orderTexts.region })
  const press = (label: string) =>
    page.getByRole('button', { name: fill(label, { name: 'Uno' }) }).click()
  await press(orderTexts.down)
  await press(orderTexts.up)
  await expect(bar).toContainText(orderTexts.unmoved)
  const ids = new Map((await storedRows(site)).map(({ id = '', name = '' }) => [name, id]))
  const order = ['Uno', 'Cuatro', 'Tres', 'Dos'].map((name) => ids.get(name))
  const body = { order, moved: [ids.get('Uno')] }
  expect((await site.call('PUT', `${project.key}/order`, { body })).status).toBe(200)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => rowNames(page)).toEqual(['Dos', 'Tres', 'Cuatro', 'Uno'])
  await expect(bar).toContainText(orderTexts.unmoved)
})

test('a move that was taken back is neither counted nor sent, and undoes no other device’s @main', async ({
  device,
  site,
}) => {
  const page = await ownerTab(device, { site })
  await device.context.setOffline(true)
  await openOrder(page)
  const press = (label: string, name: string) =>
    page.getByRole('button', { name: fill(label, { name }) }).click()
  const bar = page.getByRole('region', { name: orderTexts.region })
  await press(orderTexts.down, 'Uno')
  await press(orderTexts.down, 'Dos')
  await expect(bar).toContainText(orderTexts.unmoved)
  await press(orderTexts.up, 'Cuatro')
  await expect(bar).toContainText(fill(orderTexts.movedTo, { name: 'Cuatro', n: 3 }))
  await save(page)
  await expect(snackbar(page, 'info-snackbar', offlineTexts.queued)).toBeVisible()
  // Another device really moves one that was moved in vain here.
  const ids = new Map((await storedRows(site)).map(({ id = '', name = '' }) => [name, id]))
  const order = ['Dos', 'Cuatro', 'Tres', 'Uno'].map((name) => ids.get(name))
  const body = { order, moved: [ids.get('Dos')] }
  expect((await site.call('PUT', `${project.key}/order`, { body })).status).toBe(200)
  await sendQueue(device, page)
  expect(await storedNames(site)).toEqual(['Dos', 'Tres', 'Cuatro', 'Uno'])
})

/** Where the list and what is seen of the page begin and end; the bars are measured as they stand. */
function placesOf(page: Page) {
  return page.locator('.order-list').evaluate((list) => {
    const boxOf = (bar: string) => document.querySelector(bar)?.getBoundingClientRect()
    const { top, bottom } = list.getBoundingClientRect()
    return {
      list: { top, bottom },
      seen: {
        top: Math.max(0, boxOf('.site-top')?.bottom ?? 0),
        bottom: boxOf('.applybar')?.top ?? 0,
      },
    }
  })
}

/** Fails when the page scrolls while twenty frames are drawn. */
async function staysStill(page: Page): Promise<void> {
  const heights = await page.evaluate(async () => {
    const seen = new Set<number>()
    for (let frame = 0; frame < 20; frame++) {
      await new Promise(requestAnimationFrame)
      seen.add(scrollY)
    }
    return [...seen]
  })
  expect(heights).toHaveLength(1)
}

const heightOf = (page: Page) => page.evaluate(() => scrollY)

test.describe('of a list that is longer than the window', () => {
  const others = Array.from({ length: 36 }, (_, index) => `Obra ${index + 1}`)
  const first = others.at(-1) ?? ''

  test.beforeEach(({ site }) => seedProjects(site, ...others))

  test('a row that the mouse holds near an edge has the page scroll, to the end of the list', async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openOrder(page)
    const names = await rowNames(page)
    await handleOf(page, first).hover()
    await page.mouse.down()
    const { seen } = await placesOf(page)
    // Over the bar at the foot of the window there is page to be seen, and the zone is there.
    await page.mouse.move(300, seen.bottom - 8, { steps: 4 })
    await expect.poll(async () => (await rowNames(page)).at(-1)).toBe(first)
    const below = await placesOf(page)
    expect(below.list.bottom).toBeGreaterThan(below.seen.bottom - 2)
    expect(below.list.bottom).toBeLessThanOrEqual(below.seen.bottom + 1)
    await staysStill(page)

    await page.mouse.move(300, seen.top + 8, { steps: 4 })
    await expect.poll(() => rowNames(page)).toEqual(names)
    const above = await placesOf(page)
    expect(above.list.top).toBeGreaterThanOrEqual(above.seen.top)
    await staysStill(page)
    await page.mouse.up()
    expect(await rowNames(page)).toEqual(names)
  })

  test('the page stands still once the row is let go or Escape restores the order', async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openOrder(page)
    const names = await rowNames(page)
    const holdAtFoot = async () => {
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await handleOf(page, first).hover()
      await page.mouse.down()
      const { seen } = await placesOf(page)
      // Only just within the zone, where the page goes slowly.
      await page.mouse.move(300, seen.bottom - 60, { steps: 4 })
      await expect.poll(() => heightOf(page)).toBeGreaterThan(0)
    }
    await holdAtFoot()
    await page.keyboard.press('Escape')
    await staysStill(page)
    await page.mouse.move(300, 500, { steps: 4 })
    expect(await rowNames(page)).toEqual(names)
    await page.mouse.up()

    await holdAtFoot()
    await page.mouse.up()
    await staysStill(page)
    await page.mouse.move(300, 500, { steps: 4 })
    expect((await rowNames(page)).indexOf(first)).toBeGreaterThan(0)
  })

  test('a row that was taken near an edge stays there until it is moved towards it', async ({
    device,
    site,
  }) => {
    const page = await ownerTab(device, { site })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openOrder(page)
    const { seen } = await placesOf(page)
    // The lowest row that can be taken: its middle is nearer to the edge than a row is high.
    const { x, y } = await page.locator('.order-list .handle').evaluateAll((handles, bottom) => {
      const middles = handles.map((handle) => {
        const box = handle.getBoundingClientRect()
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      })
      return middles.findLast((middle) => middle.y < bottom - 4) ?? { x: 0, y: 0 }
    }, seen.bottom)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await staysStill(page)
    await page.mouse.move(x, y - 2)
    await staysStill(page)
    await page.mouse.move(x, y + 2)
    await expect.poll(() => heightOf(page)).toBeGreaterThan(0)
    await page.mouse.up()
  })

  test.describe('on a phone held sideways', () => {
    test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })

    test('a row under a finger has the page scroll, until the finger goes or is taken from it', async ({
      device,
      site,
    }) => {
      const page = await ownerTab(device, { site })
      await openOrder(page)
      const session = await device.context.newCDPSession(page)
      type Kind = 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel'
      const touch = (type: Kind, ...touchPoints: { readonly x: number; readonly y: number }[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints })
      const holdAtFoot = async (name: string) => {
        const handle = handleOf(page, name)
        await handle.evaluate((button) =>
          button.scrollIntoView({ behavior: 'instant', block: 'center' }),
        )
        const box = await handle.boundingBox()
        const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20]
        const before = await heightOf(page)
        const { seen } = await placesOf(page)
        await touch('touchStart', { x, y })
        await touch('touchMove', { x, y: (y + seen.bottom) / 2 })
        await touch('touchMove', { x, y: seen.bottom - 4 })
        await expect.poll(() => heightOf(page)).toBeGreaterThan(before)
        return x
      }
      const x = await holdAtFoot(first)
      await expect.poll(async () => (await rowNames(page)).at(-1)).toBe(first)
      await staysStill(page)
      await touch('touchMove', { x, y: 100 })
      await touch('touchMove', { x, y: 4 })
      await expect.poll(async () => (await rowNames(page))[0]).toBe(first)
      await touch('touchEnd')

      await holdAtFoot('Obra 30')
      await touch('touchCancel')
      await staysStill(page)
      await expect(page.locator('.lifted')).toHaveCount(0)
    })
  })
})
