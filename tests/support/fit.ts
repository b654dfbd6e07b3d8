import type { Frame, Page } from 'playwright/test'

/** Every twentieth width from the narrowest phone to a wide screen. */
export const everyWidth = Array.from({ length: 81 }, (_, step) => 320 + step * 20)

/** The widths at which words are looked at. */
export const wordWidths = [320, 390, 768, 1440]

const host = '/ancho'

/**
 * The site in a frame of the page: a frame takes another width in the time of one layout, a window in twenty times that,
 * and its media and container queries answer the frame's width. The site forbids frames; here that is taken off.
 */
export async function openFrame(page: Page): Promise<Frame> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    if (new URL(route.request().url()).pathname === host) {
      const body = '<!doctype html><iframe style="block-size: 900px; border: 0"></iframe>'
      return route.fulfill({ contentType: 'text/html', body })
    }
    const response = await route.fetch()
    const headers = { ...response.headers() }
    delete headers['content-security-policy']
    delete headers['x-frame-options']
    return route.fulfill({ response, headers })
  })
  await page.goto(host)
  const frame = page.frames()[1]
  if (!frame) throw new Error('the page has no frame')
  return frame
}

/** Opens the home page with the signed-in owner's tools in the frame. */
export async function openAsOwner(frame: Frame): Promise<void> {
  await frame.goto('/')
  await frame.locator('.tools .wide').first().waitFor({ state: 'attached' })
}

interface Look {
  readonly widths: readonly number[]
  /** What is not laid out: where only what stands around a page's content is looked at. */
  readonly without?: string
  /** Whether a reader sets the texts apart, where the links of the header may take two lines. */
  readonly isSetApart?: boolean
}

/** What the frame's page does not fit, each with the width at which it does not; empty when it fits them all. */
export async function misfitsOf(frame: Frame, look: Look): Promise<readonly string[]> {
  const misfits: string[] = []
  // The page works on in between: kept from it for seconds, it takes its device for one that does not answer.
  for (let from = 0; from < look.widths.length; from += 27) {
    const widths = look.widths.slice(from, from + 27)
    misfits.push(...(await frame.evaluate(measure, { ...look, widths })))
  }
  return misfits
}

/** All that stands around the content of the frame's page, as it is written: pages that share it are laid out alike there. */
export function surroundingsOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement
    for (const part of copy.querySelectorAll('head, main, script')) part.remove()
    return copy.outerHTML
  })
}

/** What the page does not fit in its window as it is, which dialogs over it need. */
export async function misfitsNow(
  page: Page,
  look: Pick<Look, 'isSetApart'> = {},
): Promise<readonly string[]> {
  return page.evaluate(measure, { ...look, widths: [] })
}

