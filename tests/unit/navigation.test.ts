import { expect, test } from 'vitest'
import { sections } from '#contract/sections/index.ts'
import { parseSettings } from '#contract/settings/kinds.ts'
import { furtherPaths } from '#tests/support/page-paths.ts'
import { everySection } from '#tests/support/site-data.ts'
import { placesOf, splitPlaces } from '#client/site/shell/navigation.ts'
import { symbols } from '#build/symbols.ts'

const hiding = (...keys: readonly string[]) =>
  parseSettings({ ...everySection, sections_hidden: keys.join(', ') })
const pathsOf = (places: readonly { readonly path: string }[]) =>
  places.map(({ path }) => path).filter((path) => !furtherPaths.includes(path))

test('the navigation names every section between who she is and how to reach her', () => {
  expect(pathsOf(placesOf(hiding()))).toEqual([
    '/',
    '/about',
    ...sections.map(({ path }) => path),
    '/contact',
  ])
})

test('a phone’s bar holds four places and leaves the rest behind «more»', () => {
  const { inBar, behindMore } = splitPlaces(hiding())
  expect(pathsOf(inBar)).toEqual(['/', '/projects', '/experiences', '/contact'])
  expect(pathsOf(behindMore)).toEqual(['/about', ...pathsOf(sections.slice(2))])
})

test('the next section takes the place of a hidden one', () => {
  const { inBar, behindMore } = splitPlaces(hiding('proyect', 'skill'))
  expect(pathsOf(inBar)).toEqual(['/', '/experiences', '/educations', '/contact'])
  expect(pathsOf(behindMore)).toEqual(['/about', ...pathsOf(sections.slice(4))])
})

test('every place has a symbol that visitors’ pages carry', () => {
  for (const { icon } of placesOf(hiding())) expect(Object.keys(symbols)).toContain(icon)
})
