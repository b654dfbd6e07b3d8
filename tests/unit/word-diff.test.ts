import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords, wordSteps, type DiffPiece } from '#client/owner/editor/word-diff.ts'

const textOf = (pieces: readonly DiffPiece[]) => pieces.map(({ text }) => text).join('')
const shared = (pieces: readonly DiffPiece[]) =>
  textOf(pieces.filter(({ isChanged }) => !isChanged))
/** The text with its changed pieces in brackets. */
const marked = (pieces: readonly DiffPiece[]) =>
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

test.each([
  ['Un 👨‍👩‍👧 en casa', 'Un 👨‍👩‍👦 en casa', '[👨‍👩‍👧]', '[👨‍👩‍👦]'],
  ['De 🇪🇸', 'De 🇪🇪', '[🇪🇸]', '[🇪🇪]'],
  ['Bien 👍🏽', 'Bien 👍🏿', '[👍🏽]', '[👍🏿]'],
  ['cafe\u0301 solo', 'cafe solo', '[cafe\u0301]', '[cafe]'],
  ['नमस्ते दोस्त', 'नमस्कार दोस्त', '[नमस्ते]', '[नमस्कार]'],
  ['שָׁלוֹם לך', 'שְׁלוֹם לך', '[שָׁלוֹם]', '[שְׁלוֹם]'],
])('no sign is taken apart: «%s» and «%s»', (mine, theirs, mineMark, theirsMark) => {
  const [a, b] = diffWords(mine, theirs)
  expect([marked(a), marked(b)]).toEqual([
    expect.stringContaining(mineMark),
    expect.stringContaining(theirsMark),
  ])
})

/** Many words of its own, with a shared one between each. */
const longText = (own: string, count: number) =>
  `Igual ${Array.from({ length: count }, (_, index) => `${own}${index} y`).join(' ')} fin`

test('long texts are compared word by word too', () => {
  const [a] = diffWords(longText('x', 500), longText('z', 500))
  expect(a.filter(({ isChanged }) => isChanged)).toHaveLength(500)
})

test('texts that share too little to be compared word by word are marked whole', () => {
  const [mine, theirs] = [longText('x', 1500), longText('z', 1500)]
  expect(diffWords(mine, theirs)).toEqual([
    [{ text: mine, isChanged: true }],
    [{ text: theirs, isChanged: true }],
  ])
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

const steps = (from: string, to: string) =>
  wordSteps(from, to)
    .map(({ text, is }) => ({ same: text, gone: `[-${text}-]`, come: `[+${text}+]` })[is])
    .join('')

test.each([
  ['Feria cerca', 'Ferias del barrio', '[-Feria cerca-][+Ferias del barrio+]'],
  [
    'Mapa de ferias y puestos del barrio con horarios.',
    'Mapa de ferias con horarios nuevos.',
    'Mapa de ferias [-y puestos del barrio -]con horarios[+ nuevos+].',
  ],
  ['Igual', 'Igual', 'Igual'],
  ['', 'Nuevo texto', '[+Nuevo texto+]'],
  ['Viejo texto', '', '[-Viejo texto-]'],
])('«%s» becomes «%s» in whole words', (from, to, expected) => {
  expect(steps(from, to)).toBe(expected)
})

test('texts that share too little go and come whole', () => {
  const [from, to] = [longText('x', 1500), longText('z', 1500)]
  expect(wordSteps(from, to)).toEqual([
    { text: from, is: 'gone' },
    { text: to, is: 'come' },
  ])
})

test('without what comes it is the one text, without what goes the other, and no two neighbours are alike', () => {
  const text = fc.array(fc.constantFrom('uno', 'dos', 'tres', ' ', ', ', '\n'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [from, to] = [a.join(''), b.join('')]
      const found = wordSteps(from, to)
      const without = (side: string) =>
        found
          .filter(({ is }) => is !== side)
          .map(({ text: part }) => part)
          .join('')
      expect([without('come'), without('gone')]).toEqual([from, to])
      expect(found.every(({ is }, index) => is !== found[index + 1]?.is)).toBe(true)
      expect(found.some(({ text: part }) => part === '')).toBe(false)
    }),
  )
})
