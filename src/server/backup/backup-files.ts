import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ListedBackup } from '#contract/backups.ts'
import { hourMs } from '#contract/durations.ts'
import { diskTimeMs, isDiskFull, leftClock } from '../disk/disk.ts'
import type { Log } from '../log.ts'
import { backupReasons, lackingIn, type BackupReason } from './manifest.ts'
import { openBackup, verifyBackup } from './read-backup.ts'

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

const named = new RegExp(
  `^tintero-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z-(${backupReasons.join('|')})\\.zip$`,
)

/** The files of the backups' folder, and what this process has found each of them to be. */
export function createBackupFiles(folder: string, log: Log) {
  const found = createFindings()
  return {
    /** All of them, newest first. */
    async list(): Promise<readonly Backup[]> {
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
    },
    /** Whether one is damaged; a `new` one is read through, another only where all are to be. */
    async isDamaged(name: string, which: 'new' | 'all'): Promise<boolean> {
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
    },
    /** Notes of one that was just made that it was read back and is whole. */
    async noteMade(name: string, lacking: number): Promise<Backup> {
      const made = await describe(folder, name)
      if (!made) throw new Error(`${name} has disappeared`)
      found.note(made, { state: 'whole', lacking })
      return { ...made, ...found.of(made) }
    },
    /** Where the one of this name lies; undefined when there is none. */
    async find(name: string): Promise<string | undefined> {
      return (await describe(folder, name)) === undefined ? undefined : join(folder, name)
    },
    /**
     * Deletes one if it may go, of all but those that another process is deleting in this moment; answers whether it did.
     * Of two that may go only while the other stays the older one goes.
     */
    async removeIf(
      name: string,
      mayGo: (all: readonly Backup[]) => boolean,
      now: Date,
    ): Promise<boolean> {
      // What may not go anyway must not make another process give up.
      if (!mayGo(await this.list())) return false
      const mark = `.${name}-${randomUUID()}.going`
      // On a full disk there may be no room for it, and deleting is what makes some.
      await writeFile(join(folder, mark), '', { mode: 0o600, flag: 'wx' }).catch(
        (error: unknown) => {
          if (!isDiskFull(error)) throw error
        },
      )
      try {
        for (const since = performance.now(); ; await wait(lookAgainMs)) {
          // Before the list: whoever has marked one after this sees the mark of this one.
          const others = (await goingIn(folder, now)).filter((other) => other.name !== name)
          const isGoing = (each: Backup) => others.some((other) => other.name === each.name)
          if (mayGo((await this.list()).filter((each) => !isGoing(each)))) {
            // Another process may have been quicker.
            await rm(join(folder, name), { force: true })
            return true
          }
          // All go by this order, so that one of them does not give up and learns what became of the others.
          const isFirst = others.every((other) => mark < other.mark)
          const isOver = others.length === 0 || performance.now() - since > givesUpMs
          if (!isFirst || isOver) return false
        }
      } finally {
        await rm(join(folder, mark), { force: true })
      }
    },
    /** Whether a process is writing one. */
    async isBeingMade(now: Date): Promise<boolean> {
      const ages = await unfinishedIn(folder, now)
      return ages.some(({ ageMs, file }) => ageMs < stalledMs && file.endsWith('.partial'))
    },
    /** Removes what a process that was killed has left; one of this hour may still be in the making. */
    async sweepUnfinished(now: Date): Promise<void> {
      for (const { file, ageMs } of await unfinishedIn(folder, now)) {
        if (ageMs > hourMs) await rm(file, { force: true })
      }
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

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // A file in the folder's place is told by the backup that cannot be made there.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

/** What was begun and is no backup yet, or never will be, and the marks of those that go, with how long each has not grown. */
async function unfinishedIn(folder: string, now: Date) {
  const names = (await namesIn(folder)).filter((name) =>
    [partial, going, leftClock].some((kind) => kind.test(name)),
  )
  if (names.length === 0) return []
  const diskMs = await diskTimeMs(folder, now)
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name)
      const changedMs = (await stat(file).catch(() => undefined))?.mtimeMs
      // The clock may have been ahead.
      return changedMs === undefined ? [] : [{ file, ageMs: Math.abs(diskMs - changedMs) }]
    }),
  )
  return found.flat()
}

/** Which backups processes are deleting, with the names of their marks. */
async function goingIn(folder: string, now: Date) {
  const ages = await unfinishedIn(folder, now)
  return ages.flatMap(({ file, ageMs }) => {
    const mark = basename(file)
    const [, name] = going.exec(mark) ?? []
    return name !== undefined && ageMs < stalledMs ? [{ name, mark }] : []
  })
}

const partial = /^\.tintero-.*\.partial$/
const going = /^\.(tintero-.*\.zip)-[\da-f-]{36}\.going$/
/** What has not grown for so long nobody is writing any more. */
const stalledMs = 300_000
/** How often it is looked whether another process has ended its deleting, and for how long: it may have been killed. */
const lookAgainMs = 50
const givesUpMs = 2000

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

async function describe(folder: string, name: string): Promise<BackupFile | undefined> {
  const [, year, month, day, hours, minutes, seconds, reason] = named.exec(name) ?? []
  const known = backupReasons.find((each) => each === reason)
  if (!known) return undefined
  const found = await stat(join(folder, name)).catch(() => undefined)
  const madeAt = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`)
  if (!found?.isFile() || Number.isNaN(madeAt.getTime())) return undefined
  return { name, madeAt, reason: known, bytes: found.size, changedMs: found.mtimeMs }
}
