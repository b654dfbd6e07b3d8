let arrivedAt = 0

/** After a navigation inside the app: the focus goes to the new page's heading, so that it is read out. */
export function focusAfterNavigation(): void {
  arrivedAt = performance.now()
  document.documentElement.classList.add('navigated')
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
