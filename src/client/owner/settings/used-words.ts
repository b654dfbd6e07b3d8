import { dayMs, hourMs } from '#contract/durations.ts'
import { fill, locale } from '#contract/text.ts'
import { accessTexts } from '#contract/texts/access.ts'
import { dateText } from '#client/ui/date-text.ts'

const minuteMs = 60_000

/** Says how long ago it was within a day, else the date, with the year once it is another one. */
export function usedWords(seenAt: string, now: number): string {
  const ago = now - Date.parse(seenAt)
  if (ago < minuteMs) return accessTexts.now
  const relative = new Intl.RelativeTimeFormat(locale)
  if (ago < hourMs) return relative.format(-Math.floor(ago / minuteMs), 'minute')
  if (ago < dayMs) return relative.format(-Math.floor(ago / hourMs), 'hour')
  return fill(accessTexts.usedOn, { date: dateText(seenAt, now) })
}
