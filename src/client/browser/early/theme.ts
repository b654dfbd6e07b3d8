import { localMemory } from './web-storage.ts'

/** The colours of the browser's own bar, one per theme; the page's inline script holds them too. */
const barColors = { light: '#f6fbfb', dark: '#051421' } as const

/** Keeps the choice for the next visit where storage allows. */
export function toggleTheme(): void {
  const root = document.documentElement
  const theme = root.dataset['theme'] === 'light' ? 'dark' : 'light'
  root.dataset['theme'] = theme
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', barColors[theme])
  localMemory.set('theme', theme)
}
