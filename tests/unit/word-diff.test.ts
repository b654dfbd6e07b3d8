import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords, type Piece } from '#client/sections/word-diff.ts'

const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('')
const shared = (pieces: readonly Piece[]) => textOf(pieces.filter(({ isChanged }) => !isChanged))
/** The text with its changed pieces in brackets. */
const marked = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')

test.each([
  ['pedidos: catálogo y pagos.', 'pedidos: catálogo y entregas.', '[pagos]', '[entregas]'],
  ['tres días', 'cuatro días', '[tres]', '[cuatro]'],
])('«%s» and «%s» differ by a word', (mine, theirs, mineMark, theirsMark) => {
  const [a, b] = diffWords(mine, theirs)
  expect(marked(a)).toContain(mineMark)
  expect(marked(b)).toContain(theirsMark)
  expect(shared(a)).toBe(shared(b))
})

test('changed words next to each other are one piece', () => {
  const [a, b] = diffWords('Sale uno dos hoy', 'Sale tres cuatro hoy')
  expect([marked(a), marked(b)]).toEqual(['Sale [uno dos] hoy', 'Sale [tres cuatro] hoy'])
})

test('a word only added leaves the other side unmarked', () => {
  const [a, b] = diffWords('Un mapa', 'Un buen mapa')
  expect(marked(a)).toBe('Un mapa')
  expect(marked(b)).toBe('Un [buen ]mapa')
})

test('a word that both have between changed ones stays unmarked', () => {
  const [a, b] = diffWords('Con catálogo, logística y pagos.', 'Con catálogo y entregas.')
  expect(marked(a)).toBe('Con catálogo[, logística ]y [pagos].')
  expect(marked(b)).toBe('Con catálogo y [entregas].')
})

/** Many words of its own, with a shared one between each. */
const longText = (own: string) =>
  `Igual ${Array.from({ length: 500 }, (_, index) => `${own}${index} y`).join(' ')} fin`

test('texts too long to compare word by word are marked from the first difference to the last', () => {
  const [a] = diffWords(longText('x'), longText('z'))
  expect(a.map(({ isChanged }) => isChanged)).toEqual([false, true, false])
})

test('nothing is lost, and what is unmarked reads the same on both sides', () => {
  const text = fc.array(fc.constantFrom('uno', 'dos', 'tres', ' ', ', ', '\n'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (mine, theirs) => {
      const [a, b] = diffWords(mine.join(''), theirs.join(''))
      expect(textOf(a)).toBe(mine.join(''))
      expect(textOf(b)).toBe(theirs.join(''))
      // A space between changed words counts as changed on its own side only.
      expect(shared(a).replace(/\s/g, '')).toBe(shared(b).replace(/\s/g, ''))
    }),
  )
})

test('equal texts are unmarked', () => {
  expect(diffWords('Hola, ¿qué tal?', 'Hola, ¿qué tal?').map(marked)).toEqual([
    'Hola, ¿qué tal?',
    'Hola, ¿qué tal?',
  ])
})
