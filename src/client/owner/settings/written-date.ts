import { locale } from '#contract/text.ts'

const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const months = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2026, month, 1),
  ),
)

/** Takes a calendar day («2026-12-31»); any other text stays as it is. */
export function dateInWords(day: string): string {
  const at = Date.parse(`${day}T00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at) ? longDate.format(at) : day
}

/**
 * Returns the calendar's form («2026-12-31») of a day in words («31 de diciembre de 2026», the year may be left out for
 * the next one to come) or in numbers («31/12/2026»). Any other text stays as it is, for the check to refuse.
 */
export function dayTyped(typed: string, today: Date): string {
  const words = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [, day, name = '', year] = /^(\d{1,2}) de ([a-z]+)(?: de (\d{4}))?$/.exec(words) ?? []
  const month = months.indexOf(name === 'setiembre' ? 'septiembre' : name) + 1
  if (day && month > 0) {
    const ofYear = (asked: number) => dayOf(asked, month, Number(day))
    if (year) return ofYear(Number(year))
    const next = ofYear(today.getFullYear())
    return next < isoDay(today) ? ofYear(today.getFullYear() + 1) : next
  }
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(words)
  return numbers ? dayOf(Number(numbers[3]), Number(numbers[2]), Number(numbers[1])) : typed.trim()
}

function dayOf(year: number, month: number, day: number): string {
  return [String(year).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-')
}

function isoDay(date: Date): string {
  return dayOf(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

const twoDigits = (number: number) => String(number).padStart(2, '0')
