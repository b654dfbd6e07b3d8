/** A stretch of time as JSON Resume has it: years, months or days; without an end it lasts. */
export interface Span {
  readonly start?: string
  readonly end?: string
}

const monthNames = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
] as const
const englishMonths =
  'january february march april may june july august september october november december'.split(' ')

/** Every way to write a month, in Spanish and English, with its number. */
const months = new Map<string, number>(
  [monthNames, englishMonths].flatMap((names) =>
    names.flatMap((name, i) => [[name, i + 1] as const, [name.slice(0, 3), i + 1] as const]),
  ),
)
for (const name of ['sept', 'setiembre', 'set']) months.set(name, 9)

const lasting = new Set('actualidad actual actualmente presente hoy present now current'.split(' '))
/** Whether a text says of an end that there is none yet. */
export const isOngoing = (text: string): boolean => lasting.has(text.trim().toLowerCase())
const betweenMarks = new Set(['–', '—', '-', 'a', 'al', 'hasta', 'to', 'until'])
const beginnings = new Set(['desde', 'from', 'since'])
const fillers = new Set([...beginnings, 'de', 'del', 'la', 'el', 'the'])

/** A text that is longer says more than two dates. */
const longestText = 80
// What programs write of a day may have its hour behind it.
const iso = /^([12]\d{3})(?:-(\d\d)(?:-(\d\d)(?:T[\d:.+Z-]*)?)?)?$/
const slashed = /^(\d{1,2})\/([12]\d{3})$/
const tokens = /[12]\d{3}-\d\d(?:-\d\d)?(?!\d)|\d{1,2}\/\d{4}|\p{L}+|\d+|[–—-]/gu

/** The stretch that a text tells, such as «Marzo 2023 – mayo 2024», «abril a julio de 2022», «desde mar. 2020» or «2019»; undefined where it tells anything else. */
export function parseSpan(text: string): Span | undefined {
  if (text.length > longestText) return undefined
  const said = text.toLowerCase().match(tokens) ?? []
  const found = said.filter((token) => !fillers.has(token))
  const cut = found.findIndex((token) => betweenMarks.has(token))
  if (cut < 0) {
    const only = parseMoment(found)
    if (only === undefined) return undefined
    return beginnings.has(said[0] ?? '') ? { start: only } : { start: only, end: only }
  }
  const [from, to] = [found.slice(0, cut), found.slice(cut + 1)]
  const isLasting = to.length === 1 && lasting.has(to[0] ?? '')
  const end = isLasting ? undefined : parseMoment(to)
  const start = parseMoment(from) ?? monthBefore(from, end)
  if (from.length === 0) return end === undefined ? undefined : { end }
  if (start === undefined || (end === undefined && !isLasting)) return undefined
  return { start, ...(end !== undefined && { end }) }
}

/** The date that a text tells, as JSON Resume has it; undefined for anything else. */
export function parseDate(text: string): string | undefined {
  if (text.length > longestText) return undefined
  return parseMoment((text.toLowerCase().match(tokens) ?? []).filter((one) => !fillers.has(one)))
}

/** A month that leaves its year to a later month of the same one. */
function monthBefore([name = '', ...others]: readonly string[], end = ''): string | undefined {
  const month = others.length > 0 ? undefined : months.get(name)
  const [, year = '', last] = iso.exec(end) ?? []
  return month !== undefined && month <= Number(last ?? 0) ? dated(year, month) : undefined
}

function parseMoment(words: readonly string[]): string | undefined {
  const [first = '', second = '', ...others] = words
  if (others.length > 0) return undefined
  if (second === '') {
    const [, month, year] = slashed.exec(first) ?? []
    if (month !== undefined) return dated(year ?? '', Number(month))
    return isDate(first) ? first : undefined
  }
  const month = months.get(first)
  return month !== undefined && /^[12]\d{3}$/.test(second) ? dated(second, month) : undefined
}

function dated(year: string, month: number): string | undefined {
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}` : undefined
}

/** Whether the text is a date of JSON Resume's that the calendar has. */
function isDate(text: string): boolean {
  const [, , month, day] = iso.exec(text) ?? [undefined, undefined, '00', undefined]
  if (month === '00') return false
  return Number(month ?? 1) <= 12 && Number(month ?? 1) >= 1 && Number(day ?? 1) <= 31
}

/** The stretch in words, on at most `limit` characters where short months are enough for that. */
export function spanText({ start, end }: Span, limit = Infinity): string {
  const long = inWords({ start, end }, { month: (n) => monthNames[n - 1] ?? '', now: 'actualidad' })
  if (long.length <= limit) return long
  return inWords({ start, end }, { month: (n) => monthNames[n - 1]?.slice(0, 3) ?? '', now: 'hoy' })
}

interface Words {
  readonly month: (number: number) => string
  readonly now: string
}

function inWords(
  { start, end }: { readonly start: string | undefined; readonly end: string | undefined },
  words: Words,
): string {
  const [from, to] = [start, end].map((date) => (date ? momentText(date, words) : ''))
  if (!from) return to ? `Hasta ${to}` : ''
  if (from === to) return capital(from)
  return capital(`${from} – ${to || words.now}`)
}

function momentText(date: string, { month }: Words): string {
  const [, year, number] = iso.exec(date) ?? []
  // A date that no calendar has is shown as it came.
  if (year === undefined || !isDate(date)) return date
  return number === undefined ? year : `${month(Number(number))} ${year}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
