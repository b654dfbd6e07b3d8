import { accessCalls } from '#contract/access/access.ts'
import type { Json } from './app.ts'
import type { Growing } from './hostile-texts.ts'
import type { Sent } from './strangers-posts.ts'

/** A place for a text in a request. */
export interface TextPlace {
  readonly name: string
  /** How long the text is to be there, in bytes as they travel. */
  readonly lengths: readonly number[]
  readonly written: (text: string) => number
  readonly put: (sent: Sent, text: string) => Sent
}

/** Up to what is taken of any body, and of one text in it. */
const bodyLengths = [60_000, 2_000]
const headerLengths = [12_000]

/** Every place of a request in which a text stands, and what lies within those that are written in a code of their own. */
export function placesIn(name: string, sent: Sent): readonly TextPlace[] {
  const own = textsIn(sent).map(placeAt)
  const cookie = sent.headers['cookie'] === undefined ? [] : [cookieValue]
  return [...own, ...cookie, ...(name.endsWith(`/${accessCalls.passkeySignIn}`) ? signed : [])]
}

/** A text and one a quarter of its length, so long that the longer one is there in that many bytes. */
export function fitting(
  { of }: Growing,
  { written }: Pick<TextPlace, 'written'>,
  most: number,
): Fitting {
  const sample = 1000
  const bytes = Math.floor((most * sample) / Math.max(sample, written(of(sample))))
  return { short: of(bytes / 4), long: of(bytes) }
}

interface Fitting {
  readonly short: string
  readonly long: string
}

export type Path = readonly string[]

function textsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]))
}

/** The value with a text where the path leads. */
export function withText(value: unknown, [name, ...rest]: Path, text: string): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) {
    return value.map((member: unknown, i) =>
      String(i) === name ? withText(member, rest, text) : member,
    )
  }
  const members = value as Json
  return { ...members, [name]: withText(members[name], rest, text) }
}

function placeAt(path: Path): TextPlace {
  const name = path.join('.')
  if (path[0] === 'headers') {
    return inHeader(name, (sent, text) => withText(sent, path, text) as Sent)
  }
  return {
    name,
    lengths: bodyLengths,
    written: (text) => Buffer.byteLength(JSON.stringify(text)),
    put: (sent, text) => withText(sent, path, text) as Sent,
  }
}

/** Headers carry less than bodies, and fewer letters. */
function inHeader(name: string, put: TextPlace['put']): TextPlace {
  const spelled = (text: string) =>
    text.replace(/[^\x20-\x7e\xa0-\xff]/g, (letter) => (/\s/.test(letter) ? ' ' : '~'))
  return {
    name,
    lengths: headerLengths,
    written: (text) => spelled(text).length,
    put: (sent, text) => put(sent, spelled(text)),
  }
}

const cookieValue = inHeader('value of the cookie', (sent, text) => ({
  ...sent,
  headers: { ...sent.headers, cookie: `__Secure-tintero=${text}` },
}))

/** Where the flags of an authenticator stand, which of them tells of extensions, and how one begins that holds another. */
const flagsAt = 32
const hasExtensions = 0x80
const arrayOfOne = 0x81

/** What an authenticator signs is JSON and bytes, each spelled in letters. */
const signed: readonly TextPlace[] = [
  inSigned('clientDataJSON', 'another name in what the browser says', (told, text) =>
    Buffer.from(JSON.stringify({ ...(JSON.parse(told.toString()) as Json), text })),
  ),
  inSigned('clientDataJSON', 'what the browser says', (_, text) => Buffer.from(text)),
  inSigned('authenticatorData', 'extensions of the authenticator', (told, text) => {
    const head = Buffer.from(told)
    head[flagsAt] = (head[flagsAt] ?? 0) | hasExtensions
    return Buffer.concat([head, Buffer.from(text)])
  }),
  inSigned('authenticatorData', 'nested extensions of the authenticator', (told, text) => {
    const head = Buffer.from(told)
    head[flagsAt] = (head[flagsAt] ?? 0) | hasExtensions
    return Buffer.concat([head, Buffer.alloc(Buffer.byteLength(text), arrayOfOne)])
  }),
  inSigned('signature', 'signature', (_, text) => Buffer.from(text)),
]

function inSigned(
  member: string,
  name: string,
  change: (told: Buffer, text: string) => Buffer,
): TextPlace {
  const path = ['body', 'response', 'response', member]
  return {
    name,
    // Of the 16,384 letters that are taken, a quarter is lost to the spelling.
    lengths: [11_000, 2_000],
    written: (text) => Buffer.byteLength(JSON.stringify(text)),
    put: (sent, text) => {
      const told = Buffer.from(textAt(sent, path), 'base64url')
      return withText(sent, path, change(told, text).toString('base64url')) as Sent
    },
  }
}

function textAt(value: unknown, [name, ...rest]: Path): string {
  return name === undefined ? String(value) : textAt((value as Json)[name], rest)
}
