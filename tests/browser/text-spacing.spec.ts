import type { Frame, Page } from 'playwright/test'
import { openPaths } from '#tests/support/page-paths.ts'
import { project } from '#contract/sections/project.ts'
import { texts } from '#contract/texts/site.ts'
import { ownerTexts } from '#contract/texts/owner.ts'
import { expect, test } from '#tests/support/browser.ts'
import { misfitsNow, misfitsOf, openFrame, openAsOwner } from '#tests/support/fit.ts'
import { ownerAddresses, visitInTurn } from '#tests/support/owner-pages.ts'
import { openQueueSheet } from '#tests/support/queue.ts'

/* Text set apart as far as a reader may set it (WCAG 1.4.12), which people do who mix up letters or lines. */

test.use({ writes: true })

const widths = [320, 390, 768, 1024, 1440]

/** Sets the texts of the page apart, by rules in a stylesheet that it has: it takes no other. */
function spaceOut(page: Frame | Page): Promise<void> {
  return page.evaluate(() => {
    const [sheet] = document.styleSheets
    if (!sheet) throw new Error('the page has no stylesheet')
    for (const rule of [
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
      'p { margin-block-end: 2em !important }',
    ])
      sheet.insertRule(rule, sheet.cssRules.length)
  })
}

/** The texts of the frame's page that are cut off at their foot, or stand on one another. */
function hiddenTexts(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(async (all) => {
    /** Seen by nobody, over the page on purpose, or ending in «…» on purpose; of her text the preview shows the beginning. */
    const exempt =
      '.sr-only, .skip, .sprite, .about-preview, textarea, [popover]:not(:popover-open), dialog:not([open], :popover-open)'
    const isMeant = (element: Element): boolean => {
      const { position, clipPath, textOverflow, webkitLineClamp } = getComputedStyle(element)
      return (
        element.matches(exempt) ||
        ['fixed', 'sticky'].includes(position) ||
        clipPath === 'inset(50%)' ||
        textOverflow === 'ellipsis' ||
        webkitLineClamp !== 'none'
      )
    }
    const isOver = (one: DOMRect, other: DOMRect) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      // Boxes of letters are higher than letters.
      return across > 1 && down > Math.min(one.height, other.height) / 4
    }
    const faultsNow = (): string[] => {
      const faults: string[] = []
      const read: { words: string; boxes: readonly DOMRect[] }[] = []
      const visit = (element: Element) => {
        if (!element.checkVisibility({ visibilityProperty: true }) || isMeant(element)) return
        const { display, overflowY } = getComputedStyle(element)
        const nodes = [...element.childNodes]
          .filter((node): node is Text => node.nodeType === Node.TEXT_NODE)
          .filter(({ data }) => /\S/.test(data))
        for (const node of nodes) {
          const range = document.createRange()
          range.selectNodeContents(node)
          read.push({ words: node.data.trim().slice(0, 24), boxes: [...range.getClientRects()] })
        }
        const holds = display !== 'inline' && (nodes.length > 0 || /hidden|clip/.test(overflowY))
        if (holds && element.scrollHeight > element.clientHeight + 1) {
          const words = (element.textContent ?? '').trim().slice(0, 24)
          if (words) faults.push(`${element.localName}.${element.className} cuts «${words}» off`)
        }
        for (const child of element.children) visit(child)
      }
      for (const child of document.body.children) visit(child)
      for (const [index, { words, boxes }] of read.entries()) {
        for (const other of read.slice(index + 1)) {
          if (boxes.some((box) => other.boxes.some((otherBox) => isOver(box, otherBox))))
            faults.push(`«${words}» stands on «${other.words}»`)
        }
      }
      return faults
    }
    await document.fonts.ready
    const box = window.frameElement as HTMLElement
    const faults: string[] = []
    for (const width of all) {
      box.style.inlineSize = `${width}px`
      for (const animation of document.getAnimations()) animation.finish()
      faults.push(...faultsNow().map((fault) => `${location.pathname}: ${fault}, at ${width}`))
    }
    return faults
  }, widths)
}

test('every page fits texts that are set apart for visitors', async ({ plain, watch }) => {
  watch.expect(/404/)
  const frame = await openFrame(plain)
  const faults: string[] = []
  for (const path of openPaths) {
    await frame.goto(path)
    await spaceOut(frame)
    faults.push(
      ...(await misfitsOf(frame, { widths, isSetApart: true })),
      ...(await hiddenTexts(frame)),
    )
  }
  expect(faults).toEqual([])
})

test('every page fits texts that are set apart for the owner', async ({ owner, site, watch }) => {
  watch.expect(/the device does not answer/)
  const frame = await openFrame(owner)
  await openAsOwner(frame)
  await spaceOut(frame)
  const faults: string[] = []
  await visitInTurn(frame, await ownerAddresses(site), async () => {
    faults.push(
      ...(await misfitsOf(frame, { widths, isSetApart: true })),
      ...(await hiddenTexts(frame)),
    )
  })
  expect(faults).toEqual([])
})

test('what opens over a page fits texts that are set apart', async ({ owner, context, watch }) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/)
  const misfits: string[] = []
  const look = async (what: string, seen: readonly number[] = widths) => {
    // A picture grows under the pointer.
    await owner.mouse.move(0, 0)
    for (const width of seen) {
      await owner.setViewportSize({ width, height: 900 })
      misfits.push(
        ...(await misfitsNow(owner, { isSetApart: true })).map((misfit) => `${what}: ${misfit}`),
      )
    }
  }
  await owner.goto(project.path)
  await spaceOut(owner)
  await owner.setViewportSize({ width: 390, height: 900 })
  await owner.locator('.tabs').getByRole('button', { name: texts.more }).click()
  await owner.locator('dialog:popover-open').waitFor()
  await look('more', [320, 390, 768])
  await owner.keyboard.press('Escape')
  await context.setOffline(true)
  await owner.locator('main .item .del').first().click()
  const question = owner.getByRole('alertdialog')
  await question.waitFor()
  await look('question')
  await question.getByRole('button', { name: ownerTexts.remove, exact: true }).click()
  await owner.locator('main .gone').waitFor()
  await look('removed')
  await openQueueSheet(owner)
  await look('queue')
  expect(misfits).toEqual([])
})
