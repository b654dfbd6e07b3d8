import { defaultSettings } from '#contract/settings/defaults.ts'
import { valueErrors } from '#contract/texts/value-errors.ts'
import { fieldErrors } from '#contract/texts/site.ts'
import { fill, isStorable, lengthOf } from '#contract/text.ts'
import { titleBox, titleLimits, titleMetrics, wrapTitle } from '#contract/typed-title.ts'
import { Problem } from '../problem.ts'
import type { TitleDrawing } from './typed-title.ts'

const numbers = {
  size: { min: 8, max: 120 },
  width: { min: 20, max: 2000 },
  height: { min: 10, max: 2000 },
  pause: { min: 0, max: 10_000 },
} as const

const defaultSize = 36
const defaultColumns = 44

/**
 * The drawing a query asks for, in the names of the public typing-image services: `lines` (parted by `;` or `separator`),
 * `color`, `size`, `width`, `height`, `center`, `pause`. Whatever else they know, such as `font`, changes nothing here.
 * Throws `Problem` with one message per wrong value.
 */
export function parseDrawing(query: URLSearchParams): TitleDrawing {
  const errors: Record<string, string> = {}
  const numberOf = (name: keyof typeof numbers) => {
    const { [name]: range } = numbers
    const value = query.get(name) ?? ''
    if (value === '') return undefined
    const isWithin = /^\d{1,5}$/.test(value) && +value >= range.min && +value <= range.max
    if (isWithin) return Number(value)
    errors[name] = fill(valueErrors.number, range)
    return undefined
  }
  const letterPx = numberOf('size') ?? defaultSize
  const width = numberOf('width')
  const height = numberOf('height')
  const pauseMs = numberOf('pause') ?? 0
  const color = (query.get('color') || defaultSettings.typing_color_light).toLowerCase()
  if (!/^[0-9a-f]{6}$/.test(color)) errors['color'] = valueErrors.color
  const lines = linesOf(query, columnsIn(width, letterPx))
  const wrongLines = errorOf(lines)
  if (wrongLines) errors['lines'] = wrongLines
  if (Object.keys(errors).length > 0) throw new Problem('datos-no-validos', { errors })
  const box = titleBox(lines, letterPx)
  const size = { width: width ?? box.width, height: height ?? box.height }
  return { lines, color, letterPx, ...size, centered: query.get('center') === 'true', pauseMs }
}

/** The lines without blank ones, broken where they are wider than the picture. */
function linesOf(query: URLSearchParams, columns: number): readonly string[] {
  const text = query.get('lines') ?? ''
  // Bounded before it is taken apart: one character more is enough to be refused.
  const bounded = text.slice(0, 4 * titleLimits.characters)
  return bounded.split(query.get('separator') || ';').flatMap((line) => wrapTitle(line, columns))
}

function errorOf(lines: readonly string[]): string | undefined {
  const { characters, lines: most } = titleLimits
  if (lines.length === 0) return fieldErrors.required
  if (!lines.every(isStorable)) return fieldErrors.unreadable
  if (lines.length > most || lines.reduce((sum, line) => sum + lengthOf(line), 0) > characters) {
    return fill(fieldErrors.tooLong, { n: characters })
  }
  return undefined
}

/** How many letters of this size fit beside the caret; the sliver keeps 25 from reading as 24.999. */
function columnsIn(width: number | undefined, letterPx: number): number {
  if (width === undefined) return defaultColumns
  const { caretRoom, advance } = titleMetrics
  return Math.max(1, Math.floor((width / letterPx - caretRoom) / advance + 1e-6))
}
