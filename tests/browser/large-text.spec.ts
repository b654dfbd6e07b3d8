import type { Frame } from 'playwright/test'
import { openPaths } from '#tests/support/page-paths.ts'
import { expect, test } from '#tests/support/browser.ts'
import { chromiumArgs, foundShell } from '#tests/support/chromium.ts'
import { misfitsOf, openFrame, openAsOwner } from '#tests/support/fit.ts'
import { ownerAddresses, visitInTurn } from '#tests/support/owner-pages.ts'

/* Letters of twice the usual size, as a person sets them in her browser; every length of ours grows with them. */

test.use({
  writes: true,
  launchOptions: {
    executablePath: foundShell(),
    args: [...chromiumArgs, '--blink-settings=defaultFontSize=32'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  },
})

const widths = [390, 768, 1440]

/** The words on buttons of the frame's page that go on in another line, where there is room for the least. */
function tornWords(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(() => {
    const isTorn = (node: Text, { index, 0: word }: RegExpExecArray) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
    }
    const textsOf = ({ childNodes }: Element) =>
      [...childNodes].filter((node): node is Text => node.nodeType === Node.TEXT_NODE)
    return [...document.querySelectorAll('.btn, .btn *')]
      .filter((element) => element.checkVisibility())
      .flatMap(textsOf)
      .flatMap((node) =>
        [...node.data.matchAll(/\S+/g)]
          .filter((word) => isTorn(node, word))
          .map(([word]) => `${location.pathname}: ${word} is torn`),
      )
  })
}

/** What does not fit the frame's page with letters of this size. */
async function faultsOf(frame: Frame): Promise<readonly string[]> {
  const misfits = await misfitsOf(frame, { widths })
  await frame.evaluate((width) => {
    const box = window.frameElement as HTMLElement
    box.style.inlineSize = `${width}px`
  }, widths[0])
  return [...misfits, ...(await tornWords(frame))]
}

test('every page fits letters of twice the size for visitors @main', async ({ plain, watch }) => {
  watch.expect(/404/)
  const frame = await openFrame(plain)
  const faults: string[] = []
  for (const path of openPaths) {
    await frame.goto(path)
    faults.push(...(await faultsOf(frame)))
  }
  expect(faults).toEqual([])
})

test('every page fits letters of twice the size for the owner', async ({ owner, site, watch }) => {
  watch.expect(/the device does not answer/)
  const frame = await openFrame(owner)
  await openAsOwner(frame)
  const faults: string[] = []
  await visitInTurn(frame, await ownerAddresses(site), async () => {
    faults.push(...(await faultsOf(frame)))
  })
  expect(faults).toEqual([])
})
