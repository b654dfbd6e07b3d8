import { afterEach, expect, test } from 'vitest'
import { copySources, type Sources } from '#tests/support/builds.ts'

let sources: Sources | undefined
afterEach(() => sources?.remove())

/** A copy of the sources with parts of a page of its own. */
function withPage(...parts: readonly ('row' | 'head' | 'screen')[]): Sources {
  sources = copySources()
  if (parts.includes('row')) {
    const row = "{ path: '/cv', title: texts.cv, entries: 'cv' },"
    sources.edit('src/contract/pages.ts', row, `${row}\n  { path: '/ahora', title: 'Ahora' },`)
  }
  if (parts.includes('head')) {
    sources.edit(
      'src/contract/page-heads.ts',
      "  '/inbox': {},",
      "  '/inbox': {},\n  '/ahora': {},",
    )
  }
  if (parts.includes('screen')) {
    const about = "'/about': { layout: 'site', component: About },"
    const screen = "'/ahora': { layout: 'site', component: About },"
    sources.edit('src/client/routes.tsx', about, `${about}\n  ${screen}`)
  }
  return sources
}

test('a page with its head and its screen compiles', () => {
  expect(withPage('row', 'head', 'screen').typeErrors()).toBe('')
})

test('a page without a screen does not compile', () => {
  expect(withPage('row', 'head').typeErrors()).toMatch(/routes\.tsx.*'"\/ahora"' is missing/)
})

test('a screen without a page does not compile', () => {
  expect(withPage('screen').typeErrors()).toMatch(/routes\.tsx.*''\/ahora'' does not exist/)
})
