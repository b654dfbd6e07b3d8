import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeHref } from '#contract/link.ts'

test.each([
  ['https://ejemplo.com/a?b=c#d', 'https://ejemplo.com/a?b=c#d'],
  ['http://localhost:3000', 'http://localhost:3000'],
  [' github.com/x ', 'https://github.com/x'],
  ['www.ñandú.com.ar', 'https://www.ñandú.com.ar'],
])('%j points to %j', (link, href) => {
  expect(safeHref(link)).toBe(href)
})

test.each([
  'Privado',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>',
  'ftp://ejemplo.com',
  'javascript://ejemplo.com/%0aalert(1)',
  'https://dueño:clave@ejemplo.com',
  'https://ejemplo.com/" onclick="x',
  '//ejemplo.com',
  '/about',
  'mailto:a@b.c',
  `https://ejemplo.com/${'a'.repeat(2048)}`,
  'http://]',
  'http://%',
  'github.com:99999',
  '',
])('%j is plain text', (link) => {
  expect(safeHref(link)).toBeUndefined()
})

test('whatever is typed, an address leads to a web page of a named host or there is none', () => {
  const piece = fc.constantFrom(
    'http',
    's',
    ':',
    '/',
    '//',
    '@',
    '.',
    'com',
    'x',
    '?',
    '#',
    '\\',
    '\t',
    '[',
    ']',
    '%',
    ' ',
    'javascript',
    '-',
    ':80',
    'ñ',
  )
  const typed = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 4 }).map((pieces) => `http://${pieces.join('')}`),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl({ validSchemes: ['ftp', 'javascript', 'http', 'https'], withFragments: true }),
  )
  fc.assert(
    fc.property(typed, (link) => {
      const href = safeHref(link)
      if (href === undefined) return
      const { protocol, username, password, host } = new URL(href)
      expect(protocol).toMatch(/^https?:$/)
      expect(host).not.toBe('')
      expect(username + password).toBe('')
    }),
    { numRuns: 3000 },
  )
})
