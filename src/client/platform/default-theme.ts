/** Shows the theme of whoever has not chosen one, as the page's inline script would have. */
export function showDefaultTheme(theme: string): void {
  try {
    if (localStorage.getItem('theme') !== null) return
  } catch {
    // Storage is closed to us, so nobody can have chosen.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
}
