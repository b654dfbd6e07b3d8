import { dayMs } from '#contract/durations.ts'
import { locale } from '#contract/text.ts'

/** «21 de noviembre», with the year once it is another one. */
export function dateText(at: string, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const year = isThisYear ? undefined : ('numeric' as const)
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year }).format(
    new Date(at),
  )
}

/** The time of day of a moment, with hours and minutes. */
export function timeText(at: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hour12: false } as const
  return new Intl.DateTimeFormat(locale, options).format(new Date(at))
}

/** Calendar days, by this device's calendar; negative where the clock was set back. */
export function nightsBetween(from: string, to: number): number {
  return Math.round((noonOf(new Date(to)) - noonOf(new Date(from))) / dayMs)
}

const noonOf = (date: Date) => date.setHours(12, 0, 0, 0)
