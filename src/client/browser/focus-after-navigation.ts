const fadeMs = 180
let arrivedAt = 0

/** Whether the system asks for reduced motion. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Moves the focus to the new page's heading, so that a screen reader reads it out. */
export function focusAfterNavigation(): void {
  arrivedAt = performance.now()
  document.documentElement.classList.add('navigated')
  if (!isStill()) document.querySelector('main')?.animate({ opacity: [0, 1] }, fadeMs)
  focusHeading()
}

/** Moves the focus to the page's heading without scrolling, so that a reader hears which page came. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** How long the page that is shown has been there, in milliseconds. */
export function pageAgeMs(): number {
  return performance.now() - arrivedAt
}
