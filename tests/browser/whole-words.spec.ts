import type { Frame } from 'playwright/test'
import { experience } from '#contract/sections/experience.ts'
import { orderTexts } from '#contract/texts/order.ts'
import { createEntry, formValues } from '#tests/support/entries.ts'
import { openPaths } from '#tests/support/page-paths.ts'
import { expect, test } from '#tests/support/browser.ts'
import { openFrame, openAsOwner } from '#tests/support/fit.ts'
import { ownerAddresses, visitInTurn } from '#tests/support/owner-pages.ts'

/* On the narrowest phones words of usual length stay whole: a line breaks between them, not within. */

test.use({ writes: true })

// A device that is slow is told in the log; here dozens of pages are looked at.
test.beforeEach(({ watch }) => watch.expect(/the device does not answer|404/))

/** The words of the frame's page that go on in another line; addresses may, and so may what is longer than a line. */
function brokenWords(frame: Frame, width: number): Promise<readonly string[]> {
  return frame.evaluate(async (wide) => {
    const box = window.frameElement as HTMLElement
    box.style.inlineSize = `${wide}px`
    await document.fonts.ready
    const apart = '.sr-only, .skip, .sprite, [popover]:not(:popover-open), dialog:not([open])'
    const isSeen = (element: Element) =>
      !element.closest(apart) &&
      element.checkVisibility() &&
      element.getBoundingClientRect().width > 1
    const broken: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: around, nodeValue } = node
      if (!around || !isSeen(around)) continue
      for (const { 0: word, index } of (nodeValue ?? '').matchAll(
        /(?<!\S)[\p{L}.,:;!?]{2,24}(?!\S)/gu,
      )) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = [...range.getClientRects()].filter((rect) => rect.width > 0.5)
        if (new Set(lines.map(({ top }) => Math.round(top))).size > 1)
          broken.push(`${word} in ${around.localName} at ${wide}`)
      }
    }
    return broken
  }, width)
}

test('no word is broken on a narrow phone for visitors', async ({ plain }) => {
  const frame = await openFrame(plain)
  for (const path of openPaths) {
    await frame.goto(path)
    for (const width of [320, 390]) expect(await brokenWords(frame, width), path).toEqual([])
  }
})

test('no word is broken on a narrow phone for the owner', async ({ owner, site }) => {
  const addresses = await ownerAddresses(site)
  const frame = await openFrame(owner)
  await openAsOwner(frame)
  const broken: string[] = []
  await visitInTurn(frame, addresses, async () => {
    for (const width of [320, 390]) broken.push(...(await brokenWords(frame, width)))
  })
  expect(broken).toEqual([])
})

test('no word of a name is broken where the owner puts a list in order', async ({
  owner,
  site,
}) => {
  for (const name of ['Cooperativa Administración', 'Electroencefalografista'])
    await createEntry(site, experience, formValues(experience, name))
  const frame = await openFrame(owner)
  await openAsOwner(frame)
  await frame.goto(experience.path)
  await frame.getByRole('button', { name: orderTexts.sort, exact: true }).click()
  await expect(frame.getByText('Electroencefalografista')).toBeVisible()
  for (const width of [320, 360, 390]) expect(await brokenWords(frame, width)).toEqual([])
})
