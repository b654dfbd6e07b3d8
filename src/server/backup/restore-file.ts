import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fillDatabase } from '../db/fill.ts'
import { openDb } from '../db/open.ts'
import { markFile, markOf, refuseForRoot } from '../db/sqlite-file.ts'
import { lockBeside, serveFile, takeLock } from '../db/sqlite-serving.ts'
import { sqliteDialect } from '../db/sqlite.ts'
import { transact } from '../db/transact.ts'
import { absent, syncToDisk } from '../disk/disk.ts'
import { stampOf } from './manifest.ts'
import type { OpenedBackup } from './read-backup.ts'
import {
  begin,
  contentIn,
  openAny,
  putPictures,
  type Aside,
  type RestoreTo,
} from './restored-content.ts'
import { asideFolder, endRestore, restoringFile } from './unfinished-restore.ts'

/** Makes the file anew beside the site's, which it then replaces. */
export async function restoreFile(
  backup: OpenedBackup,
  { file, media, now, tell }: RestoreTo & { readonly file: string },
): Promise<Aside> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  refuseForRoot(file)
  const served = serveFile(file)
  const fresh = restoringFile(file)
  try {
    const end = async () => {
      const before = (await endRestore(file))?.before
      if (before !== undefined) tell?.(before)
    }
    await end()
    // A lock of its own: the other one tells doctor as little as it may disturb a start.
    const lock = takeLock(fresh, lookMs)
    try {
      await fillFile(backup, { file: fresh, now, isAside: existsSync(file) })
      await putPictures(backup, media)
      await putAside(file, now)
      // Empty: what was noted of the file before says nothing of this one.
      await writeFile(markOf(file), '', { mode: 0o600 })
      await rename(fresh, file)
      await syncToDisk(dirname(file))
      return { before: (await endRestore(file))?.before }
    } finally {
      await end()
      lock.close()
      await rm(lockBeside(fresh), { force: true })
    }
  } finally {
    served.close()
  }
}

/** For how long doctor's look at a lock may keep it from being taken, in milliseconds. */
const lookMs = 1000

async function fillFile(
  backup: OpenedBackup,
  { file, now, isAside }: { readonly file: string; readonly now: Date; readonly isAside: boolean },
): Promise<void> {
  const db = openAny(sqliteDialect(file))
  try {
    await fillDatabase(db, 'sqlite', contentIn(backup))
  } finally {
    await db.destroy()
  }
  const opened = await openDb({ engine: 'sqlite', file })
  try {
    await transact(opened.db, (t) => begin(t, { now, isAside }))
  } finally {
    await opened.close()
  }
  await rm(markOf(file), { force: true })
}

async function putAside(file: string, now: Date): Promise<void> {
  if (!existsSync(file)) return
  const folder = await makeAside(join(dirname(file), `before-${stampOf(now)}`))
  if (foldLog(file)) {
    // A second name: under the first it is there until the restored file takes that, so that a start finds one or the other.
    await link(file, join(folder, basename(file))).catch(() =>
      copyFile(file, join(folder, basename(file))),
    )
  } else {
    // Of no use as it is. Its mark stays: without one a start would take the missing file for a site that is to be made.
    markFile(file)
    await copyFile(markOf(file), join(folder, basename(markOf(file))))
    // The log first, which would be taken for the restored file's.
    for (const each of [`${file}-shm`, `${file}-wal`, file]) await moveInto(folder, each)
  }
  await syncToDisk(folder)
}

/**
 * Makes the folder for what is to have this name, or one more: in what another restore of the same second has put aside nothing is
 * written over.
 */
async function makeAside(path: string, n = 1): Promise<string> {
  const before = n === 1 ? path : `${path}-${n}`
  if (existsSync(before)) return makeAside(path, n + 1)
  const folder = asideFolder(before)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Whether the file now holds everything by itself, without a log beside it. */
function foldLog(file: string): boolean {
  try {
    const db = new DatabaseSync(file)
    try {
      db.exec('pragma wal_checkpoint(truncate)')
    } finally {
      // Left open it would hold the file, which is about to be moved.
      db.close()
    }
    return !existsSync(`${file}-wal`)
  } catch {
    return false
  }
}

async function moveInto(folder: string, file: string): Promise<void> {
  await rename(file, join(folder, basename(file))).catch(absent)
}
