import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules of these tags that read colours, or a page as a whole; the others judge what is shown, what it is and where it stands. */
const rulesOfAll = [
  'color-contrast',
  'link-in-text-block',
  'heading-order',
  'page-has-heading-one',
  'landmark-one-main',
  'landmark-unique',
]

/** What axe finds wrong on the page as it is now: one line per rule with the elements it names. */
export function accessibilityFaults(page: Page): Promise<readonly string[]> {
  return faultsNow(page, 'all')
}

/**
 * What axe finds wrong on the page as it is now. Where only the theme has changed since it was asked last, which changes
 * colours and little else, the rules that read none are asked again only about what is shown otherwise.
 */
async function faultsNow(page: Page, rules: 'all' | 'after a theme'): Promise<readonly string[]> {
  // The debugger's own evaluation is not held by the page's content policy, as a script element would be.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(source)
  const { passes, violations, incomplete } = await page.evaluate<AxeResults>(
    `(async () => {
      const place = { left: scrollX, top: scrollY }
      // What a modal dialog lies over is not there for anybody; axe takes bars of the page to lie over the dialog.
      const behind = []
      for (let inside = document.querySelector('dialog:modal'); inside && inside !== document.body; inside = inside.parentElement) {
        for (const beside of inside.parentElement.children) {
          if (beside !== inside && beside.style) behind.push([beside, beside.style.visibility])
        }
      }
      for (const [element] of behind) element.style.visibility = 'hidden'
      try {
        const judge = (what, options) =>
          // Of a rule that holds one place says that it was measured: the others need not be named.
          axe.run(what, { resultTypes: ['violations', 'incomplete'], ...options })
        const runOnly = { type: 'tag', values: ${JSON.stringify(tags)} }
        const rulesOfAll = ${JSON.stringify(rulesOfAll)}
        const changed = (${shownOtherwise.toString()})()
        const isWhole = ${String(rules === 'all')} || changed === undefined
        const found = await judge(
          document,
          isWhole ? { runOnly } : { runOnly: { type: 'rule', values: rulesOfAll } },
        )
        if (!isWhole && changed.length > 0) {
          const rules = Object.fromEntries(rulesOfAll.map((rule) => [rule, { enabled: false }]))
          const { violations } = await judge({ include: changed }, { runOnly, rules })
          found.violations.push(...violations)
        }
        // What a bar of the page covers by half is as large as it is drawn, which shows in the middle of the window.
        const isSmall = async ({ target: [name] }) => {
          document.querySelector(name).scrollIntoView({ block: 'center', behavior: 'instant' })
          const { violations } = await axe.run(document, { runOnly: { type: 'rule', values: ['target-size'] } })
          return violations.some(({ nodes }) => nodes.some(({ target }) => target[0] === name))
        }
        for (const fault of found.violations.filter(({ id }) => id === 'target-size')) {
          const small = []
          for (const node of fault.nodes) if (await isSmall(node)) small.push(node)
          fault.nodes = small
        }
        found.violations = found.violations.filter(({ nodes }) => nodes.length > 0)
        const { passes, violations, incomplete } = found
        return { passes: passes.map(({ id }) => ({ id })), violations, incomplete }
      } finally {
        scrollTo({ ...place, behavior: 'instant' })
        for (const [element, before] of behind) element.style.visibility = before
      }
    })()`,
  )
  const faults = violations.map(({ id, help, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).join(', ')
    return `${id}: ${help} (${where})`
  })
  const isMeasured = [...passes, ...violations].some(({ id }) => id === 'color-contrast')
  if (isMeasured) return faults
  const why = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) =>
      nodes.map(({ target, any }) => `${target.join(' ')}: ${any[0]?.message}`),
    )
  const shown = await page.evaluate(() => document.body.innerText.slice(0, 200))
  return [...faults, `color-contrast: not measured (${why.join(', ')}) on «${shown}»`]
}

interface Shown {
  readonly markup: string
  readonly places: ReadonlyMap<Element, string>
}

/**
 * The elements that are shown otherwise than when this was asked last, and those whose names they may make: what stands around them;
 * nothing where the page has become another since, or was not asked before. It runs in the page.
 */
function shownOtherwise(): readonly Element[] | undefined {
  const kept = globalThis as { shownLast?: Shown }
  const last = kept.shownLast
  const places = new Map<Element, string>()
  for (const element of document.querySelectorAll('*')) {
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const { x, y, width, height } = element.getBoundingClientRect()
    places.set(element, [isShown, x, y, width, height].join(' '))
  }
  const markup = document.body.outerHTML
  kept.shownLast = { markup, places }
  if (markup !== last?.markup) return undefined
  const named = 'a, button, summary, label, h1, h2, h3, h4, h5, h6, [role], [aria-labelledby]'
  const changed = [...places].filter(([element, place]) => last.places.get(element) !== place)
  return changed.flatMap(([element]) => {
    const around = element.closest(named)
    const field = element.closest('label')?.control
    return [element, element.parentElement, around, field].filter((one) => !!one)
  })
}

/** The same without the dots of the ground, which on a short page keep axe from telling any colour. */
export async function faultsOnPlainGround(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const plain = new CSSStyleSheet()
    plain.replaceSync('body::before { display: none }')
    document.adoptedStyleSheets.push(plain)
  })
  return accessibilityFaults(page)
}

/** The widths that the design is drawn for. */
export const lookWidths = [390, 1440] as const

const themes = ['dark', 'light'] as const

interface Look {
  readonly theme: string
  readonly width: number
}

/** Every theme and width the design is drawn for, the themes of a width one after the other. */
export const looks = lookWidths.flatMap((width) => themes.map((theme) => ({ theme, width })))

/** Shows the page in one of its looks, with nothing moving and without the faint dots behind it: over them axe judges no contrast. */
export async function show(page: Page, { theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate((chosen) => {
    document.documentElement.dataset['theme'] = chosen
  }, theme)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('body::before { display: none !important }')
    document.adoptedStyleSheets = [sheet]
  })
}

/**
 * What axe finds wrong on the page as it is now in both themes of a width, each look handed to `lookAt` first; the last of
 * them stays.
 */
export async function faultsInBothThemes(
  page: Page,
  width: number,
  lookAt?: (look: Look) => Promise<void>,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const [index, theme] of themes.entries()) {
    await show(page, { theme, width })
    await lookAt?.({ theme, width })
    const found = await faultsNow(page, index === 0 ? 'all' : 'after a theme')
    faults.push(...found.map((fault) => `${theme}, ${width}: ${fault}`))
  }
  return faults
}

/** The same in each of its looks. */
export async function faultsInEveryLook(
  page: Page,
  lookAt?: (look: Look) => Promise<void>,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const width of lookWidths) faults.push(...(await faultsInBothThemes(page, width, lookAt)))
  return faults
}

/** By how many pixels the page can be scrolled sideways; leaves it there. */
export function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ left: 9999, behavior: 'instant' })
    return scrollX
  })
}
