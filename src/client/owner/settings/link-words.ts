import type { DeadLink } from '#contract/links.ts'
import { fill, locale } from '#contract/text.ts'
import { linkTexts } from '#contract/texts/links.ts'

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' })

/** The day of a moment, in words. */
export function dayOf(moment: string): string {
  return day.format(new Date(moment))
}

/** For a single dead link, says since when. */
export function deadTitle(dead: readonly DeadLink[]): string {
  const [only, ...others] = dead
  if (!only || others.length > 0) return fill(linkTexts.dead, { n: dead.length })
  return fill(linkTexts.deadOne, { date: dayOf(only.since) })
}
