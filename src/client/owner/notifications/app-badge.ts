/** The number on the installed application's icon, where the system shows one; nothing to read shows none. */
export function showAppBadge(count: number): void {
  const badge = navigator as Partial<Pick<Navigator, 'setAppBadge'>>
  // An extra: what the system refuses to show is in the page's own header.
  badge.setAppBadge?.(count).catch(() => undefined)
}
