import { calls } from './api.ts'
import { lengthOf } from './text.ts'

/** How the title is drawn: phones (under 40rem) get fewer columns in smaller letters. */
const shapes = {
  wide: { columns: 44, letterPx: 36 },
  narrow: { columns: 26, letterPx: 22 },
} as const

/** The screens that get the narrow drawing. */
export const narrowTitles = '(width < 40rem)'

export type TitleVariant = keyof typeof shapes

/** Bounds of one drawing; a longer title is drawn up to here and ends in an ellipsis. */
export const titleLimits = { characters: 200, lines: 24 } as const

/** Geist Mono in parts of the letter's size: every letter is as wide as the next. */
export const titleMetrics = { advance: 0.6, lineHeight: 1.32, caretRoom: 0.75, foot: 0.08 } as const

export interface TitleBox {
  readonly width: number
  readonly height: number
}

/** The text broken between words into lines of at most `columns` code points; longer words are cut. */
export function wrapTitle(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).flatMap((part) => pieces(part, columns))) {
    const last = lines.at(-1)
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= columns) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

function pieces(word: string, columns: number): readonly string[] {
  const letters = Array.from(word)
  const count = Math.ceil(letters.length / columns)
  return Array.from({ length: count }, (_, i) =>
    letters.slice(i * columns, (i + 1) * columns).join(''),
  )
}

/** The smallest box, in pixels, that holds these lines and the caret after the longest. */
export function titleBox(lines: readonly string[], letterPx: number): TitleBox {
  const { advance, lineHeight, caretRoom, foot } = titleMetrics
  const longest = Math.max(0, ...lines.map(lengthOf))
  return {
    width: Math.ceil(longest * advance * letterPx + caretRoom * letterPx),
    height: Math.ceil(lines.length * lineHeight * letterPx + foot * letterPx),
  }
}

/** Bounds the title's length, but not the number of its lines. */
export function titleLines(text: string, variant: TitleVariant): readonly string[] {
  const letters = Array.from(text.trim())
  const { characters } = titleLimits
  const shown =
    letters.length > characters ? `${letters.slice(0, characters - 1).join('')}…` : letters.join('')
  return wrapTitle(shown, shapes[variant].columns)
}

/** Width and height, in pixels, of the drawing that `typedTitleUrl` names, known without fetching it. */
export function typedTitleSize(text: string, variant: TitleVariant): TitleBox {
  return titleBox(titleLines(text, variant), shapes[variant].letterPx)
}

/** The drawing's query, in the names the public typing-image services use; `color` is six hexadecimal digits. */
export function typedTitleQuery(text: string, color: string, variant: TitleVariant): string {
  const { letterPx } = shapes[variant]
  const { width, height } = typedTitleSize(text, variant)
  const separator = text.includes(';') ? '\n' : ';'
  const values = {
    lines: titleLines(text, variant).join(separator),
    ...(separator === ';' ? {} : { separator }),
    color,
    size: letterPx,
    width,
    height,
    multiline: true,
    repeat: false,
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&')
}

/** Where this site draws titles. */
export const typedTitlePath = `/api/${calls.typing}`

/** Address of the title's drawing on this site; another service's is its base with `typedTitleQuery`. */
export function typedTitleUrl(text: string, color: string, variant: TitleVariant): string {
  return `${typedTitlePath}?${typedTitleQuery(text, color, variant)}`
}
