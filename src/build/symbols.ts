import type { Plugin } from 'vite'

/**
 * Path data on a 24 × 24 grid; data that starts with `*` is filled instead of outlined. Lucide outlines (ISC), the two
 * brand marks CC0.
 */
export const symbols: Readonly<Record<string, string>> = {
  award: 'M6 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0zM15.5 13 17 22l-5-3-5 3 1.5-9',
  back: 'M15 18l-6-6 6-6',
  brief:
    'M16 20V4a2 2 0 0 0-2-2h-4a2 2 0 0 0-2 2v16M4 6h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2z',
  check: 'M20 6 9 17l-5-5',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  ext: 'M7 7h10v10M7 17 17 7',
  folder:
    'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2zM10 4v4M2 8h20M6 4v4',
  github:
    '*M12 .3a12 12 0 0 0-3.8 23.4c.6.1.8-.3.8-.6v-2c-3.3.7-4-1.6-4-1.6-.6-1.4-1.4-1.8-1.4-1.8-1.1-.7.1-.7.1-.7 1.2.1 1.8 1.2 1.8 1.2 1.1 1.8 2.9 1.3 3.6 1 .1-.8.4-1.3.7-1.6-2.7-.3-5.5-1.3-5.5-5.9 0-1.3.5-2.4 1.3-3.3-.2-.3-.6-1.5.1-3.1 0 0 1-.4 3.3 1.2.9-.3 2-.4 3-.4 1 0 2 .1 3 .4 2.3-1.6 3.3-1.2 3.3-1.2.6 1.6.2 2.8.1 3.1.8.9 1.2 2 1.2 3.3 0 4.6-2.8 5.6-5.5 5.9.5.3.9 1.1.9 2.2 0 1.6-.1 2.9-.1 3.3 0 .3.3.7.9.6A12 12 0 0 0 12 .3',
  grad: 'M21.4 10.9a1 1 0 0 0 0-1.8L12.8 5.2a2 2 0 0 0-1.6 0L2.6 9.1a1 1 0 0 0 0 1.8l8.6 3.9a2 2 0 0 0 1.6 0zM22 10v6M6 12.5V16a6 3 0 0 0 12 0v-3.5',
  home: 'M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8M3 10a2 2 0 0 1 .7-1.5l7-6a2 2 0 0 1 2.6 0l7 6a2 2 0 0 1 .7 1.5v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  info: 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0zM12 16v-4M12 8h.01',
  languages: 'M5 8l6 6M4 14l6-6 2-3M2 5h12M7 2h1M22 22l-5-10-5 10M14 18h6',
  linkedin:
    'M6.5 2.5h11a4 4 0 0 1 4 4v11a4 4 0 0 1-4 4h-11a4 4 0 0 1-4-4v-11a4 4 0 0 1 4-4zM7 10.5V17M7 7.2v.1M11 17v-6.5M11 13.2c0-1.7 1.2-2.7 2.7-2.7S16.5 11.6 16.5 13.3V17',
  mail: 'M22 7l-9 5.7a2 2 0 0 1-2 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2z',
  more: 'M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0z',
  moon: 'M21 12.5a9 9 0 1 1-9.5-9.5c.4 0 .6.5.4.8a6 6 0 0 0 8.3 8.3c.3-.2.8 0 .8.4',
  next: 'M9 18l6-6-6-6',
  print:
    'M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M6 9V3a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6M7 14h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-10a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
  spark:
    'M10 22V7a1 1 0 0 0-1-1H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5a1 1 0 0 0-1-1H2M15 2h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
  sun: 'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4',
  sync: 'M3 12a9 9 0 0 1 9-9 9.8 9.8 0 0 1 6.7 2.7L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.8 9.8 0 0 1-6.7-2.7L3 16M8 16H3v5',
  user: 'M7 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM20 21a8 8 0 0 0-16 0',
  warn: 'M21.7 18l-8-14a2 2 0 0 0-3.4 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.7-3M12 9v4M12 17h.01',
  x: 'M18 6 6 18M6 6l12 12',
}

const place = '<!--symbols-->'

/** The document carries these symbols, so that no script does. */
export function symbolSheet(): Plugin {
  return {
    name: 'tintero:symbol-sheet',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace(place, sheetOf),
    },
  }
}

/** The same as `Sprite` draws for the symbols that come later, with a mark that every page has it. */
function sheetOf(): string {
  const drawn = Object.entries(symbols).map(([name, data]) => {
    const path = data.startsWith('*')
      ? `<path fill="currentColor" stroke="none" d="${data.slice(1)}"/>`
      : `<path d="${data}"/>`
    return `<symbol id="i-${name}" viewBox="0 0 24 24">${path}</symbol>`
  })
  return `<svg data-frame class="sprite" width="0" height="0" aria-hidden="true">${drawn.join('')}</svg>`
}
