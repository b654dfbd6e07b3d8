import { clocksMs, dayMs, hourMs } from '#contract/durations.ts'
import type { Backup } from './backup-files.ts'

/* Which backups stay, and which make room. */

const keptDays = 7
const keptWeeks = 4

const day = ({ madeAt }: Backup) => Math.floor(madeAt.getTime() / dayMs)
// 1970 began on a Thursday.
const week = (backup: Backup) => Math.floor((day(backup) + 3) / 7)

/**
 * Whether its moment is yet to come: it was made while the clock was ahead. It is as good as any to restore, but until then
 * it stands for no night, day or week of the site's.
 */
export function isAhead({ madeAt }: Backup, now: Date): boolean {
  return madeAt.getTime() > now.getTime() + clocksMs
}

/**
 * Those of the backups, newest first, that are neither the last of one of seven days or of four weeks nor the last before an
 * update. What the last 24 hours brought stays: one made before a mistake is not to go for the one made after it; the
 * night's alone goes for one that was made within the hour. A damaged one takes no place of a good one, and stays as long as
 * it may still be of use to somebody; one that lacks pictures takes none of a complete one. One whose moment is yet to come
 * takes none and stays.
 */
export function noLongerKept(all: readonly Backup[], now: Date): readonly Backup[] {
  const backups = all.filter((backup) => !isAhead(backup, now))
  const good = backups.filter(({ state }) => state !== 'damaged')
  const [newest] = good
  const age = ({ madeAt }: Backup) => now.getTime() - madeAt.getTime()
  // Another of the same hour says all that it says.
  const isRepeated = (backup: Backup) =>
    backup.reason === 'night' &&
    newest !== undefined &&
    newest !== backup &&
    age(backup) - age(newest) < hourMs
  const isOfToday = (backup: Backup) => age(backup) < dayMs && !isRepeated(backup)
  const complete = good.filter(({ lacking }) => lacking === 0)
  const kept = new Set([
    ...[good, complete].flatMap((ones) => [
      ...newestOf(ones, day, keptDays),
      ...newestOf(ones, week, keptWeeks),
    ]),
    // The way back to the version before, whatever was made since.
    good.find(({ reason }) => reason === 'update'),
  ])
  return backups.filter((backup) => {
    if (isOfToday(backup)) return false
    if (backup.state !== 'damaged') return !kept.has(backup)
    return newest !== undefined && day(newest) - day(backup) > 7 * keptWeeks
  })
}

/** Whether it must stay: no other one is known to be whole and to lack no more. A damaged one is of no such use. */
export function isNeeded({ name, state, lacking }: Backup, all: readonly Backup[]): boolean {
  if (state === 'damaged') return false
  const isAsGood = (other: Backup) =>
    other.name !== name && other.state === 'whole' && (other.lacking === 0 || lacking > 0)
  return !all.some(isAsGood)
}

/** Whether it stays for its week: the last seven days have newer ones. */
export function isWeekly(backup: Backup, all: readonly Backup[], now: Date): boolean {
  if (backup.reason !== 'night' || isAhead(backup, now)) return false
  const backups = all.filter((other) => !isAhead(other, now))
  return !newestOf(backups, day, keptDays).includes(backup)
}

function newestOf(
  backups: readonly Backup[],
  period: (backup: Backup) => number,
  most: number,
): readonly Backup[] {
  const newest = new Map<number, Backup>()
  for (const backup of backups) {
    if (!newest.has(period(backup))) newest.set(period(backup), backup)
  }
  return [...newest.values()].slice(0, most)
}
