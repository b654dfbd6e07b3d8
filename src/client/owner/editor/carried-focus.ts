import { useLayoutEffect, useState } from 'react'
import { focusHeading } from '#client/browser/focus-after-navigation.ts'

/** What a page can have the focus on before the owner's code comes: a name, and which of those that bear it. */
interface Place {
  readonly name: string
  readonly index: number
}

/**
 * Keeps the focus where it is when the owner's list takes the place of the visitors', which goes off the page with what
 * has the focus: a new page's heading, or the link that the keyboard has come to.
 */
export function useCarriedFocus(): void {
  const [place] = useState(placeOfFocus)
  useLayoutEffect(() => {
    const found = place && named(place.name)[place.index]
    if (found?.localName === 'h1') focusHeading()
    else found?.focus({ preventScroll: true })
  }, [place])
}

function placeOfFocus(): Place | undefined {
  const focused = document.activeElement
  if (!focused) return undefined
  const name = nameOf(focused)
  const index = named(name).findIndex((each) => each === focused)
  return index < 0 ? undefined : { name, index }
}

/** Two entries of one name have links of one name. */
function named(name: string): readonly HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('main :is(h1, a, button)')
  return [...all].filter((each) => nameOf(each) === name)
}

function nameOf(element: Element): string {
  return element.getAttribute('aria-label') ?? element.textContent
}
