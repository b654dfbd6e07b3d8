import { afterEach, expect, test } from 'vitest'
import { copySources, type Sources } from '#tests/support/builds.ts'
import { addOwnPage } from '#tests/support/own-page.ts'

let sources: Sources | undefined
afterEach(() => sources?.remove())

/** What the compiler says of the product with parts of one more page. */
function typeErrorsWith(...parts: NonNullable<Parameters<typeof addOwnPage>[1]>): string {
  sources = copySources()
  addOwnPage(sources, parts)
  return sources.typeErrors()
}

test('a page with its head and its screen compiles', () => {
  expect(typeErrorsWith('row', 'head', 'screen')).toBe('')
})

test('a page without a screen does not compile', () => {
  expect(typeErrorsWith('row', 'head')).toMatch(/routes\.tsx.*'"\/ahora"' is missing/)
})

test('a screen without a page does not compile', () => {
  expect(typeErrorsWith('screen')).toMatch(/routes\.tsx.*''\/ahora'' does not exist/)
})
