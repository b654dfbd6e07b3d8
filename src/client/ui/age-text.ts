import { locale } from '#contract/text.ts'
import { outboxTexts } from '#contract/texts/outbox.ts'

const minuteMs = 60_000
const steps = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const

/** Begins a line: «Hace 2 min»; a clock set back counts as now. */
export function sinceText(madeAt: string, now: number): string {
  const text = agoText(now - Date.parse(madeAt))
  return text === undefined ? outboxTexts.now : text.charAt(0).toUpperCase() + text.slice(1)
}

/** Stands within a line: «hace 2 min»; undefined under a minute. */
export function agoText(age: number): string | undefined {
  const [unit, unitMs] = steps.find(([, ms]) => age >= ms) ?? []
  if (unit === undefined) return undefined
  const words = new Intl.RelativeTimeFormat(locale, {
    style: unit === 'day' ? 'long' : 'short',
  })
  return words.format(-Math.floor(age / unitMs), unit)
}

/** Minutes and seconds, `0:28`; undefined when the time is over. */
export function clockText(until: number, now: number): string | undefined {
  const seconds = Math.ceil((until - now) / 1_000)
  if (seconds <= 0) return undefined
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
