import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../disk/disk.ts'
import { createJobQueue } from '../images/job-queue.ts'
import type { BackupFault, ListedBackup } from '#contract/backups.ts'
import { hourMs } from '#contract/durations.ts'
import type { Log } from '../log.ts'
import {
  backupReasons,
  lackingIn,
  picturesLackingIn,
  type BackupReason,
  type Manifest,
} from './manifest.ts'
import { openBackup, UnusableBackup, verifyBackup } from './read-backup.ts'
import { stampOf } from './restore.ts'
import { isNeeded, noLongerKept } from './retention.ts'
import { writeBackup, type BackupOf } from './write-backup.ts'

/** A backup that was read back and found whole when it was made. */
export interface Backup {
  /** Its file name. */
  readonly name: string
  readonly madeAt: Date
  readonly reason: BackupReason
  readonly bytes: number
  /** What its file was found to be since; a disk may have changed it. */
  readonly state: ListedBackup['state']
  /** How many pictures it has not as they were stored. */
  readonly lacking: number
}

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
  /** Makes one more and lets those go that are no longer kept. Throws when it could not be made; the older ones stay. */
  make(reason: BackupReason): Promise<MadeBackup>
  /** Deletes the one of this name and answers what it was, unless there is none or no other good one would be left. */
  remove(name: string): Promise<Backup | 'unknown' | 'needed'>
  /** Where the backup of this name lies; undefined when there is none. */
  find(name: string): Promise<string | undefined>
  /** What went wrong the last time, until one is made. */
  readonly failure: BackupFailure | undefined
}

interface BackupsParts extends Pick<BackupOf, 'database' | 'media'> {
  readonly folder: string
  readonly now: () => Date
  readonly log: Log
}

const named = new RegExp(
  `^tintero-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z-(${backupReasons.join('|')})\\.zip$`,
)

/** The backups of one folder: made, listed, read through and cleared away, one job at a time. */
export function createBackups({ folder, now, log, ...site }: BackupsParts): Backups {
  const queue = createJobQueue()
  const found = createFindings()
  let failure: Backups['failure']
  const list = async () => {
    const names = await namesIn(folder)
    const files = (await Promise.all(names.map((name) => describe(folder, name)))).filter(
      (file) => file !== undefined,
    )
    for (const file of files) {
      if (found.knows(file)) continue
      // What one lacks it says itself: until it is read through it must not pass for complete.
      const lacking = await readLacking(join(folder, file.name))
      // A check may have been quicker.
      if (!found.knows(file)) found.note(file, { state: 'checking', lacking })
    }
    return files
      .map((file): Backup => ({ ...file, ...found.of(file) }))
      .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  }
  /** Whether it is damaged. */
  const checkOne = async (name: string, which: 'new' | 'all') => {
    const file = await describe(folder, name)
    if (!file) return false
    const { state } = found.of(file)
    if (which === 'new' && state !== 'checking') return state === 'damaged'
    const { fault, lacking } = await readThrough(join(folder, name))
    // Old ones go while others are read.
    if (fault !== undefined && !(await describe(folder, name))) return false
    const isNews = fault !== undefined && found.of(file).state !== 'damaged'
    found.note(file, { state: fault === undefined ? 'whole' : 'damaged', lacking })
    if (isNews) log('backup-damaged', { name, error: fault })
    return fault !== undefined
  }
  /** Removes what is no longer kept, once those that stay in its stead have been read. */
  const letGo = async () => {
    if (noLongerKept(await list(), now()).length === 0) return
    for (const { name } of await list()) await checkOne(name, 'new')
    for (const { name } of noLongerKept(await list(), now())) {
      await rm(join(folder, name), { force: true })
    }
  }
  return {
    list,
    async check(which) {
      const damaged: string[] = []
      // One at a time, so that what is asked for meanwhile comes between.
      for (const { name } of await list()) {
        if (await queue(() => checkOne(name, which))) damaged.push(name)
      }
      return damaged
    },
    isBeingMade: async () => {
      for (const name of (await namesIn(folder)).filter((each) => unfinished.test(each))) {
        const partial = await stat(join(folder, name)).catch(() => undefined)
        // The clock may have been ahead.
        if (partial && Math.abs(now().getTime() - partial.mtimeMs) < stalledMs) return true
      }
      return false
    },
    make: (reason) =>
      queue(async () => {
        const moment = now()
        try {
          const name = `tintero-${stampOf(moment)}-${reason}.zip`
          // First: they may be what there is no room for.
          await sweepUnfinished(folder, moment)
          const manifest = await writeBackup(join(folder, name), { ...site, now: moment, reason })
          sayLacking(manifest, log)
          const { loose } = manifest
          if (loose > 0) log('backup-loose-rows', { name, loose })
          const made = await describe(folder, name)
          if (!made) throw new Error(`${name} has disappeared`)
          found.note(made, { state: 'whole', lacking: lackingIn(manifest) })
          // Only now: whatever failed before has left the older ones. Another process may do the same.
          await letGo()
          log('backup-made', { name, reason, bytes: made.bytes })
          failure = undefined
          const lackingPictures = picturesLackingIn(manifest)
          return { ...made, ...found.of(made), lackingPictures, loose }
        } catch (error) {
          failure = { at: moment, reason, why: faultOf(error) }
          log('backup-failed', { reason, error: String(error) })
          throw error
        }
      }),
    remove: (name) =>
      queue(async () => {
        const chosen = (await list()).find((each) => each.name === name)
        if (!chosen) return 'unknown'
        for (const other of await list()) {
          if (!isNeeded(chosen, await list())) break
          if (other.name !== name) await checkOne(other.name, 'new')
        }
        if (isNeeded(chosen, await list())) return 'needed'
        await rm(join(folder, name))
        log('backup-removed', { name, bytes: chosen.bytes })
        return chosen
      }),
    find: async (name) =>
      (await describe(folder, name)) === undefined ? undefined : join(folder, name),
    get failure() {
      return failure
    },
  }
}

