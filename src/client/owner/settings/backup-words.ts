import type { BackupStatus, BackupTrouble } from '#contract/backups.ts'
import { fill, locale } from '#contract/text.ts'
import { copiesTexts } from '#contract/texts/copies.ts'
import { dateText, nightsBetween, timeText } from '#client/ui/date-text.ts'

/** «21 de noviembre, 03:10», with the year once it is another one. */
export function momentText(at: string, now: number): string {
  const [date, time] = [dateText(at, now), timeText(at)]
  return fill(copiesTexts.on, { date, time })
}

/** Fits within a sentence, with words for today and yesterday. */
export function recentText(at: string, now: number): string {
  const days = nightsBetween(at, now)
  if (days > 1) return momentText(at, now)
  return fill(days < 1 ? copiesTexts.today : copiesTexts.yesterday, { time: timeText(at) })
}

/** Written like the owner's other weights. */
export function weightText(bytes: number): string {
  const { kilobytes, megabytes } = copiesTexts
  if (bytes < 1_000_000) return fill(kilobytes, { n: written(Math.ceil(bytes / 1000), 0) })
  return fill(megabytes, { n: written(bytes / 1_000_000, 1) })
}

function written(value: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return value.toLocaleString(locale, options)
}

/** What is wrong with the backups, in a sentence without its full stop. */
export function troubleTitle(
  trouble: BackupTrouble,
  { lastGood }: BackupStatus,
  now: number,
): string {
  if (trouble.is === 'full') return copiesTexts.full
  if (trouble.is === 'damaged') return copiesTexts.damaged
  if (trouble.is === 'incomplete') {
    const { incompleteOne, incompleteMany } = copiesTexts
    return fill(trouble.lacking === 1 ? incompleteOne : incompleteMany, { n: trouble.lacking })
  }
  if (trouble.is === 'overdue') {
    return fill(copiesTexts.overdue, { n: lastGood === null ? 0 : nightsBetween(lastGood, now) })
  }
  if (trouble.is === 'ahead') return fill(copiesTexts.ahead, { date: dateText(trouble.at, now) })
  return trouble.is === 'unread' ? copiesTexts.unread : failedTitle(trouble, now)
}

function failedTitle(
  { at, reason }: Extract<BackupTrouble, { is: 'failed' }>,
  now: number,
): string {
  const isTonights = reason === 'night' && nightsBetween(at, now) === 0
  return isTonights ? copiesTexts.nightFailed : copiesTexts.lastFailed
}

/** When the last good backup was made, without a full stop; `checked` says that it was also read through. */
export function goodWords(
  { lastGood, trouble }: BackupStatus,
  now: number,
  checked = false,
): string {
  const { goodOne, goodOneChecked, noGoodOne, lastComplete, noComplete } = copiesTexts
  if (trouble?.is === 'unread') return copiesTexts.advice.other
  const isIncomplete = trouble?.is === 'incomplete'
  if (lastGood === null) return isIncomplete ? noComplete : noGoodOne
  if (isIncomplete) return fill(lastComplete, { date: dateText(lastGood, now) })
  return fill(checked ? goodOneChecked : goodOne, { date: dateText(lastGood, now) })
}
