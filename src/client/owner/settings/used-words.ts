import { fill, locale } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Says how long ago it was within a day, else the date, with the year once it is another one. */
export function usedWords(seenAt: string, now: number): string {
  const at = new Date(seenAt)
  const ago = now - at.getTime()
  if (ago < minuteMs) return accessTexts.now
  const relative = new Intl.RelativeTimeFormat(locale)
  if (ago < hourMs) return relative.format(-Math.floor(ago / minuteMs), 'minute')
  if (ago < dayMs) return relative.format(-Math.floor(ago / hourMs), 'hour')
  return fill(accessTexts.usedOn, { date: dateWords(at, now) })
}

/** A date in words. */
function dateWords(at: Date, now: number): string {
  const isThisYear = at.getFullYear() === new Date(now).getFullYear()
  const year = isThisYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', ...year }).format(at)
}