async function measure({ widths, without, isSetApart }: Look): Promise<readonly string[]> {
  /** Off screen or cut on purpose: what only screen readers get, what is closed, and what scrolls by itself. */
  const exempt =
    '.sr-only, .skip, .sprite, .settings-nav, .picks, .rest, input, [popover]:not(:popover-open), dialog:not([open], :popover-open)'
  const nameOf = (element: Element) => {
    const words = (element.textContent ?? '').trim().slice(0, 24)
    return `${element.localName}.${element.className} «${words}»`
  }
  const hasText = ({ childNodes }: Element) =>
    [...childNodes].some(({ nodeName, nodeValue }) => nodeName === '#text' && nodeValue?.trim())
  /** Whether more than it has room for is cut off, or sticks out of it and is text. */
  const mustHold = (element: Element) => {
    const { textOverflow, webkitLineClamp, display, overflowX } = getComputedStyle(element)
    if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || display === 'inline') {
      return false
    }
    return overflowX !== 'visible' || hasText(element)
  }

  /** As `.sr-only`, where only some widths hide it so. */
  const isCutAway = (element: Element): boolean =>
    getComputedStyle(element).clipPath === 'inset(50%)' ||
    (element.parentElement !== null && isCutAway(element.parentElement))

  // What its style says is asked for last: of every element at every width it was most of the time.
  const faultsOf = (element: HTMLElement, room: number): string[] => {
    const { left, right, width } = element.getBoundingClientRect()
    if (width === 0) return []
    const leaves = right > room + 0.5 || left < -0.5
    if (!leaves && element.scrollWidth <= element.clientWidth + 1) return []
    if (isCutAway(element) || (!leaves && !mustHold(element))) return []
    return [`${nameOf(element)} ${leaves ? 'leaves the page' : 'holds more than it has room for'}`]
  }

  const headerFaults = (): string[] => {
    if (document.querySelector('.cv, .card-main')) return []
    const bar = document.querySelector('.site-top > div')
    const name = bar?.querySelector('.brand span')?.getBoundingClientRect()
    if (!bar || !name) return ['there is no name']
    const faults: string[] = []
    if (name.width < 24 || name.height < 12) faults.push('the name cannot be seen')
    const parts = [...bar.querySelectorAll('.brand, .nav > ul > li, .nav summary, .tools > *')]
      .filter((element) => !element.matches('dialog, .sr-only, svg') && element.checkVisibility())
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
    const { top, bottom } = bar.getBoundingClientRect()
    for (const [index, { element, box }] of parts.entries()) {
      if (box.top < top || box.bottom > bottom) faults.push(`${nameOf(element)} leaves the bar`)
      const isTool = element.matches('.tools > *')
      if (isTool && Math.min(box.width, box.height) < 24) faults.push(`${nameOf(element)} is small`)
      for (const other of parts.slice(index + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
        const shared = isSetApart ? Math.min(across, down) : across
        if (shared > 0.5) faults.push(`${nameOf(element)} covers ${nameOf(other.element)}`)
      }
    }
    return faults
  }

  const tabFaults = (): string[] => {
    const labels = [...document.querySelectorAll('.tabs li')]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const range = document.createRange()
        range.selectNode(
          document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() ?? element,
        )
        return range.getBoundingClientRect()
      })
    const touching = labels.filter(
      (box, index) => index > 0 && box.left < (labels[index - 1]?.right ?? 0) + 1,
    )
    return touching.map(() => 'labels of the tab bar touch')
  }

  const faultsNow = (): string[] => {
    const root = document.documentElement
    const room = root.clientWidth
    const hidden = new Set(document.querySelectorAll(exempt))
    const faults = [...headerFaults(), ...tabFaults()]
    scrollTo({ left: 9999, behavior: 'instant' })
    if (scrollX > 0) faults.push('the page scrolls sideways')
    scrollTo({ left: 0, behavior: 'instant' })
    const visit = (element: Element) => {
      if (hidden.has(element) || !(element instanceof HTMLElement)) return
      // In what is not laid out nothing has a place, so none of its elements needs to be asked.
      if (element.offsetWidth === 0 && getComputedStyle(element).display === 'none') return
      faults.push(...faultsOf(element, room))
      for (const child of element.children) visit(child)
    }
    for (const child of document.body.children) visit(child)
    return faults
  }

  await document.fonts.ready
  // The portrait's outline is drawn beside it.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`.portrait::before, ${without ?? '#none'} { display: none !important }`)
  document.adoptedStyleSheets = [sheet]

  const found = new Map<string, number[]>()
  const note = (width: number) => {
    for (const animation of document.getAnimations()) animation.finish()
    for (const fault of faultsNow()) found.set(fault, [...(found.get(fault) ?? []), width])
  }
  // Made by another window, so of another class.
  const box = window.frameElement as HTMLElement | null
  if (!box) note(innerWidth)
  for (const width of box ? widths : []) {
    if (box) box.style.inlineSize = `${width}px`
    note(width)
  }
  document.adoptedStyleSheets = []
  return [...found].map(([fault, at]) => `${location.pathname}: ${fault}, at ${at.join(', ')}`)
}
