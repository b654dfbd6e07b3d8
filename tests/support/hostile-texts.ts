import fc from 'fast-check'

/** Makes a text of about so many bytes; the longer one only has more of the same. */
export interface Growing {
  readonly name: string
  readonly of: (bytes: number) => string
}

/** Pieces that careless patterns, parsers and normalisers go over again and again. */
const pieces = [
  ' ',
  '\t',
  '\n',
  ' \n',
  '\r\n',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\u0301',
  '\u0323\u0301',
  'a\u0301',
  '\uac00\u11a8',
  '\ufdfa',
  '\ud83d\udc4d',
  '\ud800',
  'a',
  'A',
  '0',
  'a.',
  'a-',
  '-',
  '.',
  '@',
  'a@',
  "'",
  '"',
  '\\',
  '%',
  '%2',
  '%2e',
  '%20',
  '/',
  '../',
  ';',
  ',',
  ' ,',
  ' ;',
  'q=0',
  'W/"a"',
  '<',
  '<a ',
  '<!--',
  '&',
  '=',
  'a=b&',
  '[',
  '{',
  '{"a":',
  'http://',
  'www.a ',
  '[url',
  ':',
  '#',
  '?',
]

const piece = fc.oneof(
  fc.constantFrom(...pieces),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
)
const edge = fc.oneof(fc.constant(''), fc.constantFrom(...pieces, 'a', 'x@', '"'))

/** The piece again and again between a beginning and an end. */
export function repeated(unit: string, before = '', after = ''): Growing {
  const size = Buffer.byteLength(unit)
  return {
    name: JSON.stringify([before, unit, after]),
    of: (bytes) => before + unit.repeat(Math.floor(bytes / size)) + after,
  }
}

/** Every piece once, where patterns look longest: behind a letter and before another. */
export const everyGrowing: readonly Growing[] = pieces.map((unit) => repeated(unit, 'a', 'a'))

/** Any such text. */
export const growing: fc.Arbitrary<Growing> = fc
  .tuple(piece, edge, edge)
  .map(([unit, before, after]) => repeated(unit, before, after))

const nested = (open: string, close: string): Growing => ({
  name: `nested ${open}`,
  of: (bytes) => {
    const times = Math.floor(bytes / (open.length + close.length))
    return `{"a":${open.repeat(times)}1${close.repeat(times)}}`
  },
})

const members = (name: string, member: (i: number) => string): Growing => ({
  name,
  of: (bytes) => {
    const parts: string[] = []
    for (let size = 2; size < bytes; size += (parts.at(-1)?.length ?? 0) + 1) {
      parts.push(member(parts.length))
    }
    return `{${parts.join(',')}}`
  },
})

/** JSON that is hard on parsers rather than on texts. */
export const growingJson: readonly Growing[] = [
  nested('[', ']'),
  nested('{"a":', '}'),
  members('many names', (i) => `"n${i}":1`),
  members('numbered names', (i) => `"${i}":1`),
  members('one name', () => '"a":1'),
  members('colons', () => '"a":"::::::::::"'),
  repeated('\\"', '{"a":"', '"}'),
  repeated('9', '{"a":', '}'),
  repeated('9', '{"a":0.', 'e999}'),
  repeated('[],', '{"a":[', '1]}'),
]
