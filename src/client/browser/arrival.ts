const fadeMs = 180
let arrivedAt = 0

/** Whether whoever looks asked for no motion. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** After a navigation inside the app: the focus goes to the new page's heading, so that it is read out. */
export function focusAfterNavigation(): void {
  arrivedAt = performance.now()
  document.documentElement.classList.add('navigated')
  if (!isStill()) document.querySelector('main')?.animate({ opacity: [0, 1] }, fadeMs)
  focusHeading()
}

/** Moves the focus to the page's heading without scrolling. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** How long the current page has been shown, in milliseconds. */
export function pageAgeMs(): number {
  return performance.now() - arrivedAt
}
