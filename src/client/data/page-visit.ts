/** The returned function tells whether the page is still the one that is open now. */
export function trackPage(): () => boolean {
  const begun = placeInHistory()
  return () => placeInHistory() === begun
}

/** Identifies one visit of a page; browsers without the newer interface know only the address. */
function placeInHistory(): string | undefined {
  return 'navigation' in globalThis ? navigation.currentEntry?.key : location.href
}
