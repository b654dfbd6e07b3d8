import { join } from 'node:path'
import { isDiskFull } from '../disk/disk.ts'
import type { BackupFault } from '#contract/backups.ts'
import type { Log } from '../log.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { createBackupFiles, type Backup } from './backup-files.ts'
import {
  lackingIn,
  picturesLackingIn,
  stampOf,
  type BackupReason,
  type Manifest,
} from './manifest.ts'
import { UnusableBackup } from './read-backup.ts'
import { isNeeded, noLongerKept } from './retention.ts'
import { OtherTables, writeBackup, type BackupOf } from './write-backup.ts'

interface MadeBackup extends Backup {
  /** Which pictures it has not as they were stored. */
  readonly lackingPictures: readonly string[]
  /** How many of the database's rows refer to none that is there. */
  readonly loose: number
}

/** What went wrong with the last one that was tried. */
interface BackupFailure {
  readonly at: Date
  readonly reason: BackupReason
  readonly why: BackupFault
}

/** The site's backups, newest first, in one folder. */
export interface Backups {
  list(): Promise<readonly Backup[]>
  /** Reads every file again that this process has not found whole or damaged, or all of them; the names of those that are damaged. */
  check(which: 'new' | 'all'): Promise<readonly string[]>
  /** Whether a process is writing one into the folder. */
  isBeingMade(): Promise<boolean>
  /**
   * Makes one more and lets those go that are no longer kept. Throws when it could not be made, or would not be of the
   * migration that is named; the older ones stay.
   */
  make(reason: BackupReason, migration?: string): Promise<MadeBackup>
  /** Deletes the one of this name and answers what it was, unless there is none or no other good one would be left. */
  remove(name: string): Promise<Backup | 'unknown' | 'needed'>
  /** Where the backup of this name lies; undefined when there is none. */
  find(name: string): Promise<string | undefined>
  /** What went wrong the last time, until one is made. */
  readonly failure: BackupFailure | undefined
}

interface BackupsOptions extends Pick<BackupOf, 'database' | 'media'> {
  readonly folder: string
  readonly now: () => Date
  readonly log: Log
}

/**
 * How many go with one that is made: as many as a night makes room of. Those from a clock that was behind are the latest that there
 * are, and all at once the oldest by their names when it is set right.
 */
const mostGoing = 2

/** The backups of one folder: made, read through and cleared away, one job at a time. */
export function createBackups({ folder, now, log, ...site }: BackupsOptions): Backups {
  const queue = createSerialQueue()
  const files = createBackupFiles(folder, log)
  let failure: Backups['failure']
  /** Removes the oldest of what is no longer kept, once those that stay in its stead have been read. */
  const letGo = async () => {
    if (noLongerKept(await files.list(), now()).length === 0) return
    for (const { name } of await files.list()) await files.isDamaged(name, 'new')
    for (const { name } of noLongerKept(await files.list(), now()).slice(-mostGoing)) {
      const isOver = (all: readonly Backup[]) =>
        noLongerKept(all, now()).some((each) => each.name === name)
      await files.removeIf(name, isOver, now())
    }
  }
  return {
    list: files.list,
    async check(which) {
      const damaged: string[] = []
      // One at a time, so that what is asked for meanwhile comes between.
      for (const { name } of await files.list()) {
        if (await queue(() => files.isDamaged(name, which))) damaged.push(name)
      }
      return damaged
    },
    isBeingMade: () => files.isBeingMade(now()),
    make: (reason, migration) =>
      queue(async () => {
        const moment = now()
        try {
          const name = `tintero-${stampOf(moment)}-${reason}.zip`
          // First: they may be what there is no room for.
          await files.sweepUnfinished(moment)
          const about = { ...site, now: moment, reason, migration }
          const manifest = await writeBackup(join(folder, name), about)
          sayLacking(manifest, log)
          const { loose } = manifest
          if (loose > 0) log('backup-loose-rows', { name, loose })
          const made = await files.noteMade(name, lackingIn(manifest))
          // Only now: whatever failed before has left the older ones. Another process may do the same.
          await letGo()
          log('backup-made', { name, reason, bytes: made.bytes })
          failure = undefined
          return { ...made, lackingPictures: picturesLackingIn(manifest), loose }
        } catch (error) {
          if (error instanceof OtherTables) throw error
          failure = { at: moment, reason, why: faultOf(error) }
          log('backup-failed', { reason, error: String(error) })
          throw error
        }
      }),
    remove: (name) =>
      queue(async () => {
        const chosen = (await files.list()).find((each) => each.name === name)
        if (!chosen) return 'unknown'
        for (const other of await files.list()) {
          if (!isNeeded(chosen, await files.list())) break
          if (other.name !== name) await files.isDamaged(other.name, 'new')
        }
        const isSpare = (all: readonly Backup[]) => !isNeeded(chosen, all)
        if (!(await files.removeIf(name, isSpare, now()))) return 'needed'
        log('backup-removed', { name, bytes: chosen.bytes })
        return chosen
      }),
    find: files.find,
    get failure() {
      return failure
    },
  }
}

/** Tells the operator which pictures a backup could not take as they were stored. */
function sayLacking({ missing, damaged }: Manifest, log: Log): void {
  if (missing.length + damaged.length === 0) return
  const examples = [...missing, ...damaged].slice(0, mostNamed).join(' ')
  log('backup-without-pictures', { missing: missing.length, damaged: damaged.length, examples })
}

const mostNamed = 20

function faultOf(error: unknown): BackupFault {
  if (error instanceof UnusableBackup) return 'unreadable'
  return isDiskFull(error) ? 'full' : 'other'
}
