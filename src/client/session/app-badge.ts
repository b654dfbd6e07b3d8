/** Does nothing where the system has no badge; zero removes it. */
export function showAppBadge(count: number): void {
  const badge = navigator as Partial<Pick<Navigator, 'setAppBadge'>>
  // A refusal is no loss: the page's own header shows the number too.
  badge.setAppBadge?.(count).catch(() => undefined)
}
