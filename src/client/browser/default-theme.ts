import { localMemory } from './early/web-storage.ts'

/** Shows the theme of whoever has not chosen one, as the page's inline script would have. */
export function showDefaultTheme(theme: string): void {
  if (localMemory.get('theme') !== undefined) return
  const root = document.documentElement
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  if (theme === 'device') {
    root.dataset['theme'] = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  }
}
