import { hourMs } from '#contract/durations.ts'
import { transact } from '../db/transact.ts'
import type { Services } from '../services.ts'
import type { Backup } from './backup-files.ts'
import { isAhead } from './retention.ts'
import { notifyOnce, type Alarm, type AlarmOptions } from './told-alarms.ts'

const lookEveryMs = 600_000
/** How long after one that failed the next is tried. */
const retryMs = hourMs
/** In the server's own time, when visitors and owner sleep. */
const hour = 3

interface NightlyOptions
  extends Pick<Services, 'backups' | 'db' | 'now' | 'log' | 'jobs'>, Pick<AlarmOptions, 'notify'> {}

/** Makes a backup every night, later where the night's could not be made; returns how to stop. */
export function startNightly(options: NightlyOptions): () => void {
  const look = createNightly(options)
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** One look at whether a backup is due, and what follows from it. */
export function createNightly(options: NightlyOptions): () => Promise<void> {
  const { backups, db, now, log, jobs, notify } = options
  let checkedFor = 0
  const alarm = async (what: Alarm, about: readonly string[]) => {
    try {
      // Once more is right whatever became of the first: what was told is not told again.
      await transact(db, (t) => notifyOnce(t, { what, about, now: now(), notify }), {
        repeatable: true,
      })
      jobs.wake()
    } catch (error) {
      log('alarm-failed', { error: String(error) })
    }
  }
  const look = async () => {
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
        await alarm('damaged', await backups.check('all'))
      }
      await alarm('incomplete', (await backups.make('night')).lackingPictures)
    } catch (error) {
      log('night-without-backup', { error: String(error) })
      await alarm('failed', [since.toISOString()])
    }
  }
  let running: Promise<void> | undefined
  // To read the older ones through may take longer than the time between two looks.
  return () => (running ??= look().finally(() => (running = undefined)))
}

function lastNight(now: Date): Date {
  const night = new Date(now)
  night.setHours(hour, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return night
}
