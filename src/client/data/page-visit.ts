/** Notes the visit of the page that is open now; the answer tells later whether the person is still on it. */
export function trackPage(): () => boolean {
  const begun = placeInHistory()
  return () => placeInHistory() === begun
}

/** What tells one visit of a page from the next; browsers without the newer interface know at least the address. */
function placeInHistory(): string | undefined {
  return 'navigation' in globalThis ? navigation.currentEntry?.key : location.href
}
