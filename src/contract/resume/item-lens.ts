import type { FieldValues, Field, Fields } from '../fields.ts'
import { isObject, type JsonObject } from '../json.ts'
import { safeHref } from '../link.ts'
import { isStorable } from '../text.ts'
import { cleanValue } from '../validate.ts'
import { parseDate, parseSpan, spanText, type Span } from './resume-dates.ts'

/**
 * One text of the site within an item of a résumé. What `put` cannot say so that `get` says it again travels beside it,
 * under the product's own name.
 */
export interface Lens {
  get(item: JsonObject): string
  put(item: JsonObject, text: string): JsonObject
}

/** Where an item has what the format has no place for. */
const ownName = 'x-tintero'

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function withValue(item: JsonObject, name: string, value: unknown): JsonObject {
  const { [name]: _, ...rest } = item
  return value === undefined || value === '' ? rest : { ...rest, [name]: value }
}

/** A text under a name; the empty text takes the name out of the item. */
export const textAt = (name: string): Lens => ({
  get: (item) => textOf(item[name]),
  put: (item, text) => withValue(item, name, text),
})

/** An address under a name; a text that is no address stays out of the format. */
export const linkAt = (name: string): Lens => ({
  get: (item) => textOf(item[name]),
  put: (item, text) => withValue(item, name, webAddressOf(text)),
})

/** A text that older files have under another name; once it is changed it stands under its own alone. */
export const formerlyAt = (before: string, lens: Lens): Lens => ({
  get: (item) => lens.get(item) || textOf(item[before]),
  put: (item, text) => withValue(lens.put(item, text), before, undefined),
})

/** What RFC 3986 has in no address as it is. */
const foreignToAddresses = /[^\u0021-\u007e]|[[\]]|%(?![0-9a-f]{2})/giu

/** The address that a link leads to, as the format wants it; undefined for what is none. */
export function webAddressOf(text: string): string | undefined {
  // Half a character has no spelling in an address.
  const href = text.isWellFormed() ? safeHref(text) : undefined
  return href?.replace(foreignToAddresses, encodeURIComponent)
}

/** Without `www.`; empty for an address that names no host. */
export const hostOf = (url: string) => url.split(/[/?#]/)[2]?.replace(/^www\./, '') ?? ''

/** A text that the format has no place for. */
export const ownText: Lens = { get: () => '', put: (item) => item }

/** Two dates as words; short ones where the field is. */
export const spanAt = (limit?: number): Lens => ({
  get: ({ startDate, endDate }) => spanText(spanOf(startDate, endDate), limit),
  put: (item, text) => {
    const { start, end } = parseSpan(text) ?? {}
    return withValue(withValue(item, 'startDate', start), 'endDate', end)
  },
})

function spanOf(start: unknown, end: unknown): Span {
  return { start: dateOf(start), end: dateOf(end) }
}

/** In files that were another format before a year may be a number; a larger one counts what nobody would read. */
function dateOf(value: unknown): string {
  return typeof value === 'number' && value < 3000 ? String(value) : textOf(value)
}

/** A date as words; a text that tells no date takes the name out of the item. */
export const dateAt = (name: string): Lens => ({
  get: (item) => {
    const date = dateOf(item[name])
    return spanText({ start: date, end: date })
  },
  put: (item, text) => withValue(item, name, parseDate(text)),
})

/** The words of a study: what it was and in what. */
export const studyName: Lens = {
  get: ({ studyType, area }) => [textOf(studyType), textOf(area)].filter(Boolean).join(', '),
  put: (item, text) => withValue(withValue(item, 'studyType', undefined), 'area', text),
}

/** What a study consisted of, line by line, and how it ended, which older files have as `gpa`. */
export const studyContent: Lens = {
  get: ({ courses, score, gpa }) => {
    const lines: readonly unknown[] = Array.isArray(courses) ? courses : []
    return [...lines, textOf(score) || gpa].map(textOf).filter(Boolean).join('\n')
  },
  put: (item, text) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const courses = lines.length > 0 ? lines : undefined
    const { score: _score, gpa: _gpa, ...rest } = item
    return withValue(rest, 'courses', courses)
  },
}

export type Lenses = Readonly<Record<string, Lens>>

// Control characters other than tab and line feed, which no database of ours takes.
// oxlint-disable-next-line no-control-regex -- naming control characters is this pattern's purpose
const unreadable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/gu

/** A foreign text as the field can hold it; one that cannot be stored at all counts as none. */
function heldBy(field: Field, text: string): string {
  const cleaned = cleanValue(field, text.toWellFormed().replace(unreadable, ''))
  return isStorable(cleaned) ? cleaned : ''
}

/** What stands under the product's own name counts before what the format says; each text is cleaned for its field. */
export function readItem(fields: Fields, lenses: Lenses, item: JsonObject): FieldValues {
  return Object.fromEntries(
    Object.entries(lenses).flatMap(([name, lens]) => {
      const field = fields[name]
      const own = ownOf(item)[name]
      const text = typeof own === 'string' ? own : lens.get(item)
      return field === undefined ? [] : [[name, heldBy(field, text)]]
    }),
  )
}

/** The item saying what the values say; what has not changed stays in it letter by letter. */
export function writeItem(
  fields: Fields,
  lenses: Lenses,
  { item, values }: { readonly item: JsonObject; readonly values: FieldValues },
): JsonObject {
  const before = readItem(fields, lenses, item)
  const changed = Object.keys(before).filter((name) => before[name] !== (values[name] ?? ''))
  return changed.reduce((written, name) => {
    const lens = lenses[name]
    const value = values[name] ?? ''
    if (!lens) return written
    const put = lens.put(withOwn(written, name, undefined), value)
    const field = fields[name]
    const isSaid = field !== undefined && heldBy(field, lens.get(put)) === value
    return isSaid ? put : withOwn(put, name, value)
  }, item)
}

function ownOf(item: JsonObject): JsonObject {
  const own = item[ownName]
  return isObject(own) ? own : {}
}

function withOwn(item: JsonObject, name: string, value: string | undefined): JsonObject {
  if (value === undefined && !(name in ownOf(item))) return item
  const { [name]: _, ...rest } = ownOf(item)
  const own = value === undefined ? rest : { ...rest, [name]: value }
  return withValue(item, ownName, Object.keys(own).length > 0 ? own : undefined)
}
