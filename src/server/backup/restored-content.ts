import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Kysely, type Dialect } from 'kysely'
import type { AnyDb } from '../db/fill.ts'
import { beginLife } from '../db/life.ts'
import { dateFrom } from '../db/lived-days.ts'
import type { DbTarget } from '../db/open.ts'
import { forgetWriter } from '../db/postgres-dump.ts'
import type { Executor } from '../db/tables.ts'
import { noteSharing } from '../images/found-pictures.ts'
import { digestOf } from '../images/stored-files.ts'
import type { PictureFiles } from '../images/picture-files.ts'
import { isPicture, leftOut } from './manifest.ts'
import { readRows, type OpenedBackup } from './read-backup.ts'

/* What a restore puts there, whichever the database. */

export interface RestoreTo {
  readonly database: DbTarget
  readonly media: PictureFiles
  readonly now: Date
  /**
   * Told at once where the former content lies of a restore that was done and then killed, before anybody was told, or that failed
   * once it was done: whatever becomes of this one.
   */
  readonly tell?: (before: string) => void
}

export interface Aside {
  /** A folder or a schema with the former content; undefined where there was none. */
  readonly before: string | undefined
}

export const openAny = (dialect: Dialect): AnyDb => new Kysely({ dialect })

export const contentIn = (backup: OpenedBackup) => ({
  migration: backup.manifest.migration,
  // One that has them all the same was made by hand: it would open sessions, or set a password by link.
  tables: Object.keys(backup.manifest.tables)
    .filter((table) => !leftOut.has(table))
    .map((table) => ({ table, rows: () => readRows(backup, table) })),
})

/**
 * Restored content begins another life; jobs that waited to be sent then are long out of date. What lay in the bin lies there as long
 * as if it were deleted now: it may be what somebody wants back.
 */
export async function begin(
  t: Executor,
  { now, isAside }: { readonly now: Date; readonly isAside: boolean },
): Promise<void> {
  const since = await dateFrom(t, now)
  await t.deleteFrom('job').where('kind', 'in', ['push', 'mail']).execute()
  await t.updateTable('bin').set({ removed_at: since }).execute()
  // What was put aside may show the same pictures; what the backup says of another database is of other days.
  await noteSharing(t, isAside ? since : '')
  await forgetWriter(t)
  await beginLife(t, now)
}

/**
 * A stored picture stays where it is the same, and where the backup's own was damaged: it can only be as good or
 * better.
 */
export async function putPictures(backup: OpenedBackup, media: PictureFiles): Promise<void> {
  const { files, damaged } = backup.manifest
  for (const name of backup.names.filter(isPicture)) {
    const file = basename(name)
    const there = await media.read(file)
    if (there && (damaged.includes(file) || digestOf(there) === files[name]?.sha256)) continue
    await media.write([{ name: file, bytes: await buffer(await backup.open(name)) }])
  }
}
