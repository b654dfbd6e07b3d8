import { localMemory } from './web-storage.ts'

/** Colours of the browser's own bar, one per theme; the page's inline script knows them too. */
const barColors = { light: '#f6fbfb', dark: '#051421' } as const

/** Changes from dark to light or back, and keeps the choice for the next visit where storage allows. */
export function toggleTheme(): void {
  const root = document.documentElement
  const theme = root.dataset['theme'] === 'light' ? 'dark' : 'light'
  root.dataset['theme'] = theme
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', barColors[theme])
  localMemory.set('theme', theme)
}
