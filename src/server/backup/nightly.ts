import type { Log } from '../log.ts'
import type { Backup, Backups } from './backups.ts'
import { isAhead } from './retention.ts'

const lookEveryMs = 600_000
/** How long after one that failed the next is tried. */
const retryMs = 3_600_000
/** In the server's own time, when visitors and owner sleep. */
const hour = 3

type Alarm = 'failed' | 'damaged' | 'incomplete'

interface NightlyParts {
  readonly backups: Backups
  readonly now: () => Date
  readonly log: Log
  /** Tells the owner that a night passed without a backup, or that one is damaged or the first that lacks pictures; called once a night for each. */
  readonly alarm: (what: Alarm) => Promise<void>
}

/** Makes a backup every night, later where the night's could not be made; returns how to stop. */
export function startNightly(parts: NightlyParts): () => void {
  const look = createNightly(parts)
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** One look at whether a backup is due, and what follows from it. */
export function createNightly({ backups, now, log, alarm }: NightlyParts): () => Promise<void> {
  let alarmedFor = 0
  let checkedFor = 0
  const notify = (what: Alarm) =>
    alarm(what).catch((reason: unknown) => log('alarm-failed', { error: String(reason) }))
  return async () => {
    const since = lastNight(now())
    try {
      const isOfTonight = (backup: Backup) =>
        backup.madeAt >= since && backup.state !== 'damaged' && !isAhead(backup, now())
      if ((await backups.list()).some(isOfTonight)) return
      const { failure } = backups
      const sinceFailure = failure && now().getTime() - failure.at.getTime()
      // Less than none since a clock that was ahead was set right.
      if (sinceFailure !== undefined && sinceFailure >= 0 && sinceFailure < retryMs) return
      // Another process of the site, with the same folder.
      if (await backups.isBeingMade()) return
      if (checkedFor !== since.getTime()) {
        checkedFor = since.getTime()
        // Before one more is made, which lets older ones go.
        if ((await backups.check('all')).length > 0) await notify('damaged')
      }
      const before = (await backups.list()).find(({ state }) => state !== 'damaged')
      const made = await backups.make('night')
      if (made.lacking > (before?.lacking ?? 0)) await notify('incomplete')
    } catch (error) {
      if (alarmedFor === since.getTime()) return
      alarmedFor = since.getTime()
      await notify('failed')
      log('night-without-backup', { error: String(error) })
    }
  }
}

function lastNight(now: Date): Date {
  const night = new Date(now)
  night.setHours(hour, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return night
}