/** A file of the folder, as its name and the disk describe it. */
interface BackupFile extends Omit<Backup, keyof Finding> {
  readonly changedMs: number
}

const markOf = ({ bytes, changedMs }: BackupFile) => `${bytes} ${changedMs}`

/** What the files were found to be; one that has been changed since has to be read again. */
function createFindings() {
  const findings = new Map<string, { readonly mark: string; readonly finding: Finding }>()
  return {
    knows: (file: BackupFile) => findings.get(file.name)?.mark === markOf(file),
    of(file: BackupFile): Finding {
      const noted = findings.get(file.name)
      return noted?.mark === markOf(file) ? noted.finding : { state: 'checking', lacking: 0 }
    },
    note(file: BackupFile, finding: Finding): void {
      findings.set(file.name, { mark: markOf(file), finding })
    },
  }
}

/** What was learned of a file by reading it. */
type Finding = Pick<Backup, 'state' | 'lacking'>

/** Tells the operator which pictures a backup could not take as they were stored. */
function sayLacking({ missing, damaged }: Manifest, log: Log): void {
  if (missing.length + damaged.length === 0) return
  const examples = [...missing, ...damaged].slice(0, mostNamed).join(' ')
  log('backup-without-pictures', { missing: missing.length, damaged: damaged.length, examples })
}

const mostNamed = 20

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // A file in the folder's place is told by the backup that cannot be made there.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

const unfinished = /^\.tintero-.*\.partial$/
/** What has not grown for so long nobody is writing any more. */
const stalledMs = 300_000

/** Removes what a process that was killed has left; one of this hour may still be in the making. */
async function sweepUnfinished(folder: string, now: Date): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!unfinished.test(name)) continue
    const partial = await stat(join(folder, name)).catch(() => undefined)
    if (partial && Math.abs(now.getTime() - partial.mtimeMs) > hourMs)
      await rm(join(folder, name), { force: true })
  }
}

/** Why the file is no backup any more, undefined when it is whole, and how many pictures it lacks. */
async function readThrough(file: string): Promise<{ fault: string | undefined; lacking: number }> {
  try {
    return { fault: undefined, lacking: lackingIn(await verifyBackup(file)) }
  } catch (error) {
    return { fault: String(error), lacking: 0 }
  }
}

/** How many pictures the file says that it lacks; none where it cannot say, which is for the check to find. */
async function readLacking(file: string): Promise<number> {
  try {
    const backup = await openBackup(file)
    backup.close()
    return lackingIn(backup.manifest)
  } catch {
    return 0
  }
}

function faultOf(error: unknown): BackupFault {
  if (error instanceof UnusableBackup) return 'unreadable'
  return isDiskFull(error) ? 'full' : 'other'
}

async function describe(folder: string, name: string): Promise<BackupFile | undefined> {
  const [, year, month, day, hours, minutes, seconds, reason] = named.exec(name) ?? []
  const known = backupReasons.find((each) => each === reason)
  if (!known) return undefined
  const found = await stat(join(folder, name)).catch(() => undefined)
  const madeAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
  if (!found?.isFile() || Number.isNaN(madeAt.getTime())) return undefined
  return { name, madeAt, reason: known, bytes: found.size, changedMs: found.mtimeMs }
}
