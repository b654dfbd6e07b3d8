import { localMemory } from './early/web-storage.ts'

/** Does nothing where the visitor has chosen a theme, like the page's inline script. */
export function showDefaultTheme(theme: string): void {
  if (localMemory.get('theme') !== undefined) return
  const root = document.documentElement
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  if (theme === 'device') {
    root.dataset['theme'] = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  }
}
